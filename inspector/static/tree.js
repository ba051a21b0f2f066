// A segmentation: its blocks as a tree over the text leaves, and their positions.

/** Height of a piece of the page that is drawn by itself, CSS pixels of the page. */
export const PIECE = 1024;

export class Tree {
  constructor(cut, height) {
    Object.assign(this, cut);
    this.count = cut.parent.length;
    this.children = Array.from({ length: this.count }, () => []);
    this.ends = new Array(this.count); // one past the last row of each block's subtree: rows stand in preorder
    cut.parent.forEach((parent, row) => { if (parent >= 0) this.children[parent].push(row); });
    for (let row = this.count - 1; row >= 0; row--) {
      const last = this.children[row].at(-1);
      this.ends[row] = last === undefined ? row + 1 : this.ends[last];
    }
    this.own = Array.from({ length: this.count }, () => []);
    cut.leaf_block.forEach((row, leaf) => { if (row >= 0) this.own[row].push(leaf); });
    this.held = new Array(this.count);
    this.order = [...Array(this.count).keys()].filter(row => cut.drawn[row] && cut.box[row]);
    this.place = new Map(this.order.map((row, place) => [row, place]));
    this.pieces = Array.from({ length: Math.ceil(height / PIECE) || 1 }, () => []);
    // Large ones first, so that small ones are drawn over them and result before them.
    for (const row of [...this.order].sort((a, b) => this.area(b) - this.area(a))) this.spread(row);
  }

  area(row) {
    const box = this.box[row];
    return box ? box[2] * box[3] : 0;
  }

  spread(row) {
    const [, top, , height] = this.box[row];
    const first = Math.max(0, Math.floor(top / PIECE));
    const last = Math.min(this.pieces.length - 1, Math.floor((top + height) / PIECE));
    for (let piece = first; piece <= last; piece++) this.pieces[piece].push(row);
  }

  /** The text leaves in a block and in those inside it. */
  leaves(row) {
    if (!this.held[row]) {
      const result = [];
      for (let inner = row; inner < this.ends[row]; inner++) for (const leaf of this.own[inner]) result.push(leaf);
      this.held[row] = result.sort((a, b) => a - b);
    }
    return this.held[row];
  }

  /** The smallest drawn block at a point of the page; -1 for none. */
  at(x, y) {
    const rows = this.pieces[Math.floor(y / PIECE)] ?? [];
    for (let place = rows.length - 1; place >= 0; place--) {
      const [left, top, width, height] = this.box[rows[place]];
      if (x >= left && x <= left + width && y >= top && y <= top + height) return rows[place];
    }
    return -1;
  }

  /** The innermost drawn block that holds a leaf; -1 for none. */
  of(leaf) {
    let row = this.leaf_block[leaf];
    while (row >= 0 && !this.place.has(row)) row = this.parent[row];
    return row ?? -1;
  }

  /** The blocks that hold some leaves, in order. */
  holding(leaves) {
    return [...new Set(leaves.map(leaf => this.of(leaf)))].filter(row => row >= 0).sort((a, b) => a - b);
  }
}
