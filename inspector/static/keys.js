// Every key, in one list: what it does, and what the help says of it.

import { $, el, fill } from "./dom.js";
import { store } from "./store.js";

/** The key of each role. */
export const ROLE_KEYS = {
  1: "body", 2: "title", 3: "standfirst", 4: "author", 5: "date", 6: "caption", 7: "comment", 8: "related", 9: "navigation",
  0: "other", o: "post", m: "note", p: "promotion", n: "notice", f: "form", t: "footer",
};
export const keyOf = role => Object.entries(ROLE_KEYS).find(([, name]) => name === role)?.[0];

/** The keys other than those of roles: [key, what it says in the help, what it does, by its name]. */
const KEYS = [
  ["j", "next block; with Shift, it is chosen as well", "next"],
  ["k", "previous block; with Shift, it is chosen as well", "back"],
  ["ArrowUp", "the block around", "up"],
  ["ArrowDown", "the first block inside", "down"],
  [" ", "content, or not", "content"],
  ["a", "say the same of all with the same tags around them", "alike"],
  ["u", "undo", "undo"],
  ["r", "redo", "redo"],
  ["Enter", "all labels of this page are right", "done"],
  ["]", "next page", "page-on"],
  ["[", "previous page", "page-back"],
  ["s", "two views side by side, or one", "split"],
  ["c", "colours: role, content, blocks", "color"],
  ["/", "to the list of pages", "queue"],
  ["Escape", "choose nothing", "clear"],
  ["?", "this help", "help"],
];
const NAMES = { " ": "Space", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };
const SHIFTED = { J: "next-range", K: "back-range" };

/** Let keys do what they say; `actions` by the names above, and `role` for a role. */
export function listen(actions) {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if ($("help").open || isWriting(event.target)) return;
    const name = SHIFTED[event.key] ?? KEYS.find(([key]) => key === event.key)?.[2];
    const role = ROLE_KEYS[event.key];
    if (isButton(event.target) && (event.key === " " || event.key === "Enter")) return;
    if (inList(event.target) && event.key.startsWith("Arrow")) return;
    if (actions[name]) actions[name]();
    else if (role && actions.role && store.session.roles.includes(role)) actions.role(role);
    else return;
    event.preventDefault();
  });
}

const isWriting = target => target.matches("input:not([type=checkbox]):not([type=range]), select, textarea, [contenteditable]");
const isButton = target => target.closest("button, summary, a, input, [role=tab]") !== null;
const inList = target => target.closest("#queue, #panel, [role=tablist], input[type=range]") !== null;

/** Write the help. */
export function writeHelp(actions) {
  const line = (key, words) => el("li", {}, el("kbd", {}, NAMES[key] ?? key), el("span", {}, words));
  const roles = actions.role ? Object.entries(ROLE_KEYS) : [];
  const own = KEYS.filter(([, , name]) => actions[name]);
  roles.sort(([a], [b]) => (Number(a) || 10) - (Number(b) || 10));
  fill($("help"),
    el("form", { method: "dialog" },
      el("h2", { id: "help-title" }, "Keys"),
      actions.role ? el("p", {}, "The model has labelled every block already. Go through them, correct what is wrong, and say that the page is right. " +
        "Everything is saved at once.") : null,
      el("div", { className: "columns" },
        el("ul", {}, ...own.map(([key, words]) => line(key, words))),
        el("ul", {}, ...roles.map(([key, role]) => line(key, role)))),
      el("p", { className: "faint" }, "Shift and a click choose all blocks in between, Ctrl and a click one more."),
      el("button", { className: "chief", autofocus: true }, "Close")));
}
