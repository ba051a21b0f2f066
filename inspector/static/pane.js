// One picture of the page with a segmentation over it. The page is drawn piece by piece, and only what is near.

import { el, fill, note, percent, say, begun } from "./dom.js";
import { get, pagePath, pictureAt } from "./api.js";
import { store, together } from "./store.js";
import { PIECE, Tree } from "./tree.js";
import { colorOf, drawPiece, signOf } from "./paint.js";

const NEAR = "600px"; // how far outside the window pieces are drawn already

export class Pane {
  tree = null;
  rows = []; // chosen blocks
  pointed = [];
  colors = new Map();
  signs = new Map(); // letter and probability of each block's role
  zoom = 1;
  fit = true;

  constructor(number, given = {}) {
    this.number = number;
    this.how = { method: "paragraphs", pdoc: "auto", color: "role", ...store.session.start, ...given };
    this.frames = el("div", { className: "frames" }); // of what is chosen and pointed at: the blocks need not be drawn again
    this.surface = el("div", { className: "surface" });
    this.option = el("div", { className: "aside", role: "option", id: `current-${number}`, aria: { selected: "true" } });
    this.stage = el("div", {
      className: "stage", role: "listbox", tabIndex: 0, id: `stage-${number}`,
      aria: { label: `Blocks of the page, view ${number + 1}`, activedescendant: this.option.id },
    }, this.option, this.surface);
    this.bar = el("div", { className: "bar", role: "group", aria: { label: `View ${number + 1}` } });
    this.element = el("section", { className: "pane", aria: { label: `View ${number + 1}` } }, this.bar, this.stage);
    this.near = new IntersectionObserver(seen => this.onNear(seen), { root: this.stage, rootMargin: NEAR });
    this.watch();
  }

  watch() {
    this.stage.addEventListener("pointermove", event => this.onMove(event));
    this.stage.addEventListener("pointerleave", () => store.hover(null, this));
    this.stage.addEventListener("click", event => this.onClick(event));
    this.stage.addEventListener("scroll", () => store.tell("scrolled", this), { passive: true });
    this.stage.addEventListener("focus", () => this.activate());
    new ResizeObserver(() => { if (this.fit) this.rescale(); }).observe(this.stage);
  }

  activate() {
    if (store.active === this.number) return;
    store.active = this.number;
    store.tell("active");
  }

  /** Cut the page as is chosen, and draw it. */
  async load() {
    const { method, pdoc } = this.how;
    const { page } = store;
    this.element.classList.add("waiting");
    try {
      const cut = await get(pagePath(page.id, `/blocks?method=${method}&pdoc=${pdoc}`));
      if (page !== store.page || method !== this.how.method || pdoc !== this.how.pdoc) return;
      this.tree = new Tree(cut, page.size[1]);
      this.recolor();
      this.lay();
      this.follow();
      this.controls();
      store.tell("cut", this);
    } catch (error) {
      note(error.message);
    } finally {
      this.element.classList.remove("waiting");
    }
  }

  recolor() {
    if (!this.tree) return;
    this.colors = new Map(this.tree.order.map(row => [row, colorOf(this.tree, row, this.how.color)]));
    this.signs = new Map(this.tree.order.map(row => [row, signOf(this.tree, row, this.how.color)]));
  }

  // -- laying out ------------------------------------------------------------------------------------------------

  rescale() {
    if (!store.page) return;
    const zoom = Math.min(1, Math.max(this.stage.clientWidth - 2, 200) / store.page.size[0]);
    if (Math.abs(zoom - this.zoom) < 0.001) return;
    this.zoom = zoom;
    this.lay();
  }

  setZoom(zoom, fit = false) {
    const kept = this.stage.scrollTop / this.zoom;
    this.fit = fit;
    if (fit) { this.zoom = 0; this.rescale(); } else { this.zoom = Math.min(3, Math.max(0.1, zoom)); this.lay(); }
    this.stage.scrollTop = kept * this.zoom;
    this.controls();
  }

  lay() {
    const { page } = store;
    if (this.fit) this.zoom = Math.min(1, Math.max(this.stage.clientWidth - 2, 200) / page.size[0]);
    this.near.disconnect();
    this.pieces = [];
    fill(this.surface);
    this.surface.style.width = `${page.size[0] * this.zoom}px`;
    this.surface.style.height = `${page.size[1] * this.zoom}px`;
    for (let top = 0, number = 0; top < page.size[1]; top += PIECE, number++) {
      const height = Math.min(PIECE, page.size[1] - top);
      const canvas = el("canvas", { className: "piece", aria: { hidden: "true" } });
      canvas.style.top = `${top * this.zoom}px`;
      canvas.style.width = this.surface.style.width;
      canvas.style.height = `${height * this.zoom}px`;
      const piece = { number, top, height, canvas, near: false };
      canvas.piece = piece;
      this.pieces.push(piece);
      this.surface.append(canvas);
      this.near.observe(canvas);
    }
    this.surface.append(this.frames);
    this.pictures();
    this.frame();
  }

  /** Put a frame around each block that is chosen or pointed at. */
  frame() {
    if (!this.tree) { fill(this.frames); return; }
    const around = (row, className) => {
      const box = this.tree.box[row];
      if (!box) return null;
      const [x, y, width, height] = box.map(side => side * this.zoom);
      return el("i", { className, style: { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` } });
    };
    const chosen = new Set(this.rows);
    fill(this.frames, ...this.rows.map(row => around(row, "frame")),
      ...this.pointed.filter(row => !chosen.has(row)).map(row => around(row, "frame pointed-at")));
  }

  pictures() {
    const { picture, tile, id, size } = store.page;
    this.surface.querySelectorAll("img").forEach(image => image.remove());
    if (!picture || !store.layers.picture) return;
    const scale = (size[0] / picture[0]) * this.zoom;
    for (let number = 0; number * tile < picture[1]; number++) {
      const height = Math.min(tile, picture[1] - number * tile);
      const image = el("img", { className: "tile", alt: "", loading: "lazy", decoding: "async", draggable: false });
      image.style.top = `${number * tile * scale}px`;
      image.style.width = `${picture[0] * scale}px`;
      image.style.height = `${height * scale}px`;
      image.src = pictureAt(pagePath(id, `/tiles/${number}.png`));
      this.surface.prepend(image);
    }
  }

  // -- drawing ---------------------------------------------------------------------------------------------------

  onNear(seen) {
    for (const { target, isIntersecting } of seen) {
      target.piece.near = isIntersecting;
      if (isIntersecting) this.drawOne(target.piece);
      else { target.width = 0; target.height = 0; } // a canvas that is not visible takes no memory
    }
  }

  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      for (const piece of this.pieces ?? []) if (piece.near) this.drawOne(piece);
    });
  }

  drawOne({ number, top, height, canvas }) {
    if (!this.tree) return;
    const fine = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(store.page.size[0] * this.zoom * fine), high = Math.round(height * this.zoom * fine);
    if (canvas.width !== width || canvas.height !== high) { canvas.width = width; canvas.height = high; }
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, high);
    context.setTransform(this.zoom * fine, 0, 0, this.zoom * fine, 0, -top * this.zoom * fine);
    drawPiece(context, this, number, top, top + height);
  }

  // -- pointing and choosing -------------------------------------------------------------------------------------

  rowAt(event) {
    const frame = this.surface.getBoundingClientRect();
    return this.tree ? this.tree.at((event.clientX - frame.left) / this.zoom, (event.clientY - frame.top) / this.zoom) : -1;
  }

  onMove(event) {
    if (event.pointerType === "touch") return;
    const row = this.rowAt(event);
    if (row === (this.pointed[0] ?? -1) && store.hovered) return;
    store.hover(row < 0 ? null : this.tree.leaves(row), this);
    this.pointed = row < 0 ? [] : [row];
    this.frame();
  }

  onClick(event) {
    this.activate();
    const row = this.rowAt(event);
    if (row < 0) return;
    if (event.shiftKey && this.rows.length) this.range(row);
    else if (event.ctrlKey || event.metaKey) this.choose([...new Set([...this.rows, row])]);
    else this.choose([row]);
  }

  /** Choose blocks of this view. */
  choose(rows, { keep = false } = {}) {
    if (!keep) this.anchor = rows[0];
    this.rows = rows;
    this.last = rows.at(-1);
    store.choose([...new Set(rows.flatMap(row => this.tree.leaves(row)))], this);
    this.notify();
    this.frame();
    this.reveal(this.focus ?? this.last);
  }

  range(row) {
    const { order, place } = this.tree;
    const [from, to] = [place.get(this.anchor ?? row) ?? 0, place.get(row) ?? 0].sort((a, b) => a - b);
    this.focus = row;
    this.choose(order.slice(from, to + 1), { keep: true });
    this.focus = undefined;
    this.end = row;
  }

  /** Go to the next block, or to that before. */
  step(by, { range = false } = {}) {
    if (!this.tree) return;
    const { order, place } = this.tree;
    if (!order.length) return;
    const from = range ? this.end ?? this.last : this.last;
    let at = place.has(from) ? place.get(from) + by : by > 0 ? this.after(from) : this.after(from) - 1;
    at = Math.max(0, Math.min(order.length - 1, at));
    if (range && this.rows.length) this.range(order[at]);
    else { this.end = undefined; this.choose([order[at]]); }
  }

  after(row) {
    if (row === undefined) return 0;
    const result = this.tree.order.findIndex(other => other > row);
    return result < 0 ? this.tree.order.length : result;
  }

  up() {
    const parent = this.last === undefined ? -1 : this.tree.parent[this.last];
    if (parent >= 0) this.choose([parent]);
    else note("No block holds this one here: VIPS and others have trees of blocks.", 3);
  }

  down() {
    const child = this.last === undefined ? undefined : this.tree.children[this.last].find(row => this.tree.box[row]);
    if (child !== undefined) this.choose([child]);
    else note("This block holds no others.", 3);
  }

  /** Follow what was chosen or pointed at elsewhere. */
  follow() {
    if (!this.tree) return;
    this.rows = this.tree.holding(store.chosen);
    if (this.rows.length && !this.rows.includes(this.last)) this.last = this.anchor = this.rows[0];
    this.notify();
    this.frame();
  }

  followHover() {
    if (!this.tree) return;
    this.pointed = store.hovered ? this.tree.holding(store.hovered) : [];
    this.frame();
  }

  reveal(row) {
    const box = this.tree.box[row];
    if (!box) return;
    const top = box[1] * this.zoom, height = box[3] * this.zoom, { scrollTop, clientHeight } = this.stage;
    if (top < scrollTop + 24 || top + height > scrollTop + clientHeight - 24) {
      this.stage.scrollTop = Math.max(0, top - Math.max((clientHeight - height) / 2, 40));
    }
  }

  /** Say what is chosen, for those who do not see it. */
  notify() {
    if (!this.rows.length) { this.option.textContent = "no block is chosen"; return; }
    const leaves = this.rows.flatMap(row => this.tree.leaves(row));
    const result = together(leaves);
    const text = begun(leaves.map(leaf => store.page.leaves.text[leaf]).join(" "), 120);
    const role = store.session.roles[result.role] ?? "no role";
    const many = this.rows.length > 1 ? `${this.rows.length} blocks` : `block ${(this.tree.place.get(this.last) ?? 0) + 1} of ${this.tree.order.length}`;
    this.option.textContent = `${many}, ${role}, ${percent(result.share)} content: ${text}`;
    if (store.active === this.number) say(this.option.textContent);
  }

  controls() { store.tell("controls", this); }
}
