// What is known and what is chosen: one place, of which everybody hears.

class Store extends EventTarget {
  session = null; // names of roles and segmentations
  page = null; // the view of the page that is shown
  opening = null; // the id of the page that was asked for and is not there yet
  labels = null; // labels of a person
  panes = [];
  active = 0;
  chosen = []; // text leaves of what is selected
  hovered = null; // text leaves of what is pointed at
  layers = { picture: true, boxes: true, names: false, lines: false, outlines: false, separators: false, gold: false };

  /** Tell everybody that something has changed. */
  tell(what, detail = null) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  on(what, listener) {
    this.addEventListener(what, event => listener(event.detail));
  }

  get pane() {
    return this.panes[this.active];
  }

  /** Choose text leaves; `by` is who did, who need not follow. */
  choose(leaves, by = "") {
    this.chosen = leaves;
    this.tell("chosen", by);
  }

  hover(leaves, by = "") {
    this.hovered = leaves;
    this.tell("hovered", by);
  }
}

export const store = new Store();

/** The label of a leaf: a person's, else the model's. */
export function verdict(leaf) {
  const label = store.labels?.of(leaf);
  const leaves = store.page.leaves;
  if (label) return { content: label.content, role: label.role ?? -1, byHand: true };
  return { content: Boolean(leaves.kept[leaf]), role: leaves.role[leaf], byHand: false };
}

/** Put leaves together: how much of their words is content, and the role that most words have. */
export function together(leaves) {
  let words = 0, content = 0, byHand = 0, likely = 0, known = 0;
  const roles = new Map();
  for (const leaf of leaves) {
    const weight = store.page.leaves.words[leaf] + 0.001;
    const result = verdict(leaf);
    words += weight;
    if (result.content) content += weight;
    if (result.byHand) byHand += weight;
    const p = store.page.leaves.p[leaf];
    if (p !== null) { likely += p * weight; known += weight; }
    if (result.role >= 0) roles.set(result.role, (roles.get(result.role) ?? 0) + weight);
  }
  const role = [...roles].sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1;
  return { share: words ? content / words : null, role, byHand: byHand > 0, likely: known ? likely / known : null, words: Math.round(words) };
}
