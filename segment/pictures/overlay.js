"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const COLORS = ["#0072b2", "#d55e00", "#00805f", "#b0497f", "#2b7fb8", "#a86f00"];
const KINDS = {"content": "#087a3c", "partly": "#b87800", "not content": "#c02626", "not judged": "#6e6e6e"};
const by = id => document.getElementById(id);
const [WIDTH, HEIGHT] = data.size;
let layer, depths, children, kept = null, zoom = null;

function drawn(parent, name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
const rectangle = ([x, y, width, height]) => ({x, y, width: Math.max(width, 1), height: Math.max(height, 1)});

function color(row, place) {
  return layer.kind ? KINDS[layer.kind[row]] : COLORS[place % COLORS.length];
}

function load() {
  layer = data.layers[by("layer").value];
  by("layer-name").value = layer.name;
  depths = [];
  children = layer.parent.map(() => []);
  layer.parent.forEach((above, row) => {
    depths.push(above < 0 ? 0 : depths[above] + 1);
    if (above >= 0) children[above].push(row);
  });
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
  const level = by("level"), atEnd = level.value === level.max;
  level.max = deepest + 1;
  if (atEnd || +level.value > deepest) level.value = deepest + 1;
  kept = null;
  list();
  draw();
  describe();
}

// -- the picture

// Down to a level: its blocks, and the leaves above it; all the way down: the leaves.
function visible() {
  const level = +by("level").value;
  return layer.parent.map((_, row) => depths[row] === level || (layer.leaf[row] && depths[row] < level));
}

function draw() {
  const shown = visible(), level = +by("level").value, deepest = depths.reduce((most, one) => Math.max(most, one), 0);
  for (const id of ["inner", "record-layer", "blocks", "stripe-layer", "label-layer"]) by(id).replaceChildren();
  by("level-name").value = level > deepest ? "leaves" : level;
  by("page").classList.toggle("tinted", Boolean(layer.kind));
  // Numbered in the order of the page, drawn from large to small, so that none is hidden.
  const rows = layer.parent.map((_, row) => row).filter(row => shown[row] && layer.box[row] && layer.drawn[row]);
  const area = row => layer.box[row][2] * layer.box[row][3];
  const large = [...rows.entries()].sort(([, one], [, other]) => area(other) - area(one));
  for (const [number, row] of large) {
    const box = layer.box[row], paint = `--c:${color(row, number)}`, rx = layer.radius[row];
    drawn(by("blocks"), "rect", {...rectangle(box), rx, class: "halo"});
    const about = `block ${row}, ${layer.tag[row]}, ${layer.text[row].slice(0, 80)}`;
    const block = drawn(by("blocks"), "rect", {...rectangle(box), rx, class: "block", style: paint, "data-row": row,
      tabindex: 0, role: "button", "aria-label": about});
    block.addEventListener("pointerenter", () => { if (kept === null) tell(row); });
    block.addEventListener("click", () => keep(kept === row ? null : row));
    block.addEventListener("keydown", event => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); keep(kept === row ? null : row); }
    });
    block.addEventListener("focus", () => { if (kept === null) tell(row); });
  }
  if (by("inner-shown").checked) depths.forEach((depth, row) => {
    if (depth < level && !layer.leaf[row] && layer.box[row])
      drawn(by("inner"), "rect", {...rectangle(layer.box[row]), class: "inner"});
  });
  if (by("records").checked) for (const group of data.groups) for (const {box} of group.records)
    if (box) drawn(by("record-layer"), "rect", {...rectangle(box), class: "record", style: `--c:${COLORS[(group.group + 2) % COLORS.length]}`});
  const room = new Room(data.lines);
  if (by("stripes").checked) layer.separators.filter(one => depths[one.block] < level)
    .sort((one, other) => other.weight - one.weight).forEach(one => stripe(one, room));
  // Small blocks have the first choice of a place for their labels.
  if (by("labels").checked) for (const [number, row] of large.reverse())
    label(layer.box[row], layer.doc[row] ? `${number} · ${layer.doc[row]}` : `${number}`, `--c:${color(row, number)}`, room);
  by("count").textContent = `${rows.length} block${rows.length === 1 ? "" : "s"}`;
}

// What labels must not cover: the lines of the page, and other labels; by cells, so that it is quickly looked up.
class Room {
  constructor(lines) {
    this.cells = new Map();
    for (let at = 0; at < lines.length; at += 4) this.take(lines[at], lines[at + 1], lines[at + 2], lines[at + 3]);
  }
  *keys(x, y, width, height) {
    for (let column = Math.floor(x / 64); column <= Math.floor((x + width) / 64); column++)
      for (let row = Math.floor(y / 64); row <= Math.floor((y + height) / 64); row++) yield `${column} ${row}`;
  }
  take(...box) {
    for (const key of this.keys(...box)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(box);
    }
  }
  free(x, y, width, height) {
    if (x < 0 || y < 0 || x + width > WIDTH || y + height > HEIGHT) return false;
    for (const key of this.keys(x, y, width, height))
      for (const [left, top, wide, high] of this.cells.get(key) || [])
        if (left < x + width && left + wide > x && top < y + height && top + high > y) return false;
    return true;
  }
  place([x, y, width, height], wide, high) {
    const right = x + width, bottom = y + height, found = [[x - wide - 2, y], [right + 2, y], [x, y - high - 2],
      [right - wide, y - high - 2], [x + 2, y + 2], [right - wide - 2, y + 2], [x + 2, bottom - high - 2],
      [right - wide - 2, bottom - high - 2], [x, bottom + 2]];
    for (let step = 0; step < 8; step++) found.push([x + step * width / 8, y - high - 2], [x + step * width / 8, y + 2]);
    for (let far = 8; far < 160; far += 8) found.push([x - wide - far, y], [right + far, y], [x, y - high - far],
      [x, bottom + far], [x + far, y - high - far], [right + far, y + far], [x - wide - far, y + far]);
    const place = found.find(([left, top]) => this.free(left, top, wide, high));
    if (place) this.take(...place, wide, high);
    return place;
  }
}

// Labels keep their size on the screen, within bounds, however large the page is shown.
const scaled = () => Math.min(Math.max(WIDTH / by("page").clientWidth, 0.6), 2.4);

function label(box, text, paint, room) {
  const scale = scaled(), wide = scale * (8 + 6.3 * text.length), high = 15 * scale;
  const place = room.place(box, wide, high);
  if (!place) return;
  const [left, top] = place, x = left + wide / 2, y = top + high / 2;
  const near = [Math.min(Math.max(x, box[0]), box[0] + box[2]), Math.min(Math.max(y, box[1]), box[1] + box[3])];
  if (Math.max(Math.abs(x - near[0]) - wide / 2, Math.abs(y - near[1]) - high / 2) > 4)
    drawn(by("label-layer"), "line", {x1: x, y1: y, x2: near[0], y2: near[1], class: "leader", style: paint});
  drawn(by("label-layer"), "rect", {x: left, y: top, width: wide, height: high, class: "tag", style: paint});
  drawn(by("label-layer"), "text", {x: left + 4 * scale, y: top + 11.5 * scale, style: `font-size:${11 * scale}px`}, text);
}

function stripe({box, direction, weight, parts}, room) {
  const [x, y, width, height] = box, scale = scaled();
  const drawing = drawn(by("stripe-layer"), "rect", {...rectangle(box), class: "stripe"});
  drawn(drawing, "title", {}, sum(weight, parts));
  const wide = scale * 6.5 * String(weight).length, high = 14 * scale;
  const place = [0.5, 0.3, 0.7, 0.1, 0.9].map(share => direction === "horizontal"
    ? [x + width * share - wide / 2, y + height / 2 - high / 2] : [x + width / 2 - wide / 2, y + height * share - high / 2])
    .find(([left, top]) => room.free(left, top, wide, high));
  if (place) room.take(...place, wide, high);
  if (place) drawn(by("stripe-layer"), "text", {x: place[0], y: place[1] + 11 * scale, style: `font-size:${11 * scale}px`}, weight);
}

const sum = (weight, parts) =>
  `${weight}` + (Object.keys(parts).length ? ` = ${Object.entries(parts).map(([name, part]) => `${name} ${part}`).join(" + ")}` : "");

// -- the tree

function list() {
  by("tree").replaceChildren(...layer.parent.map((_, row) => {
    const entry = document.createElement("li"), tag = document.createElement("b");
    entry.setAttribute("role", "treeitem");
    entry.setAttribute("aria-level", depths[row] + 1);
    entry.setAttribute("aria-selected", "false");
    if (children[row].length) entry.setAttribute("aria-expanded", "true");
    entry.tabIndex = row ? -1 : 0;
    entry.dataset.row = row;
    entry.style.paddingLeft = `${4 + 10 * Math.min(depths[row], 14)}px`;
    tag.textContent = `${row} ${layer.tag[row] || "-"} `;
    entry.append(tag, wording(row));
    entry.addEventListener("click", () => keep(row));
    return entry;
  }));
  search();
}

function wording(row) {
  for (let at = row; at < layer.text.length && (at === row || depths[at] > depths[row]); at++)
    if (layer.text[at]) return layer.text[at].slice(0, 60);
  return layer.leaf[row] ? "(nothing to read)" : "";
}

let hits = [];
function search() {
  const wanted = by("search").value.trim().toLowerCase();
  const of = row => [layer.text[row], layer.tag[row], layer.selector[row], layer.rule[row] || ""].join("\n").toLowerCase();
  hits = wanted ? layer.parent.map((_, row) => row).filter(row => of(row).includes(wanted)) : [];
  const found = new Set(hits);
  for (const entry of by("tree").children) entry.hidden = Boolean(wanted) && !found.has(+entry.dataset.row);
  by("matches").textContent = wanted ? `${hits.length} found${hits.length ? "; Enter: next" : ""}` : "";
}

function step(way) {
  const at = kept === null ? null : kept;
  if (at === null) return keep(0);
  const around = layer.parent[at] < 0 ? layer.parent.map((_, row) => row).filter(row => layer.parent[row] < 0) : children[layer.parent[at]];
  const to = {up: layer.parent[at], down: children[at][0], back: around[around.indexOf(at) - 1], on: around[around.indexOf(at) + 1]}[way];
  if (to !== undefined && to >= 0) keep(to);
}

// -- the block

function keep(row) {
  kept = row !== null && row < layer.parent.length ? row : null;
  by("picked").replaceChildren();
  const entries = by("tree").children;
  for (const entry of entries) entry.setAttribute("aria-selected", String(+entry.dataset.row === kept));
  if (kept === null) return describe();
  const entry = entries[kept];
  by("legend").open = false;
  for (const one of entries) one.tabIndex = one === entry ? 0 : -1;
  if (!entry.hidden) entry.scrollIntoView({block: "nearest"});
  const box = layer.box[kept];
  if (box) {
    for (let twice = 0; twice < 2; twice++) drawn(by("picked"), "rect", rectangle(box));
    reveal(box);
  }
  tell(kept);
}

function reveal([x, y, width, height]) {
  const stage = by("stage"), scale = by("page").clientWidth / WIDTH, top = y * scale, left = x * scale;
  if (top < stage.scrollTop || top + Math.min(height * scale, stage.clientHeight) > stage.scrollTop + stage.clientHeight)
    stage.scrollTop = Math.max(top - 40, 0);
  if (left < stage.scrollLeft || left + Math.min(width * scale, stage.clientWidth) > stage.scrollLeft + stage.clientWidth)
    stage.scrollLeft = Math.max(left - 20, 0);
}

function tell(row) {
  const box = layer.box[row];
  by("name").textContent = `${layer.leaf[row] ? "Block" : "Inner block"} ${row}` + (layer.tag[row] ? ` <${layer.tag[row]}>` : "");
  by("text").textContent = layer.text[row] || (layer.leaf[row] ? "(nothing to read)" : "(blocks inside hold its text)");
  by("places").hidden = !layer.selector[row];
  by("selector").value = layer.selector[row];
  by("xpath").value = layer.xpath[row];
  const facts = [["box", box ? box.map(value => Math.round(value)).join(", ") : "not rendered"]];
  if (layer.doc[row]) facts.push(["degree of coherence", layer.doc[row]]);
  if (layer.rule[row]) facts.push(["decided by", layer.rule[row]]);
  if (layer.record[row] !== null) facts.push(["record", recorded(layer.record[row])]);
  facts.push(["tree level", depths[row]]);
  if (!layer.whole[row] && layer.selector[row]) facts.push(["element", "holds more than this block"]);
  if (layer.kind) facts.push(["content", layer.kind[row]]);
  for (const one of layer.separators.filter(one => one.block === row)) facts.push(["separator", sum(one.weight, one.parts)]);
  for (const [name, column] of Object.entries(layer.columns)) if (column[row] !== null) facts.push([name, column[row]]);
  by("facts").replaceChildren(...facts.map(([name, value]) => {
    const line = document.createElement("tr");
    line.append(...[name, value].map(text => {
      const cell = document.createElement("td");
      cell.textContent = text;
      return cell;
    }));
    return line;
  }));
  able(row);
}

function recorded(record) {
  const group = data.groups.find(one => one.records.some(other => other.record === record));
  const place = group.records.findIndex(other => other.record === record) + 1;
  return `${place} of ${group.records.length} in a ${group.direction || "group"}`;
}

function able(row) {
  const above = row === null ? -1 : layer.parent[row];
  by("up").disabled = row === null || above < 0;
  by("down").disabled = row === null || !children[row].length;
}

function describe() {
  if (kept !== null) return;
  by("name").textContent = "Point at a block";
  by("text").textContent = "Its place, its text and what is known of it stand here. A click keeps them.";
  by("places").hidden = true;
  by("facts").replaceChildren();
  able(null);
}

async function copy(id, button) {
  by(id).select();
  try {
    await navigator.clipboard.writeText(by(id).value);
  } catch {
    document.execCommand("copy");
  }
  button.textContent = "copied";
  setTimeout(() => { button.textContent = "copy"; }, 1200);
}

// -- zoom and legend

function size() {
  const shown = zoom === null ? Math.max(by("stage").clientWidth - 22 * (innerWidth > 900), 60) : zoom * WIDTH;
  by("page").style.width = `${shown}px`;
  by("page").style.height = `${shown * HEIGHT / WIDTH}px`;
  by("zoom-name").value = `${Math.round(100 * shown / WIDTH)} %`;
}

function zoomed(to) {
  const stage = by("stage"), before = by("page").clientWidth, [x, y] = [stage.scrollLeft + stage.clientWidth / 2, stage.scrollTop + stage.clientHeight / 2];
  zoom = to === null ? null : Math.min(Math.max(to, 0.05), 8);
  size();
  const grown = by("page").clientWidth / before;
  stage.scrollLeft = x * grown - stage.clientWidth / 2;
  stage.scrollTop = y * grown - stage.clientHeight / 2;
  draw();
}
const now = () => by("page").clientWidth / WIDTH;

function legend() {
  const said = data.marked ? Object.entries(KINDS).map(([kind, paint]) => [paint, kind === "not judged" ? "nothing to read, not judged" : kind])
    : [[COLORS[0], "a block; colours only tell neighbours apart"]];
  if (data.groups.length) said.push([COLORS[2], "dotted: repeated records, one colour a group"]);
  said.push(["#666", "dashed: a block that holds others"], ["#7a3db8", "hatched: a separator, with its weight"]);
  if (data.layers.some(one => one.doc.some(Boolean)))
    said.push(["", "labels: number in the page · degree of coherence, 1 (loose) to 10 (one thing)"],
      ["", "PDoC: blocks are divided until they are as coherent as this; auto: as people divide pages"]);
  said.unshift(["", data.method]);
  said.push(["", "keys: arrows go through the tree, + − 0 zoom, / searches, Esc lets go"]);
  by("legend-list").replaceChildren(...said.filter(([, text]) => text).map(([paint, text]) => {
    const line = document.createElement("li"), patch = document.createElement("span"), words = document.createElement("span");
    patch.className = "patch";
    patch.style.borderColor = paint || "transparent";
    words.textContent = text;
    line.append(patch, words);
    return line;
  }));
}

function side(tree) {
  by("main").classList.toggle("show-tree", tree);
  by("tab-tree").setAttribute("aria-pressed", String(tree));
  by("tab-block").setAttribute("aria-pressed", String(!tree));
}

addEventListener("keydown", event => {
  if (event.target.matches("input:not([type=range]):not([type=checkbox])")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const ways = {ArrowUp: "up", ArrowDown: "down", ArrowLeft: "back", ArrowRight: "on"};
  const listed = event.target.closest("#tree");
  if (listed && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    let to = event.target;
    do to = event.key === "ArrowUp" ? to.previousElementSibling : to.nextElementSibling; while (to && to.hidden);
    if (to) { keep(+to.dataset.row); to.focus(); }
  } else if (event.key in ways && !event.target.matches("input")) step(ways[event.key]);
  else if (event.key === "+" || event.key === "=") zoomed(now() * 1.25);
  else if (event.key === "-") zoomed(now() / 1.25);
  else if (event.key === "0") zoomed(null);
  else if (event.key === "/") { side(true); by("search").focus(); }
  else if (event.key === "Escape") keep(null);
  else return;
  event.preventDefault();
});

by("page").setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
by("picture").setAttribute("width", data.picture[0]);
by("picture").setAttribute("height", data.picture[1]);
if (HEIGHT - data.picture[1] > 1) {
  const beyond = {x: 0, y: data.picture[1], width: WIDTH, height: HEIGHT - data.picture[1], class: "beyond"};
  by("picture").after(drawn(by("page"), "rect", beyond));
  drawn(by("inner").parentNode, "text", {x: 12, y: data.picture[1] + 24, class: "note"}, "The page continues from here without a picture.");
}
by("layer").max = data.layers.length - 1;
by("layer").value = data.shown;
by("layers").hidden = data.layers.length < 2;
by("labels").checked = !data.marked;
by("records-label").hidden = !data.groups.length;
by("legend").open = innerWidth > 900;
by("layer").addEventListener("input", load);
for (const id of ["level", "stripes", "inner-shown", "records", "labels"]) by(id).addEventListener("input", draw);
for (const way of ["up", "down", "back", "on"]) by(way).addEventListener("click", () => step(way));
by("in").addEventListener("click", () => zoomed(now() * 1.25));
by("out").addEventListener("click", () => zoomed(now() / 1.25));
by("fit").addEventListener("click", () => zoomed(null));
by("tab-tree").addEventListener("click", () => side(true));
by("tab-block").addEventListener("click", () => side(false));
by("search").addEventListener("input", search);
by("search").addEventListener("keydown", event => {
  if (event.key === "Enter" && hits.length) keep(hits[(hits.indexOf(kept) + 1) % hits.length]);
});
by("copy-selector").addEventListener("click", event => copy("selector", event.target));
by("copy-xpath").addEventListener("click", event => copy("xpath", event.target));
addEventListener("resize", () => { size(); draw(); });
by("level").max = by("level").value = 0;
legend();
size();
load();
