// All that are like what is chosen, by the tags around it.

import { store } from "./store.js";

const known = new WeakMap(); // of each segmentation: the blocks of each group

/** The leaf with most words represents all. */
function chief(leaves) {
  const { words } = store.page.leaves;
  return leaves.reduce((best, leaf) => (words[leaf] > words[best] ? leaf : best), leaves[0]);
}

function groups(tree) {
  const page = store.page.leaves;
  if (known.get(tree)?.page !== page) {
    const result = new Map();
    for (const row of tree.order) {
      if (!tree.own[row].length) continue;
      const group = page.path[chief(tree.own[row])];
      if (!result.has(group)) result.set(group, []);
      result.get(group).push(row);
    }
    known.set(tree, { page, result });
  }
  return known.get(tree).result;
}

/** The blocks of the view whose chief leaf has the same tags around it; that of the chosen one among them. */
export function alike() {
  const { pane, page } = store;
  if (!pane?.tree || !store.chosen.length) return [];
  return groups(pane.tree).get(page.leaves.path[chief(store.chosen)]) ?? [];
}
