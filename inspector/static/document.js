// The document as Markdown and as text, linked both ways with the blocks; hidden text with its reason.

import { $, begun, el, fill } from "./dom.js";
import { store } from "./store.js";

const TABS = [["text", "Text"], ["markdown", "Markdown"], ["preview", "Preview"], ["hidden", "Hidden"]];
const REASONS = {
  display: "not rendered at all", visibility: "made invisible", opacity: "next to transparent", clip: "cut off by what is around it",
  zero_area: "its lines have no area", off_screen: "no scrolling reaches it", overlay: "under an overlay that can be closed (counts as seen)",
  color: "the colour of its ground", cover: "something is painted over it", size: "too small to be read",
  glyphs: "its characters draw nothing", effect: "an effect leaves nothing of it",
};
const PASSAGE = 12; // parts that are laid out together
let shown = "text";
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
  if (shown === "hidden") fill($("panel"), ...hidden());
  else if (shown === "preview") fill($("panel"), preview(store.page.preview));
  else fill($("panel"), written(store.page[shown]));
  mark();
}

/** The document as a reader sees it: elements without addresses, so that nothing is loaded and no link leads away. */
function preview([, , children]) {
  if (!children.length) return el("p", { className: "faint" }, "The model finds no main text on this page.");
  const copy = ([tag, attributes, inside]) => {
    const element = tag === "img" ? el("span", { className: "picture" }) : document.createElement(tag === "a" ? "u" : tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...inside.map(child => (typeof child === "string" ? child : copy(child))));
    return element;
  };
  const whole = copy(["div", {}, children]);
  whole.className = "preview";
  whole.lang = store.page.language;
  whole.dir = "auto";
  return whole;
}

function written(pieces) {
  if (!pieces.length) return el("p", { className: "faint" }, "The model finds no main text on this page.");
  const whole = el("div", { className: "written", lang: store.page.language, dir: "auto" });
  let passage = null;
  for (const [text, leaves] of pieces) {
    const span = el("span", { className: "part" }, text);
    if (leaves.length) link(span, leaves);
    else span.classList.add("added");
    if (!passage) whole.append(passage = el("div", { dir: "auto" }));
    passage.append(span);
    // Marking a part lays out its passage: of a long document, that shall not be all.
    if (passage.childElementCount >= PASSAGE && text.endsWith("\n")) passage = null;
  }
  return whole;
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
  return [...groups].map(([reason, result]) => el("details", { open: result.length <= 30 },
    el("summary", {}, `${reason}: ${REASONS[reason] ?? ""} (${result.length})`),
    el("ul", { className: "hidden-list" }, ...result.slice(0, 400).map(leaf => {
      const button = el("button", { className: "plain", dir: "auto" }, begun(leaves.text[leaf], 200));
      link(button, [leaf]);
      return el("li", {}, button);
    }))));
}

/** Show in the document what is chosen. */
export function mark(by = "") {
  const result = marked("chosen", store.chosen);
  if (result.length && by !== "document") reveal(result[0]);
}

export function markHovered(by) {
  marked("pointed", by === "document" ? [] : store.hovered ?? []);
}

/** Mark the parts of some leaves, and no others; only what changes is touched: there may be thousands. */
function marked(name, leaves) {
  const result = new Set(leaves.map(leaf => byLeaf.get(leaf)).filter(Boolean));
  for (const element of $("panel").querySelectorAll(`.${name}`)) if (!result.has(element)) element.classList.remove(name);
  for (const element of result) element.classList.add(name);
  return [...result];
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
  const leaves = parts.filter(([element]) => selection.containsNode(element, true)).flatMap(([, result]) => result);
  if (leaves.length) store.choose([...new Set(leaves)], "document");
}
