// The pages to label.

import { $, el, fill, note } from "./dom.js";
import { get } from "./api.js";
import { store } from "./store.js";

let rows = [];
/** Why pages could not be opened, by their id. */
const failed = new Map();

export function fail(id, why) {
  failed.set(id, why);
}

/** Ask for the pages anew, and show them. */
export async function refresh(open) {
  try {
    rows = await get(`api/queue`);
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
  const state = failed.has(row.id) ? "bad" : row.done ? "done" : row.labels ? "begun" : "new";
  const words = { bad: failed.get(row.id), done: "confirmed", begun: `${row.labels} label${row.labels === 1 ? "" : "s"}`, new: "" }[state];
  return el("button", {
    className: `entry ${state}`, data: { page: row.id }, onclick: event => {
      if (event.detail) event.currentTarget.blur(); // a click of the mouse: the next keys are for the page
      open(row.id);
    }, title: row.name,
    aria: { current: String(row.id === store.page?.id) },
  }, el("i", { className: "dot", aria: { hidden: "true" } }), el("span", { className: "name" }, row.name), el("small", {}, words || row.site));
}

/** The page that follows the shown one by this many places. */
export function neighbour(by) {
  if (!rows.length) return null;
  const at = rows.findIndex(row => row.id === (store.opening ?? store.page?.id));
  return rows[(Math.max(at, 0) + by + rows.length) % rows.length].id;
}

/** The next page that is not confirmed and can be opened. */
export function unfinished() {
  const at = rows.findIndex(row => row.id === store.page?.id);
  const behind = [...rows.slice(at + 1), ...rows.slice(0, at)];
  return behind.find(row => !row.done && !failed.has(row.id))?.id ?? null;
}

export const first = () => rows[0]?.id ?? null;
