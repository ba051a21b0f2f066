// The pages in the order in which to label them.

import { $, el, fill, note, percent } from "./dom.js";
import { get } from "./api.js";
import { store } from "./store.js";

const ORDERS = { given: "as given", confidence: "least sure first" };
const AGAIN = 2500; // milliseconds between looks, while pages are still being judged
let rows = [];
let order = "given";

export function orders(change) {
  fill($("order"), ...store.session.orders.map(value => el("option", { value, selected: value === order }, ORDERS[value] ?? value)));
  $("order").addEventListener("change", event => { order = event.target.value; change(); });
}

/** Ask for the pages anew, and show them. */
export async function refresh(open) {
  try {
    rows = await get(`api/queue?order=${order}`);
  } catch (error) {
    note(error.message);
    return rows;
  }
  const there = $("queue").scrollTop;
  const held = document.activeElement?.dataset?.page;
  fill($("queue"), ...rows.map(row => el("li", {}, entry(row, open))));
  $("queue").scrollTop = there;
  if (held) $("queue").querySelector(`[data-page="${CSS.escape(held)}"]`)?.focus();
  return rows;
}

function entry(row, open) {
  const state = row.error ? "bad" : row.done ? "done" : row.labels ? "begun" : "new";
  const words = { bad: row.error, done: "confirmed", begun: `${row.labels} label${row.labels === 1 ? "" : "s"}`, new: "" }[state];
  const known = row.confidence === null ? null : el("span", { className: "sure", title: `expected F1 ${percent(row.confidence)}` },
    el("i", { style: { width: `${Math.round(row.confidence * 100)}%` } }));
  return el("button", {
    className: `entry ${state}`, data: { page: row.id }, onclick: event => {
      if (event.detail) event.currentTarget.blur(); // a click of the mouse: the next keys are for the page
      open(row.id);
    }, title: row.name,
    aria: { current: String(row.id === store.page?.id) },
  }, el("i", { className: "dot", aria: { hidden: "true" } }), el("span", { className: "name" }, row.name), el("small", {}, words || row.site), known);
}

/** The page that follows the shown one by this many places. */
export function neighbour(by) {
  if (!rows.length) return null;
  const at = rows.findIndex(row => row.id === (store.opening ?? store.page?.id));
  return rows[(Math.max(at, 0) + by + rows.length) % rows.length].id;
}

/** The next page in the order that is not confirmed and can be opened. */
export function unfinished() {
  const at = rows.findIndex(row => row.id === store.page?.id);
  const behind = [...rows.slice(at + 1), ...rows.slice(0, at)];
  return behind.find(row => !row.done && !row.error)?.id ?? null;
}

export const first = () => rows[0]?.id ?? null;

/** Look again as long as pages are being judged. */
export function watch(open) {
  setInterval(() => { if (rows.some(row => row.confidence === null && !row.error)) refresh(open); }, AGAIN);
}
