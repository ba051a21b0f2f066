// What a person says of leaves: changed at once here, written down by the desk, undone change by change.

import { get, pagePath, post } from "./api.js";
import { store, verdict } from "./store.js";
import { note } from "./dom.js";

const AGAIN = 2000; // milliseconds until a change that could not be saved is sent again

export class Labels {
  said = new Map(); // leaf → {role: index or null, content}
  undone = [];
  doneChanges = [];
  done = false;
  waiting = []; // changes that are not on the disk yet

  constructor(page, found) {
    this.page = page;
    this.others = found.others;
    this.refused = found.refused;
    this.unreadable = found.unreadable;
    for (const change of found.changes) this.replay(change);
    // What the desk says in the end counts: texts may have moved.
    this.said = new Map();
    found.content.forEach((content, leaf) => {
      if (content >= 0) this.said.set(leaf, { role: found.role[leaf] < 0 ? null : found.role[leaf], content: content === 1 });
    });
    this.done = found.done;
    this.waiting = this.stored();
    for (const { change, leaves } of this.waiting) this.replay({ change, leaves: leaves.map(([place, , role, content]) => [place, role, content]) });
    if (this.waiting.length) this.send();
  }

  of(leaf) {
    return this.said.get(leaf) ?? null;
  }

  get canUndo() { return this.doneChanges.length > 0; }
  get canRedo() { return this.undone.length > 0; }

  // -- saying something ------------------------------------------------------------------------------------------

  /** Say a role of leaves: whether they are content follows from it. */
  setRole(leaves, role) {
    const content = store.desk.content_roles.includes(role);
    this.change("set", leaves.map(leaf => [leaf, role, content]));
  }

  /** Say that leaves are content, or that they are not; a role that says otherwise is no longer said. */
  setContent(leaves, content) {
    this.change("set", leaves.map(leaf => {
      const { role } = verdict(leaf);
      const name = store.desk.roles[role] ?? null;
      return [leaf, name !== null && store.desk.content_roles.includes(name) === content ? name : null, content];
    }));
  }

  /** Take what the page shows for right, all of it. */
  confirm(done) {
    if (!done) return this.change("open", []);
    const open = [];
    this.page.leaves.text.forEach((_, leaf) => {
      if (this.of(leaf) || this.page.leaves.unseen[leaf]) return;
      const { role, content } = verdict(leaf);
      open.push([leaf, store.desk.roles[role] ?? null, content]);
    });
    return this.change("done", open);
  }

  undo() {
    const change = this.doneChanges.pop();
    if (!change) return;
    this.apply(change.before);
    this.done = change.wasDone;
    this.undone.push(change);
    this.save(change.kind === "done" ? "open" : change.kind === "open" ? "done" : "undo", change.before);
  }

  redo() {
    const change = this.undone.pop();
    if (!change) return;
    this.doneChanges.push(change);
    this.apply(change.after);
    if (change.kind !== "set") this.done = change.kind === "done";
    this.save(change.kind === "set" ? "redo" : change.kind, change.after);
  }

  change(kind, leaves) {
    this.remember(kind, leaves);
    this.save(kind, leaves);
  }

  remember(kind, leaves) {
    this.doneChanges.push({ kind, before: leaves.map(([leaf]) => this.before(leaf)), after: leaves, wasDone: this.done });
    this.undone = [];
    this.apply(leaves);
    if (kind === "done" || kind === "open") this.done = kind === "done";
  }

  before(leaf) {
    const said = this.of(leaf);
    return said ? [leaf, said.role === null ? null : store.desk.roles[said.role], said.content] : [leaf, null, null];
  }

  apply(leaves) {
    for (const [leaf, role, content] of leaves) {
      if (content === null) this.said.delete(leaf);
      else this.said.set(leaf, { role: role === null ? null : store.desk.roles.indexOf(role), content });
    }
  }

  /** Go through a change that was made before: undo and redo are known again after loading. */
  replay({ change, leaves }) {
    if (change === "undo" || (change === "open" && this.doneChanges.at(-1)?.kind === "done")) {
      const last = this.doneChanges.pop();
      if (last) this.undone.push(last);
      this.apply(leaves);
      this.done = last ? last.wasDone : false;
    } else if (change === "redo") {
      const last = this.undone.pop();
      if (last) this.doneChanges.push(last);
      this.apply(leaves);
    } else {
      this.remember(change, leaves);
    }
  }

  // -- writing it down -------------------------------------------------------------------------------------------

  save(change, leaves) {
    const digests = this.page.leaves.digest;
    this.waiting.push({ change, leaves: leaves.map(([leaf, role, content]) => [leaf, digests[leaf], role, content]) });
    this.store();
    store.tell("labels");
    this.send();
  }

  async send() {
    if (this.sending || !this.waiting.length) return;
    this.sending = true;
    try {
      while (this.waiting.length) {
        store.tell("saving", "saving …");
        await post(pagePath(this.page.id, "/labels"), { print: this.page.print, ...this.waiting[0] });
        this.waiting.shift();
        this.store();
      }
      store.tell("saving", "all saved");
      store.tell("saved");
    } catch (error) {
      if (error.status === 0 || error.status >= 500) {
        store.tell("saving", `not saved: ${this.waiting.length} waiting`);
        setTimeout(() => this.send(), AGAIN);
      } else {
        this.waiting.shift();
        this.store();
        note(`This change was refused: ${error.message}`);
      }
    } finally {
      this.sending = false;
    }
  }

  /** What is not saved yet outlives this page and the desk: it is kept by the browser. */
  store() {
    try {
      if (this.waiting.length) localStorage.setItem(this.key, JSON.stringify(this.waiting));
      else localStorage.removeItem(this.key);
    } catch { /* the browser keeps nothing */ }
  }

  stored() {
    try {
      return JSON.parse(localStorage.getItem(this.key)) ?? [];
    } catch {
      return [];
    }
  }

  get key() { return `blocksight ${store.desk.who} ${this.page.id} ${this.page.print}`; }
}

export async function loadLabels(page) {
  return new Labels(page, await get(pagePath(page.id, "/labels")));
}
