// How blocks are drawn on a piece of the page.

import { store, together } from "./store.js";

/** Colours of the roles, distinct on light and dark pages; those of content are green and blue-green. */
export const ROLE_COLORS = {
  body: "#12805c", post: "#0f766e", standfirst: "#4d7c0f", note: "#71780b", title: "#4338ca", author: "#7e22ce", date: "#a21caf",
  caption: "#0369a1", comment: "#b45309", related: "#c2410c", navigation: "#475569", promotion: "#dc2626", notice: "#be123c",
  form: "#854d0e", footer: "#6b7280", other: "#6a717b",
};
export const VERDICT_COLORS = { content: "#12805c", partly: "#c07a00", not: "#c0392b", none: "#8a8f98" };
const MIXED = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];
const NONE = "#8a8f98";
const AIR = 2; // between text and its frame, CSS pixels of the page

export const roleColor = role => ROLE_COLORS[store.session?.roles[role]] ?? NONE;

/** What a block is called by how much of it is content. */
export function verdictOf(share) {
  if (share === null) return "none";
  return share >= 0.99 ? "content" : share > 0.01 ? "partly" : "not";
}

/** The colour of a block: by role, by verdict, by what a system keeps, or just another than its neighbour's. */
export function colorOf(tree, row, how) {
  const leaves = tree.leaves(row);
  if (how === "blocks") return MIXED[tree.place.get(row) % MIXED.length];
  if (!leaves.length) return NONE;
  if (how === "role") return roleColor(together(leaves).role);
  if (how === "verdict") return VERDICT_COLORS[verdictOf(together(leaves).share)];
  if (how === "gold") return VERDICT_COLORS[shareOf(leaves, leaf => store.page.leaves.gold[leaf])];
  if (how.startsWith("who:")) {
    const content = store.labels.others[how.slice(4)]?.content;
    return VERDICT_COLORS[content ? shareOf(leaves, leaf => content[leaf]) : "none"];
  }
  const marks = store.systems?.marks[store.systems.names.indexOf(how)];
  return VERDICT_COLORS[marks ? shareOf(leaves, leaf => Number(marks[leaf])) : "none"];
}

function shareOf(leaves, mark) {
  let words = 0, kept = 0;
  for (const leaf of leaves) {
    const label = mark(leaf);
    if (label < 0) continue;
    const weight = store.page.leaves.words[leaf] + 0.001;
    words += weight;
    kept += label * weight;
  }
  return verdictOf(words ? kept / words : null);
}

/** Draw one piece: `context` is scaled to CSS pixels of the page and moved to its top. */
export function drawPiece(context, pane, piece, top, bottom) {
  const { tree, colors } = pane;
  const { layers } = store;
  const fine = 1 / pane.zoom;
  if (!layers.picture || !store.page.picture) drawBars(context, top, bottom);
  if (layers.lines) drawLines(context, top, bottom, fine);
  if (layers.separators) drawSeparators(context, tree, top, bottom, fine);
  if (layers.boxes) for (const row of tree.pieces[piece] ?? []) drawBlock(context, tree, row, colors.get(row), fine);
}

function drawBlock(context, tree, row, color, fine) {
  const [x, y, width, height] = tree.box[row];
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 1.6 * fine;
  if (store.layers.outlines && tree.outline[row].length) {
    traceRings(context, tree.outline[row]);
  } else {
    context.beginPath();
    context.rect(x - AIR, y - AIR, width + 2 * AIR, height + 2 * AIR);
  }
  context.globalAlpha = 0.14;
  context.fill("evenodd");
  context.globalAlpha = 0.9;
  context.stroke();
  if (store.layers.gold) drawGold(context, tree, row, fine);
  if (tree.leaves(row).some(leaf => store.labels?.of(leaf))) drawCorner(context, x, y, color, fine);
  if (store.layers.names) drawName(context, tree, row, color, fine);
  context.globalAlpha = 1;
}

function traceRings(context, rings) {
  context.beginPath();
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) context[at ? "lineTo" : "moveTo"](ring[at], ring[at + 1]);
    context.closePath();
  }
}

/** A filled corner marks a label of a person. */
function drawCorner(context, x, y, color, fine) {
  const size = 11 * fine;
  context.globalAlpha = 1;
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.fill();
}

function drawGold(context, tree, row, fine) {
  const verdict = shareOf(tree.leaves(row), leaf => store.page.leaves.gold[leaf]);
  if (verdict === "none") return;
  const [x, y, width, height] = tree.box[row];
  context.globalAlpha = 1;
  context.fillStyle = VERDICT_COLORS[verdict];
  context.fillRect(x + width - 5 * fine, y, 5 * fine, height);
}

function drawName(context, tree, row, color, fine) {
  const { role } = together(tree.leaves(row));
  const name = store.session.roles[role] ?? "";
  if (!name) return;
  const [x, y] = tree.box[row];
  context.font = `600 ${11 * fine}px system-ui, sans-serif`;
  const width = context.measureText(name).width + 8 * fine;
  context.globalAlpha = 0.95;
  context.fillStyle = color;
  context.fillRect(x, y, width, 15 * fine);
  context.fillStyle = "#fff";
  context.fillText(name, x + 4 * fine, y + 11.5 * fine);
}

function drawLines(context, top, bottom, fine) {
  const { lines } = store.page;
  context.strokeStyle = "#0369a1";
  context.lineWidth = fine;
  context.globalAlpha = 0.8;
  for (let at = 0; at < lines.length; at += 5) {
    if (lines[at + 2] <= bottom && lines[at + 2] + lines[at + 4] >= top) {
      context.strokeRect(lines[at + 1], lines[at + 2], lines[at + 3], lines[at + 4]);
    }
  }
  context.globalAlpha = 1;
}

/** Where there is no picture, its lines stand for it. */
function drawBars(context, top, bottom) {
  const { lines } = store.page;
  context.fillStyle = "#c9ced4";
  for (let at = 0; at < lines.length; at += 5) {
    if (lines[at + 2] <= bottom && lines[at + 2] + lines[at + 4] >= top) {
      context.fillRect(lines[at + 1], lines[at + 2] + 2, lines[at + 3], Math.max(lines[at + 4] - 4, 2));
    }
  }
}

function drawSeparators(context, tree, top, bottom, fine) {
  context.font = `600 ${11 * fine}px system-ui, sans-serif`;
  for (const [x, y, width, height, weight] of tree.separators) {
    if (y > bottom || y + height < top) continue;
    context.globalAlpha = 0.35;
    context.fillStyle = "#7a3db8";
    context.fillRect(x, y, Math.max(width, fine), Math.max(height, fine));
    context.globalAlpha = 1;
    context.fillStyle = "#4b1d78";
    context.fillText(String(weight), x + 4 * fine, y + Math.max(height / 2 + 4 * fine, 10 * fine));
  }
}
