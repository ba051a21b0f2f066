// The document as Markdown and as text, linked both ways with the blocks; hidden text with its reason.

import { $, begun, el, fill } from "./dom.js";
import { store } from "./store.js";
import { systemsPanel } from "./systems.js";

const TABS = [["markdown", "Markdown"], ["text", "Text"], ["hidden", "Hidden"], ["systems", "Systems"]];
const REASONS = {
  display: "not rendered at all", visibility: "made invisible", opacity: "next to transparent", clip: "cut off by what is around it",
  zero_area: "its lines have no area", off_screen: "no scrolling reaches it", overlay: "under an overlay that can be closed (counts as seen)",
  color: "the colour of its ground", cover: "something is painted over it", size: "too small to be read",
  glyphs: "its characters draw nothing", effect: "an effect leaves nothing of it",
};
let shown = "markdown";
let parts = []; // [span, leaves]
let byLeaf = new Map();

export function tabs() {
  const buttons = TABS.map(([name, words]) => el("button", {
    role: "tab", id: `tab-${name}`, tabIndex: name === shown ? 0 : -1, aria: { selected: String(name === shown), controls: "panel" },
    onclick: () => show(name), onkeydown: event => turn(event, name),
  }, words));
  fill($("tabs"), ...buttons);
  $("panel").setAttribute("aria-labelledby", `tab-${shown}`);
}

function turn(event, name) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const at = TABS.findIndex(([other]) => other === name);
  const next = TABS[(at + by + TABS.length) % TABS.length][0];
  show(next);
  $(`tab-${next}`).focus();
  event.preventDefault();
}

function show(name) {
  shown = name;
  tabs();
  panel();
}

/** Show what the tab is for. */
export function panel() {
  parts = [];
  byLeaf = new Map();
  if (!store.page) return;
  if (shown === "systems") systemsPanel($("panel"));
  else if (shown === "hidden") fill($("panel"), ...hidden());
  else fill($("panel"), written(store.page[shown]));
  mark();
}

function written(pieces) {
  if (!pieces.length) return el("p", { className: "faint" }, "The model found no main text on this page.");
  const lines = pieces.map(([text, leaves]) => {
    const heading = shown === "markdown" && /^#{1,6} /.test(text);
    const span = el("span", { className: heading ? "part heading" : "part" }, text);
    if (leaves.length) link(span, leaves);
    else span.classList.add("added");
    return span;
  });
  return el("div", { className: "written", lang: store.page.language, dir: "auto" }, ...lines);
}

function link(element, leaves) {
  parts.push([element, leaves]);
  for (const leaf of leaves) byLeaf.set(leaf, element);
  element.addEventListener("mouseenter", () => store.hover(leaves, "document"));
  element.addEventListener("mouseleave", () => store.hover(null, "document"));
  element.addEventListener("click", () => { if (getSelection().isCollapsed) store.choose(leaves, "document"); });
}

function hidden() {
  const { leaves } = store.page;
  const groups = new Map();
  leaves.hidden.forEach((reason, leaf) => {
    if (reason) groups.set(reason, [...(groups.get(reason) ?? []), leaf]);
  });
  if (!groups.size) return [el("p", { className: "faint" }, "A person sees all of this page's text.")];
  return [...groups].map(([reason, found]) => el("details", { open: found.length <= 30 },
    el("summary", {}, `${reason}: ${REASONS[reason] ?? ""} (${found.length})`),
    el("ul", { className: "hidden-list" }, ...found.slice(0, 400).map(leaf => {
      const button = el("button", { className: "plain", dir: "auto" }, begun(leaves.text[leaf], 200));
      link(button, [leaf]);
      return el("li", {}, button);
    }))));
}

/** Show in the document what is chosen. */
export function mark(by = "") {
  const chosen = new Set(store.chosen);
  let first = null;
  for (const [element, leaves] of parts) {
    const on = leaves.some(leaf => chosen.has(leaf));
    element.classList.toggle("chosen", on);
    if (on) first ??= element;
  }
  if (first && by !== "document") reveal(first);
}

export function markHovered(by) {
  for (const [element] of parts) element.classList.remove("pointed");
  if (!store.hovered || by === "document") return;
  for (const leaf of store.hovered) byLeaf.get(leaf)?.classList.add("pointed");
}

function reveal(element) {
  const panel = $("panel");
  const frame = panel.getBoundingClientRect(), place = element.getBoundingClientRect();
  if (place.top < frame.top || place.top > frame.bottom - 30) panel.scrollTop += place.top - frame.top - 40;
}

/** Text that is selected chooses its blocks. */
export function selected() {
  const selection = getSelection();
  if (selection.isCollapsed || !$("panel").contains(selection.anchorNode)) return;
  const leaves = parts.filter(([element]) => selection.containsNode(element, true)).flatMap(([, found]) => found);
  if (leaves.length) store.choose([...new Set(leaves)], "document");
}
