// The bar above a view: how the page is cut, what the colours say, what else is drawn, how large.

import { el, fill } from "./dom.js";
import { store } from "./store.js";

const LAYERS = {
  picture: "picture", boxes: "blocks", outlines: "outlines", names: "roles in words", lines: "lines",
  separators: "separators", gold: "gold at the right edge",
};

/** Put the controls of a view into its bar. */
export function controls(pane) {
  const open = pane.bar.querySelector("details")?.open ?? false;
  const { how } = pane;
  fill(pane.bar, cutBy(pane, how), ...(how.method === "vips" ? [degree(pane, how)] : []), coloredBy(pane, how), layers(open),
    el("span", { className: "stretch" }), count(pane), zooming(pane));
}

function cutBy(pane, how) {
  return choice("cut by", store.session.methods.map(name => [name, name]), how.method, value => {
    how.method = value;
    controls(pane);
    pane.load();
  });
}

function degree(pane, how) {
  const named = value => Number(value) || "auto";
  const shown = el("output", {}, String(how.pdoc));
  return el("label", { title: "1 is the whole page, 10 the smallest blocks; 0 is auto: divided as people do" }, "PDoC ", el("input", {
    type: "range", min: 0, max: 10, value: Number(how.pdoc) || 0, className: "degree",
    oninput: event => { shown.textContent = named(event.target.value); },
    onchange: event => { how.pdoc = named(event.target.value); pane.load(); },
  }), shown);
}

function coloredBy(pane, how) {
  const ways = [["role", "role"], ["verdict", "content or not"], ["blocks", "block by block"]];
  if (store.page?.leaves.gold.some(label => label >= 0)) ways.push(["gold", "gold"]);
  if (!ways.some(([value]) => value === how.color)) how.color = "role";
  return choice("colour", ways, how.color, value => {
    how.color = value;
    pane.recolor();
    pane.draw();
    store.tell("legend");
  });
}

function choice(name, ways, chosen, change) {
  const options = ways.map(([value, words]) => el("option", { value, selected: value === chosen }, words));
  return el("label", {}, `${name} `, el("select", { onchange: event => change(event.target.value) }, ...options));
}

function layers(open) {
  const boxes = Object.entries(LAYERS).map(([name, words]) => el("label", {}, el("input", {
    type: "checkbox", checked: store.layers[name],
    onchange: event => { store.layers[name] = event.target.checked; store.tell("layers", name); },
  }), words));
  return el("details", { className: "menu", open }, el("summary", {}, "Layers"), el("div", { className: "layer-list" }, ...boxes));
}

function count(pane) {
  return el("span", { className: "faint wide" }, pane.tree ? `${pane.tree.order.length} blocks` : "");
}

function zooming(pane) {
  const button = (text, name, press) => el("button", { className: "small", onclick: press, aria: { label: name }, title: name }, text);
  return el("span", { className: "group", role: "group", aria: { label: "Zoom" } },
    button("−", "Smaller", () => pane.setZoom(pane.zoom / 1.25)), button("fit", "Fit the width", () => pane.setZoom(1, true)),
    button("+", "Larger", () => pane.setZoom(pane.zoom * 1.25)));
}
