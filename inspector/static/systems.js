// Systems side by side: how much each keeps of the page, and how far they agree.

import { el, fill, note, percent } from "./dom.js";
import { get, pagePath } from "./api.js";
import { store } from "./store.js";

export async function systemsPanel(panel) {
  const { page } = store;
  if (store.systems?.page === page.id) return fill(panel, ...tables());
  fill(panel, el("p", { className: "faint" }, "The systems are reading the page …"));
  try {
    const result = await get(pagePath(page.id, `/agreement?systems=${store.session.systems.join(",")}`));
    if (page.id !== store.page.id) return null;
    store.systems = { ...result, page: page.id };
    store.tell("systems");
    fill(panel, ...tables());
  } catch (error) {
    fill(panel, el("p", { className: "faint" }, error.message));
  }
  return null;
}

function tables() {
  const { systems } = store;
  const rows = systems.names.map((name, at) => {
    const share = systems.whole ? systems.words[at] / systems.whole : 0;
    return el("tr", {}, el("th", { scope: "row" }, name),
      el("td", { className: "number" }, String(systems.words[at])),
      el("td", {}, el("span", { className: "track" }, el("i", { style: { width: `${Math.round(share * 100)}%` } }))),
      el("td", {}, systems.errors[name] ? el("span", { title: systems.errors[name] }, "failed") : show(name)));
  });
  return [
    el("p", {}, `They disagree on ${percent(systems.disputed)} of the page's ${systems.whole} words.`),
    el("div", { className: "scroll", tabIndex: 0, role: "group", aria: { label: "What each system keeps" } }, el("table", { className: "systems" },
      el("thead", {}, el("tr", {}, ...["system", "words", "of the page", "colour"].map(name => el("th", { scope: "col" }, name)))), el("tbody", {}, ...rows))),
    el("h3", {}, "Overlap of what they keep"),
    matrix(),
    ...people(),
  ];
}

function show(name) {
  return el("button", {
    className: "small", aria: { label: `show by colours what ${name} keeps` },
    onclick: () => { store.pane.how.color = name; store.pane.recolor(); store.pane.draw(); store.pane.controls(); note(`Colours say what ${name} keeps.`, 3); },
  }, "show");
}

function matrix() {
  const { systems } = store;
  const cell = value => el("td", { className: "heat", style: { "--h": value } }, value.toFixed(2).replace(/^0/, ""));
  const initials = systems.names.map(name => el("th", { scope: "col", title: name }, name.length > 9 ? `${name.slice(0, 8)}…` : name));
  return el("div", { className: "scroll", tabIndex: 0, role: "group", aria: { label: "Overlap of systems" } }, el("table", { className: "systems" },
    el("thead", {}, el("tr", {}, el("td", {}), ...initials)),
    el("tbody", {}, ...systems.names.map((name, row) => el("tr", {}, el("th", { scope: "row" }, name), ...systems.overlap[row].map(cell))))));
}

/** Other people's labels of this page. */
function people() {
  const others = Object.entries(store.labels?.others ?? {});
  if (!others.length) return [];
  return [el("h3", {}, "Other people's labels"), el("table", { className: "systems" },
    el("thead", {}, el("tr", {}, ...["who", "leaves in common", "Cohen's κ"].map(name => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...others.map(([who, labels]) => el("tr", {}, el("th", { scope: "row" }, who), el("td", { className: "number" }, String(labels.both)),
      el("td", { className: "number" }, labels.kappa === null ? "–" : labels.kappa.toFixed(2))))))];
}
