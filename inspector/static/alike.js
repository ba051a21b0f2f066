// All that are like what is chosen: by the tags around it, or by its look.

import { store } from "./store.js";

const known = new WeakMap(); // of each segmentation: by "path" and "look", the blocks of each group

/** The leaf with most words represents all. */
function chief(leaves) {
  const { words } = store.page.leaves;
  return leaves.reduce((best, leaf) => (words[leaf] > words[best] ? leaf : best), leaves[0]);
}

function groups(tree, kind) {
  const page = store.page.leaves;
  if (known.get(tree)?.page !== page) known.set(tree, { page });
  const result = known.get(tree);
  if (!result[kind]) {
    result[kind] = new Map();
    for (const row of tree.order) {
      if (!tree.own[row].length) continue;
      const group = page[kind][chief(tree.own[row])];
      if (!result[kind].has(group)) result[kind].set(group, []);
      result[kind].get(group).push(row);
    }
  }
  return result[kind];
}

/** The blocks of the view whose chief leaf has the same "path" or "look"; that of the chosen one among them. */
export function alike(kind) {
  const { pane, page } = store;
  if (!pane?.tree || !store.chosen.length) return [];
  return groups(pane.tree, kind).get(page.leaves[kind][chief(store.chosen)]) ?? [];
}
