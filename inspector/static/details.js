// Details of the chosen block, and its labels.

import { $, begun, el, fill, note, percent } from "./dom.js";
import { store, together } from "./store.js";
import { ROLE_LETTERS, roleColor, verdictOf, VERDICT_COLORS } from "./paint.js";
import { keyOf, ROLE_KEYS } from "./keys.js";
import { alike } from "./alike.js";

const WORDS = { content: "content", partly: "partly content", not: "not content", none: "no text" };

/** Show what is chosen. */
export function details(actions) {
  const { pane, chosen } = store;
  if (!pane?.tree || !chosen.length) return fill($("block"), ...nothing(pane));
  const row = pane.last ?? pane.rows[0];
  const result = together(chosen);
  const buttons = actions.role ? [roleButtons(result, actions), likeButtons(actions)] : [];
  fill($("block"), head(pane, result), ...buttons, excerpt(chosen), facts(pane, row, chosen, result));
}

function nothing(pane) {
  return [
    el("h2", { id: "block-title" }, "The block"),
    el("p", { className: "faint" }, "Click a block, or go through them with ", el("kbd", {}, "j"), " and ", el("kbd", {}, "k"),
      `. The model's prediction and its reasons are shown here${store.session.read_only ? "" : "; a key corrects it"}.`),
    ...(pane?.tree ? [legend(pane)] : []),
  ];
}

/** What the colours say. */
function legend(pane) {
  const item = (color, words, letter = "") => el("li", {}, el("i", { className: "patch", style: { "--c": color } }, letter), words);
  if (pane.how.color === "role") {
    const roles = [...new Set(pane.tree.order.map(row => together(pane.tree.leaves(row)).role))].filter(role => role >= 0).sort((a, b) => a - b);
    return el("ul", { className: "legend" }, ...roles.map(role => item(roleColor(role), store.session.roles[role], ROLE_LETTERS[store.session.roles[role]])),
      el("li", { className: "faint" }, "hatched: left out by default; dashed, with a question mark: not sure"));
  }
  if (pane.how.color === "blocks") return el("p", { className: "faint" }, "Neighbours differ in colour.");
  return el("ul", { className: "legend" }, ...Object.keys(WORDS).map(name => item(VERDICT_COLORS[name], WORDS[name])));
}

function head(pane, result) {
  const many = pane.rows.length;
  const name = store.session.roles[result.role] ?? "no role";
  const verdict = verdictOf(result.share);
  return el("div", { className: "block-head" },
    el("h2", { id: "block-title" }, many > 1 ? `${many} blocks` : `Block ${(pane.tree.place.get(pane.last) ?? 0) + 1}`),
    el("span", { className: "chip", style: { "--c": roleColor(result.role) } }, name),
    el("span", { className: "chip hollow", style: { "--c": VERDICT_COLORS[verdict] } }, WORDS[verdict]),
    result.byHand ? el("span", { className: "chip hand", title: "Labelled by a person" }, "by hand") : null,
    el("div", { className: "likely", title: `The model takes it for content with ${percent(result.likely)}` },
      el("span", {}, "content"),
      el("span", { className: "track" }, el("i", { style: { width: `${Math.round((result.likely ?? 0) * 100)}%` } })),
      el("b", {}, percent(result.likely))));
}

function roleButtons(result, actions) {
  const buttons = Object.values(ROLE_KEYS).sort((a, b) => place(a) - place(b)).map(role => {
    const index = store.session.roles.indexOf(role);
    return el("button", {
      className: "role", style: { "--c": roleColor(index) }, aria: { pressed: String(result.role === index) }, onclick: () => actions.role(role),
    }, el("kbd", {}, keyOf(role)), role);
  });
  const content = el("button", { className: "role both", onclick: actions.content }, el("kbd", {}, "Space"),
    result.share >= 0.5 ? "not content" : "content");
  return el("div", { className: "roles", role: "group", aria: { label: "What it is" } }, ...buttons, content);
}

const place = role => { const key = keyOf(role); return key === "0" ? 10 : Number(key) || 11; };

function likeButtons(actions) {
  const many = alike().length;
  return el("div", { className: "group like", role: "group", aria: { label: "All that are like this" } },
    el("button", { disabled: many < 2, onclick: () => actions.alike(), title: "Label all of them as this one is labelled" },
      el("kbd", {}, "a"), ` all with these tags (${many})`));
}

function excerpt(chosen) {
  const text = chosen.map(leaf => store.page.leaves.text[leaf]).join(" ");
  return el("p", { className: "excerpt", dir: "auto" }, begun(text, 420));
}

function facts(pane, row, chosen, result) {
  const { tree } = pane;
  const { leaves } = store.page;
  const hidden = [...new Set(chosen.map(leaf => leaves.hidden[leaf]).filter(Boolean))];
  const box = tree.box[row];
  const rows = [
    ["role, by the model", modelRole(chosen)],
    ["most against it", store.page.leaves.against[wordiest(chosen)]],
    ["not visible", hidden.join(", ")],
    ["gold", gold(chosen)],
    ["rule that cut it", tree.rule[row]],
    ["degree of coherence", tree.doc[row] || ""],
    ["element", tree.tag[row]],
    ["box", box ? `${box.map(value => Math.round(value)).join(" · ")} px` : ""],
    ["words", result.words],
  ].filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const list = el("dl", {}, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))]));
  return el("div", {}, list, tree.selector[row] ? selector(tree.selector[row]) : null);
}

function selector(text) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      note("The selector is copied.", 2);
    } catch {
      note("The browser does not let it be copied; it can be selected.", 3);
    }
  };
  return el("div", { className: "selector" }, el("code", { tabIndex: 0, role: "textbox", aria: { label: "CSS selector", readonly: "true" } }, text),
    el("button", { className: "small", onclick: copy }, "copy"));
}

const wordiest = chosen => {
  const { words } = store.page.leaves;
  return chosen.reduce((best, one) => (words[one] > words[best] ? one : best), chosen[0]);
};

function modelRole(chosen) {
  const { leaves } = store.page;
  const leaf = wordiest(chosen);
  return leaves.role[leaf] < 0 ? "" : `${store.session.roles[leaves.role[leaf]]}, ${percent(leaves.role_p[leaf])}`;
}

function gold(chosen) {
  const labels = chosen.map(leaf => store.page.leaves.gold[leaf]).filter(label => label >= 0);
  if (!labels.length) return "";
  return labels.filter(Boolean).length * 2 >= labels.length ? "content" : "not content";
}
