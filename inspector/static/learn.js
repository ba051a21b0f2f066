// Learning from labels, in the background: how far it is, and how the model did before and after.

import { $, el, fill, note, percent } from "./dom.js";
import { get, post } from "./api.js";
import { store } from "./store.js";

const AGAIN = 500; // milliseconds between looks while it runs
let state = null;

export async function learning(changed) {
  try {
    state = await get("api/learning");
  } catch (error) {
    note(error.message);
    return;
  }
  card(changed);
  if (state.running) setTimeout(() => learning(changed), AGAIN);
  else if (state.model !== store.session.model) {
    store.session.model = state.model;
    changed();
  }
}

async function start(changed) {
  try {
    await post("api/learning", {});
    await learning(changed);
  } catch (error) {
    note(error.message);
  }
}

function card(changed) {
  const held = document.activeElement?.id;
  fill($("learn"), el("h2", { id: "learn-title" }, "Learn"),
    el("button", { id: "train", className: "chief", disabled: state.running, onclick: () => start(changed) },
      state.running ? "learning …" : "Train on my labels"),
    state.running ? bar() : null,
    state.error ? el("p", { className: "bad", role: "alert" }, state.error) : null,
    verdict());
  if (held) $(held)?.focus();
}

function bar() {
  return el("div", { className: "progress" }, el("progress", { max: Math.max(state.total, 1), value: state.done, aria: { label: state.step } }),
    el("small", {}, state.total ? `${state.step}: ${state.done} of ${state.total}` : state.step));
}

/** How the model in use did on pages of sites that it was not shown. */
function verdict() {
  const scores = state.scores;
  if (!scores.pages) return el("p", { className: "faint" }, "Confirmed pages teach most; a few pages of a site put that site right.");
  const about = `from ${scores.blocks} blocks of ${scores.pages} page${scores.pages === 1 ? "" : "s"}, ${scores.sites} site${scores.sites === 1 ? "" : "s"}`;
  const means = state.means;
  if (means.before === undefined) {
    return el("p", {}, about, ". No score on other sites: that takes confirmed pages of two sites or more.");
  }
  const [before, after] = [means.before, means.after];
  const line = (name, value) => el("div", { className: "likely" }, el("span", {}, name), el("span", { className: "track" },
    el("i", { style: { width: percent(value).replace(" ", "") } })), el("b", {}, value.toFixed(3)));
  const gap = (was, now) => `${now < was ? "−" : "+"}${Math.abs(now - was).toFixed(3)}`;
  const difference = (was, now) => el("p", {}, el("b", {}, gap(was, now)), " after training");
  const roles = means.roles_before === undefined ? [] : [el("p", { className: "faint" }, "Text whose role is right, there:"),
    line("before", means.roles_before), line("after", means.roles_after), difference(means.roles_before, means.roles_after)];
  return el("div", { className: "result" }, el("p", {}, about), el("p", { className: "faint" },
    `F1 on ${scores.held_out.length} confirmed pages, each by what had not seen its site:`), line("before", before), line("after", after), difference(before, after), ...roles,
  el("p", {}, after > before + 0.0005 ? "Better on sites it was not shown." : after < before - 0.0005
    ? "Worse on sites it was not shown: label pages of more sites, or delete the newest file in models/." : "As good as before on sites it was not shown."));
}
