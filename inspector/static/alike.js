// All that are like what is chosen: by the tags around it, or by its look.

import { store } from "./store.js";

/** The chosen leaf with most words stands for all. */
function chief() {
  const { words } = store.page.leaves;
  return store.chosen.reduce((best, leaf) => (words[leaf] > words[best] ? leaf : best), store.chosen[0]);
}

/** The blocks of the view whose chief leaf has the same "path" or "look"; that of the chosen one among them. */
export function alike(kind) {
  const { pane, page } = store;
  if (!pane?.tree || !store.chosen.length) return [];
  const group = page.leaves[kind];
  const wanted = group[chief()];
  const { words } = page.leaves;
  return pane.tree.order.filter(row => {
    const leaves = pane.tree.own[row];
    if (!leaves.length) return false;
    return group[leaves.reduce((best, leaf) => (words[leaf] > words[best] ? leaf : best), leaves[0])] === wanted;
  });
}
