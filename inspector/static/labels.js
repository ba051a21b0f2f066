// Labels of leaves: changed at once here, stored by the server, undone change by change.

import { get, pagePath, post } from "./api.js";
import { store, verdict } from "./store.js";
import { note } from "./dom.js";

const AGAIN = 2000; // milliseconds until a change that could not be saved is sent again

export class Labels {
  current = new Map(); // leaf → {role: index or null, content}
  undone = [];
  doneChanges = [];
  done = false;
  waiting = []; // changes that are not on the disk yet

  constructor(page, result) {
    this.page = page;
    this.refused = result.refused;
    for (const change of result.changes) this.replay(change);
    // The server's current labels count: texts may have moved.
    this.current = new Map();
    result.content.forEach((content, leaf) => {
      if (content >= 0) this.current.set(leaf, { role: result.role[leaf] < 0 ? null : result.role[leaf], content: content === 1 });
    });
    this.done = result.done;
    this.waiting = this.stored();
    for (const { change, leaves } of this.waiting) this.replay({ change, leaves: leaves.map(([place, , role, content]) => [place, role, content]) });
    if (this.waiting.length) this.send();
  }

  of(leaf) {
    return this.current.get(leaf) ?? null;
  }

  get canUndo() { return this.doneChanges.length > 0; }
  get canRedo() { return this.undone.length > 0; }

  // -- saying something ------------------------------------------------------------------------------------------

  /** Say a role of leaves: whether they are content follows from it. */
  setRole(leaves, role) {
    const content = store.session.content_roles.includes(role);
    this.change("set", leaves.map(leaf => [leaf, role, content]));
  }

  /** Label leaves as content or not; a contradicting role is removed. */
  setContent(leaves, content) {
    this.change("set", leaves.map(leaf => {
      const { role } = verdict(leaf);
      const name = store.session.roles[role] ?? null;
      return [leaf, name !== null && store.session.content_roles.includes(name) === content ? name : null, content];
    }));
  }

  /** Take what the page shows for right, all of it. */
  confirm(done) {
    if (!done) return this.change("open", []);
    const open = [];
    this.page.leaves.text.forEach((_, leaf) => {
      if (this.of(leaf) || this.page.leaves.invisible[leaf]) return;
      const { role, content } = verdict(leaf);
      open.push([leaf, store.session.roles[role] ?? null, content]);
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
    const label = this.of(leaf);
    return label ? [leaf, label.role === null ? null : store.session.roles[label.role], label.content] : [leaf, null, null];
  }

  apply(leaves) {
    for (const [leaf, role, content] of leaves) {
      if (content === null) this.current.delete(leaf);
      else this.current.set(leaf, { role: role === null ? null : store.session.roles.indexOf(role), content });
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
        await post(pagePath(this.page.id, "/labels"), { fingerprint: this.page.fingerprint, ...this.waiting[0] });
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

  /** Changes that are not saved yet are kept in the browser's storage. */
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

  get key() { return `blocksight ${store.session.who} ${this.page.id} ${this.page.fingerprint}`; }
}

export async function loadLabels(page) {
  return new Labels(page, await get(pagePath(page.id, "/labels")));
}
