// How blocks are drawn on a piece of the page.

import { store, together } from "./store.js";

/** Colours of the roles, distinct on light and dark pages, also without red or green cones; those of content are green and blue-green. */
export const ROLE_COLORS = {
  body: "#017d62", post: "#007f9c", standfirst: "#2f853c", note: "#577e53", title: "#5350ec", author: "#7b1bc9", date: "#9306af",
  caption: "#08689d", comment: "#7a2700", related: "#c9490c", navigation: "#404a55", promotion: "#d5222d", notice: "#92002c",
  form: "#8c4200", footer: "#506b76", other: "#3f5771",
};
/** A letter for each role, for those who cannot tell the colours apart; and the roles of content, whose blocks are not hatched. */
export const ROLE_LETTERS = {
  body: "B", post: "P", standfirst: "S", note: "N", title: "T", author: "A", date: "D", caption: "C", comment: "K", related: "R",
  navigation: "M", promotion: "X", notice: "!", form: "F", footer: "Z", other: "?",
};
const PLAIN = new Set(["body", "post", "standfirst", "note"]);
export const VERDICT_COLORS = { content: "#017d62", partly: "#c07a00", not: "#c0392b", none: "#8a8f98" };
const MIXED = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];
const NONE = "#8a8f98";
const UNSURE = 0.5; // a role less probable than this is not sure
const AIR = 2; // between text and its frame, CSS pixels of the page

export const roleName = role => store.session?.roles[role] ?? "";
export const roleColor = role => ROLE_COLORS[store.session?.roles[role]] ?? NONE;

/** The letter of a block's role, whether it is hatched, and how sure the model is of it, 0 to 1; null in other colourings. */
export function signOf(tree, row, how) {
  const leaves = tree.leaves(row);
  if (how !== "role" || !leaves.length) return null;
  const { role, byHand } = together(leaves);
  const name = roleName(role);
  if (!name) return null;
  const of = store.page.leaves;
  let words = 0, likely = 0;
  for (const leaf of leaves) {
    if (of.role_p[leaf] === null) continue;
    const weight = of.words[leaf] + 0.001;
    words += weight;
    likely += of.role_p[leaf] * weight;
  }
  return { letter: ROLE_LETTERS[name] ?? "", hatched: !PLAIN.has(name), sure: byHand || !words ? 1 : likely / words };
}

/** What a block is called by how much of it is content. */
export function verdictOf(share) {
  if (share === null) return "none";
  return share >= 0.99 ? "content" : share > 0.01 ? "partly" : "not";
}

/** The colour of a block: by role, by verdict, by the gold, or just another than its neighbour's. */
export function colorOf(tree, row, how) {
  const leaves = tree.leaves(row);
  if (how === "blocks") return MIXED[tree.place.get(row) % MIXED.length];
  if (!leaves.length) return NONE;
  if (how === "role") return roleColor(together(leaves).role);
  if (how === "verdict") return VERDICT_COLORS[verdictOf(together(leaves).share)];
  if (how === "gold") return VERDICT_COLORS[shareOf(leaves, leaf => store.page.leaves.gold[leaf])];
  return VERDICT_COLORS.none;
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
  if (layers.boxes) for (const row of tree.pieces[piece] ?? []) drawBlock(context, tree, row, colors.get(row), pane.signs.get(row), fine);
}

function drawBlock(context, tree, row, color, sign, fine) {
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
  // A role of which the model is not sure is pale, and has a dashed frame.
  const sure = sign?.sure ?? 1;
  context.globalAlpha = 0.04 + 0.1 * sure;
  context.fill("evenodd");
  if (sign?.hatched) hatch(context, x, y, width, height, 0.1 + 0.25 * sure, fine);
  context.globalAlpha = 0.3 + 0.6 * sure;
  if (sure < UNSURE) context.setLineDash([5 * fine, 4 * fine]);
  context.stroke();
  context.setLineDash([]);
  if (sign?.letter && !store.layers.names) drawLetter(context, tree.box[row], sign, color, fine);
  if (store.layers.gold) drawGold(context, tree, row, fine);
  if (tree.leaves(row).some(leaf => store.labels?.of(leaf))) drawCorner(context, x, y, color, fine);
  if (store.layers.names) drawName(context, tree, row, color, fine);
  context.globalAlpha = 1;
}

/** Fill the traced outline with thin diagonal lines. */
function hatch(context, x, y, width, height, alpha, fine) {
  const step = 9 * fine;
  context.save();
  context.clip("evenodd");
  context.beginPath();
  for (let at = Math.ceil((x - height) / step) * step; at < x + width; at += step) {
    context.moveTo(at, y + height);
    context.lineTo(at + height, y);
  }
  context.globalAlpha = alpha;
  context.lineWidth = fine;
  context.stroke();
  context.restore();
  context.beginPath();
  context.rect(x - AIR, y - AIR, width + 2 * AIR, height + 2 * AIR);
}

/** The letter of the role, right of the block, so that it covers no text of it; with a question mark if the model is not sure. */
function drawLetter(context, [x, y, width], sign, color, fine) {
  const text = sign.sure < UNSURE && sign.letter !== "?" ? `${sign.letter}?` : sign.letter;
  context.font = `700 ${10 * fine}px system-ui, sans-serif`;
  const wide = context.measureText(text).width + 5 * fine;
  const left = Math.min(x + width + AIR, store.page.size[0] - wide);
  context.globalAlpha = 0.92;
  context.fillStyle = sign.sure < UNSURE ? "#ffffff" : color;
  context.fillRect(left, y - AIR, wide, 12 * fine);
  context.fillStyle = sign.sure < UNSURE ? color : "#ffffff";
  context.fillText(text, left + 2.5 * fine, y - AIR + 9.5 * fine);
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
