// Defines blocksightTexts in an isolated world of a document: it scrolls texts into view, reports where they are, and
// hides and shows them. The texts are the arguments and are named by their index. A text is hidden by a highlight that
// paints it transparent (CSS Custom Highlight API 1); what no highlight hides is hidden by paused animations. The document
// does not change, and no script of the page is notified. Returns the size of the window.
(function (...texts) {
  const style = getComputedStyle, root = document.documentElement;
  const HIGHLIGHT = "blocksight-hidden", CLEAR = "transparent !important";
  const RULE = `::highlight(${HIGHLIGHT}) { color: ${CLEAR}; -webkit-text-fill-color: ${CLEAR};
    -webkit-text-stroke-color: ${CLEAR}; text-shadow: none !important; text-decoration: none !important }`;
  // Selected text is painted over highlights.
  const UNSELECTED = `::selection { color: ${CLEAR}; -webkit-text-fill-color: ${CLEAR}; text-shadow: none !important }`;
  const parentOf = node => node.assignedSlot || node.parentElement || (node.getRootNode().host ?? null);
  const ranges = texts.map(text => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range;
  });
  // The elements that paint what is defined in <defs>, <symbol> and the like, null for what is no definition. <use>
  // paints copies, which neither highlights nor animations reach. A user in a definition is painted by its own users.
  const usersOf = (own, known = new Set()) => {
    if (!own?.closest("svg defs, symbol, pattern, mask, clipPath, marker")) return null;
    const names = [];
    for (let element = own; element?.ownerSVGElement; element = element.parentElement)
      if (element.id) names.push(element.id);
    if (!names.length) return [];
    const refers = value => names.some(name => [`#${name}`, `url("#${name}")`, `url(#${name})`].includes(value));
    const found = [...own.getRootNode().querySelectorAll("*")].filter(element => !known.has(element)
      && (element.localName === "use" ? refers(element.href?.baseVal)
        : !element.contains(own) && ["clipPath", "maskImage", "mask", "fill", "markerStart"].some(
          name => refers(style(element)[name]))));
    found.forEach(element => known.add(element));
    return found.flatMap(element => usersOf(element, known) ?? [element]);
  };
  const users = texts.map(text => usersOf(text.parentElement));
  const painted = index => users[index]?.length ? users[index][0] : ranges[index];
  let sheets = [];
  const addSheet = (tree, rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
    sheets.push([tree, sheet]);
  };
  const hideDefinition = index => {
    const own = texts[index].parentElement;
    const attributes = [...own.attributes].map(({name, value}) => `[${CSS.escape(name)}="${CSS.escape(value)}"]`);
    addSheet(texts[index].getRootNode(), CSS.escape(own.localName) + attributes.join("") + "{visibility: hidden !important}");
  };
  // Shadows that are not next to their text: the offset of each.
  const shadowOffsets = text => {
    const offsets = [], far = ([, x, y]) => Math.hypot(x, y) > 6, shift = ([, x, y]) => [+x, +y];
    let [right, down] = [0, 0];
    for (let element = parentOf(text), depth = 0; element && depth < 8; element = parentOf(element), depth++) {
      const css = style(element), dropped = [...css.filter.matchAll(/drop-shadow\(.*?\) (-?[\d.]+)px (-?[\d.]+)px/g)];
      if (!depth) offsets.push(...[...css.textShadow.matchAll(/\) (-?[\d.]+)px (-?[\d.]+)px/g)].filter(far).map(shift));
      for (const [x, y] of dropped.filter(far).map(shift)) [right, down] = [right + x, down + y];
    }
    if (right || down) offsets.push([right, down]);
    return offsets.slice(0, 4);
  };
  for (const tree of new Set(texts.map(text => text.getRootNode()))) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(RULE);
    tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
  }
  let animations = [];
  const override = (element, values) => {
    const animation = element.animate([values, values], {duration: 1e9, fill: "both"});
    animation.pause();
    animations.push(animation);
  };
  // Highlights do not hide shadows, SVG text, and backgrounds that are clipped to the text.
  const hideRest = text => {
    const parent = parentOf(text), clear = {fill: "transparent", stroke: "transparent", textShadow: "none"};
    if (parent && (style(parent).textShadow !== "none" || parent.ownerSVGElement)) override(parent, clear);
    for (let element = parent, depth = 0; element && depth < 8; element = parentOf(element), depth++)
      if (/text/.test(style(element).backgroundClip))
        override(element, {backgroundImage: "none", backgroundColor: "transparent"});
  };
  const scrolls = value => value === "auto" || value === "scroll" || value === "overlay";
  let moved = false;
  const scroll = (scroller, name, to) => {
    const before = scroller[name];
    // Smooth scrolling would never arrive: the page's clock is paused.
    scroller.scrollTo({[name === "scrollTop" ? "top" : "left"]: to, behavior: "instant"});
    moved ||= scroller[name] !== before;
  };
  const fit = (scroller, box, low, high, share, axis) => {
    const [first, last] = axis ? [box.top, box.bottom] : [box.left, box.right];
    const by = first + (last - first) * share - (low + (high - low) * share);
    const name = axis ? "scrollTop" : "scrollLeft";
    if (Math.abs(by) >= 1) scroll(scroller, name, scroller[name] + by);
  };
  // Scrolls only what a user could scroll: boxes with overflow: hidden do not move. In a box whose own visible part is
  // known then, the second time, the text is brought there.
  const bring = (target, measure, share, scrollable) => {
    const plain = style(root).overflow === "visible", view = document.scrollingElement || root;
    moved = false;
    for (let again = 0; again < 2; again++) {
      for (let element = target; element; element = parentOf(element)) {
        if (element === root || (plain && element === document.body)) continue;
        const css = style(element), box = element.getBoundingClientRect(), clip = clipOf(element);
        const [left, top] = [Math.max(box.left, clip[0]), Math.max(box.top, clip[1])];
        const [right, bottom] = [Math.min(box.right, clip[2]), Math.min(box.bottom, clip[3])];
        const part = right > left && bottom > top ? {left, top, right, bottom} : box;
        if (scrolls(css.overflowY)) fit(element, measure(), part.top, part.bottom, share, 1);
        if (scrolls(css.overflowX)) fit(element, measure(), part.left, part.right, share, 0);
      }
      if (scrollable[1]) fit(view, measure(), 0, innerHeight, share, 1);
      if (scrollable[0]) fit(view, measure(), 0, innerWidth, share, 0);
    }
    return moved;
  };
  const clipOf = text => {
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
    for (let element = parentOf(text); element && element !== document.body && element !== root;
      element = parentOf(element)) {
      if (style(element).overflow === "visible") continue;
      const box = element.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return [left, top, right, bottom];
  };
  const edges = box => [box.left, box.top, box.right, box.bottom];
  globalThis.blocksightTexts = {
    bring: (index, share, scrollable) => {
      // A shadow far above or below would be out of view.
      const [right, down] = shadowOffsets(texts[index]).find(([, y]) => Math.abs(y) > innerHeight / 4) ?? [0, 0];
      const measure = () => {
        const box = painted(index).getBoundingClientRect();
        return new DOMRect(box.x + right, box.y + down, box.width, box.height);
      };
      return bring(users[index]?.[0] ?? parentOf(texts[index]), measure, share, scrollable);
    },
    bringOwner: (owner, share, scrollable) =>
      bring(parentOf(owner), () => owner.getBoundingClientRect(), share, scrollable),
    scrollTo: share => {
      const view = document.scrollingElement || root;
      moved = false;
      scroll(view, "scrollTop", share * view.scrollHeight);
      return moved;
    },
    // For each text in view its clip rectangle, the offsets of its shadows, and the boxes of its lines; [] for the others.
    boxes: () => ranges.map((range, index) => {
      const target = painted(index), offsets = shadowOffsets(texts[index]), isOutside = ([left, top, right, bottom]) =>
        bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth;
      const whole = edges(target.getBoundingClientRect());
      const places = [[0, 0], ...offsets].map(([x, y]) => [whole[0] + x, whole[1] + y, whole[2] + x, whole[3] + y]);
      if (places.every(isOutside)) return [];
      return [clipOf(users[index]?.[0] ?? texts[index]), offsets, ...Array.from(target.getClientRects(), edges)];
    }),
    // For each word the number of characters before it, white space aside, and its boxes.
    words: index => {
      const text = texts[index], range = document.createRange(), words = [];
      let before = 0;
      for (const match of text.data.matchAll(/\S{1,16}/gu)) {
        range.setStart(text, match.index);
        range.setEnd(text, match.index + match[0].length);
        words.push([before, ...Array.from(range.getClientRects(), edges)]);
        before += [...match[0]].length;
        if (words.length >= 2000) break;
      }
      return words;
    },
    hide: indices => {
      const highlight = new Highlight(...indices.map(index => ranges[index]));
      highlight.priority = 2147483647;
      CSS.highlights.set(HIGHLIGHT, highlight);
      if (getSelection()?.isCollapsed === false)
        for (const tree of new Set(indices.map(index => texts[index].getRootNode()))) addSheet(tree, UNSELECTED);
      for (const index of indices) if (users[index]) hideDefinition(index); else hideRest(texts[index]);
    },
    show: () => {
      CSS.highlights.delete(HIGHLIGHT);
      for (const animation of animations) animation.cancel();
      for (const [tree, sheet] of sheets)
        tree.adoptedStyleSheets = tree.adoptedStyleSheets.filter(other => other !== sheet);
      [animations, sheets] = [[], []];
    },
  };
  return [innerWidth, innerHeight];
})
