// The inspector: opens pages, and connects keys, clicks and the server.

import { $, begun, el, fill, note, percent } from "./dom.js";
import { get, pagePath } from "./api.js";
import { store, together } from "./store.js";
import { Pane } from "./pane.js";
import { controls } from "./controls.js";
import { loadLabels } from "./labels.js";
import { details } from "./details.js";
import { mark, markHovered, panel, selected, tabs } from "./document.js";
import { alike } from "./alike.js";
import { listen, writeHelp } from "./keys.js";
import { learning } from "./learn.js";
import { fail, neighbour, first, refresh, unfinished } from "./queue.js";

const COLORS = ["role", "verdict", "blocks"];
/** The actions that a page written as a file does not have. */
const LABELLING = ["role", "content", "alike", "undo", "redo", "done", "page-on", "page-back", "queue"];

const actions = {
  next: () => store.pane.step(1),
  back: () => store.pane.step(-1),
  "next-range": () => store.pane.step(1, { range: true }),
  "back-range": () => store.pane.step(-1, { range: true }),
  up: () => store.pane.up(),
  down: () => store.pane.down(),
  role: name => withChosen(leaves => store.labels.setRole(leaves, name)),
  content: () => withChosen(leaves => store.labels.setContent(leaves, together(leaves).share < 0.5)),
  alike: propagate,
  undo: () => store.labels?.undo(),
  redo: () => store.labels?.redo(),
  done: () => confirmed(),
  "page-on": () => open(neighbour(1)),
  "page-back": () => open(neighbour(-1)),
  split: () => split(),
  color: () => {
    const { how } = store.pane;
    how.color = COLORS[(COLORS.indexOf(how.color) + 1) % COLORS.length];
    store.pane.recolor();
    store.pane.draw();
    controls(store.pane);
    tellDetails();
  },
  queue: () => ($("queue").querySelector("[aria-current=true]") ?? $("queue").querySelector("button"))?.focus(),
  clear: () => store.choose([], ""),
  help: () => $("help").showModal(),
};

let telling = 0;

/** Show what is known of the chosen block, once a frame: keys that are held down come faster. */
function tellDetails() {
  cancelAnimationFrame(telling);
  telling = requestAnimationFrame(() => details(actions));
}

function withChosen(say) {
  if (!store.chosen.length) note("Choose a block first: click it, or press j.", 3);
  else say(store.chosen);
}

/** Label all blocks that are similar to the chosen one as it is labelled. */
function propagate() {
  withChosen(leaves => {
    const result = together(leaves);
    const others = [...new Set(alike().flatMap(row => store.pane.tree.own[row]))];
    const role = store.session.roles[result.role];
    if (!others.length) return;
    const content = result.share >= 0.5;
    if (role !== undefined && store.session.content_roles.includes(role) === content) store.labels.setRole(others, role);
    else store.labels.setContent(others, content);
    note(`${alike().length} blocks say the same now; u takes it back.`, 4);
  });
}

async function confirmed() {
  if (!store.labels) return;
  const on = !store.labels.done;
  store.labels.confirm(on);
  const next = on ? unfinished() : null;
  if (next) open(next);
}

let asked = 0;

/** Open a page; of several that are asked for, the last one is shown. The same page again keeps its place. */
async function open(id) {
  if (!id || store.opening === id) return;
  store.opening = id;
  const number = ++asked;
  document.body.classList.add("opening");
  try {
    const page = await get(pagePath(id));
    const labels = store.session.read_only ? null : await loadLabels(page);
    if (number !== asked) return;
    const same = store.page?.id === page.id && store.page.fingerprint === page.fingerprint;
    Object.assign(store, { page, labels, hovered: null }, same ? {} : { chosen: [] });
    history.replaceState(null, "", `#${id}`);
    title(page);
    if (labels?.refused) note(`${labels.refused} labels are for texts that this page no longer has.`);
    for (const pane of store.panes) Object.assign(pane, { rows: [], pointed: [], tree: null, last: undefined });
    panel();
    buttons();
    await Promise.all(store.panes.map(pane => { if (!same) pane.stage.scrollTop = 0; return pane.load(); }));
    if (number !== asked) return;
    tellDetails();
    if (labels) refresh(open);
  } catch (error) {
    if (number !== asked) return;
    note(error.message, 12);
    fail(id, error.message);
    if (!store.session.read_only) refresh(open);
  } finally {
    if (number === asked) {
      store.opening = null;
      document.body.classList.remove("opening");
    }
  }
}

function title(page) {
  $("page-name").textContent = begun(page.title || page.url, 90);
  $("page-url").textContent = page.url;
  document.title = `${begun(page.title, 40) || "page"} – blocksight inspect`;
  $("sure").hidden = false;
  const empty = !page.leaves.kept.some(Boolean);
  $("sure").textContent = empty ? "nothing found" : `sure ${percent(page.confidence)}`;
  $("sure").title = empty ? "The model finds no main text on this page" : "Expected F1 of what the model chose";
}

function buttons() {
  $("undo").disabled = !store.labels?.canUndo;
  $("redo").disabled = !store.labels?.canRedo;
  $("done").setAttribute("aria-pressed", String(Boolean(store.labels?.done)));
  $("done").textContent = store.labels?.done ? "✓ right" : "Page is right";
}

function split() {
  const { panes } = store;
  if (panes.length > 1) panes.pop().element.remove();
  else panes.push(new Pane(1, { method: store.session.start?.method ?? "vips", color: panes[0].how.color === "role" ? "verdict" : "role" }));
  store.active = Math.min(store.active, panes.length - 1);
  $("split").setAttribute("aria-pressed", String(panes.length > 1));
  $("main").classList.toggle("two", panes.length > 1);
  if (panes.length > 1) {
    $("main").append(panes[1].element);
    controls(panes[1]);
    if (store.page) panes[1].load();
  }
}

function hear() {
  store.on("chosen", by => {
    for (const pane of store.panes) if (pane !== by) pane.follow();
    if (by === "document" && store.pane.rows.length) store.pane.reveal(store.pane.rows[0]);
    mark(by);
    tellDetails();
  });
  store.on("hovered", by => {
    for (const pane of store.panes) if (pane !== by || !store.hovered) pane.followHover();
    markHovered(by);
  });
  store.on("labels", () => {
    for (const pane of store.panes) { pane.recolor(); pane.draw(); }
    buttons();
    tellDetails();
  });
  store.on("layers", name => {
    for (const pane of store.panes) { if (name === "picture") pane.pictures(); pane.draw(); }
  });
  store.on("controls", controls);
  store.on("cut", tellDetails);
  store.on("legend", tellDetails);
  store.on("active", tellDetails);
  store.on("saving", words => { $("saved").textContent = words; $("saved").classList.toggle("bad", words.startsWith("not")); });
  store.on("saved", () => refresh(open));
  store.on("scrolled", pane => {
    const other = store.panes.find(one => one !== pane);
    if (other && Math.abs(other.stage.scrollTop - pane.stage.scrollTop) > 2) other.stage.scrollTop = pane.stage.scrollTop;
  });
  document.addEventListener("selectionchange", selected);
}

function press() {
  for (const name of ["undo", "redo", "done", "split", "page-on", "page-back"]) $(name).addEventListener("click", () => actions[name]());
  $("help-open").addEventListener("click", actions.help);
  for (const button of document.querySelectorAll("#switch button")) {
    button.addEventListener("click", () => showPart(button.dataset.show));
  }
}

/** On a narrow screen one part is shown below the page. */
function showPart(name) {
  document.body.dataset.show = name;
  for (const button of document.querySelectorAll("#switch button")) button.setAttribute("aria-pressed", String(button.dataset.show === name));
}

async function start() {
  store.session = await get("api/session");
  if (store.session.read_only) for (const name of LABELLING) delete actions[name];
  store.panes.push(new Pane(0));
  fill($("main"), store.panes[0].element);
  writeHelp(actions);
  tabs();
  hear();
  press();
  showPart("block");
  listen(actions);
  controls(store.panes[0]);
  if (store.session.read_only) return open(store.session.page);
  const rows = await refresh(open);
  learning(() => open(store.page?.id ?? first()));
  addEventListener("hashchange", () => open(location.hash.slice(1)));
  const wanted = location.hash.slice(1);
  return open(rows.some(row => row.id === wanted) ? wanted : first());
}

start().catch(error => fill($("main"), el("p", { className: "bad" }, error.message)));
