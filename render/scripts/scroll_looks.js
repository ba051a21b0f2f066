// Records how texts look where scrolling brings them, and gives them that look in the end, when the page is at its top
// again. Defines {scroll, restore} under a global symbol (blocksight.looks), and returns the positions to scroll to: the
// number of a box, 0 for the window, and its offset from the top. A text that is in view at several positions has the look
// in which it is visible. What is fixed or sticky, and what is in the window at the top, keeps its look unless it is
// visible only at another position.
((step, mostOfWindow, mostOfBoxes) => {
  const MOST = 4000, SHIFT = 20;
  const OWN = ["color", "-webkit-text-fill-color", "visibility", "font-size"];
  const CHAIN = ["display", "opacity", "visibility", "transform", "translate", "left", "margin-left", "text-indent",
    "clip-path", "max-height", "filter"];
  const NOTHING = "rgba(0, 0, 0, 0)";
  const {draw, finishAnimations} = globalThis[Symbol.for("blocksight.frames")], style = getComputedStyle;
  const view = document.scrollingElement || document.documentElement, looks = new Map(), atRest = new Map();
  const parentOf = element => element.assignedSlot || element.parentElement || (element.getRootNode().host ?? null);
  const hasText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  const texts = () => [...(document.body?.getElementsByTagName("*") ?? [])].slice(0, 10 * MOST).filter(hasText).slice(0, MOST);
  const opacityOf = (element, cache) => {
    if (!element) return 1;
    if (!cache.has(element)) cache.set(element, style(element).opacity * opacityOf(parentOf(element), cache));
    return cache.get(element);
  };
  // Filters and clips of the element and around it, and the color behind it.
  const paintOf = (element, cache) => {
    if (!element) return {effects: "", ground: NOTHING};
    if (!cache.has(element)) {
      const css = style(element), outer = paintOf(parentOf(element), cache), color = css.backgroundColor;
      const own = [css.filter, css.clipPath].filter(value => value !== "none").join();
      cache.set(element, {effects: own ? `${outer.effects};${own}` : outer.effects, ground: color === NOTHING ? outer.ground : color});
    }
    return cache.get(element);
  };
  const newCache = () => ({opacity: new Map(), paint: new Map()});
  const lookOf = (element, {opacity, paint}) => {
    const css = style(element), box = element.getBoundingClientRect(), own = OWN.map(name => css.getPropertyValue(name));
    return {own, box, ...paintOf(element, paint), opacity: opacityOf(element, opacity), isLaidOut: box.width * box.height > 0};
  };
  // What lies over the middle of a text, with its color.
  const coversOf = (element, {box}) => {
    const found = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const over = found.slice(0, Math.max(found.findIndex(one => one === element || element.contains(one)), 0));
    return over.filter(one => !one.contains(element)).map(one => [one, style(one).backgroundColor]);
  };
  const isStuck = element => {
    for (let outer = element; outer; outer = parentOf(outer)) if (/fixed|sticky/.test(style(outer).position)) return true;
    return false;
  };
  const isVisible = look => look.isLaidOut && look.own[2] === "visible" && look.opacity > 0.05;
  const isWhole = ({box}) => box.top >= 0 && box.bottom <= innerHeight;
  const differs = (look, rest) => look.isLaidOut !== rest.isLaidOut || Math.abs(look.opacity - rest.opacity) > 0.05
    || look.effects !== rest.effects || look.ground !== rest.ground || look.own.some((value, i) => value !== rest.own[i]) || Math.abs(look.box.left - rest.box.left) > SHIFT;
  const axesOf = box => [["top", "Height", "Y"], ["left", "Width", "X"]].filter(([, size, axis]) => box[`client${size}`] > 0
    && box[`scroll${size}`] > box[`client${size}`] + 1 && /auto|scroll/.test(style(box)[`overflow${axis}`])).map(([side]) => side);
  const scrollerOf = element => {
    for (let outer = parentOf(element); outer && outer !== document.body; outer = parentOf(outer))
      if (axesOf(outer).length) return outer;
    return view;
  };
  const targets = [...(globalThis[Symbol.for("blocksight.scrollTargets")] || []), ...document.querySelectorAll("[onscroll]"),
    ...document.getAnimations().slice(0, 500).map(animation => animation.timeline?.source).filter(Boolean),
    ...[...(globalThis[Symbol.for("blocksight.observed")] || [])].map(scrollerOf)];
  const boxes = [[view, "top"], ...[...new Set(targets)].filter(box => box.isConnected && box !== view && box !== document.body)
    .flatMap(box => axesOf(box).map(side => [box, side]))].slice(0, 6);
  const isInWindow = ({box}) => box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const chainOf = element => {
    const chain = [];
    for (let outer = element; outer && outer !== document.body; outer = parentOf(outer))
      chain.push([outer, CHAIN.map(name => style(outer).getPropertyValue(name))]);
    return chain;
  };
  let scrolled = view;
  const isInView = at => {
    if (scrolled === view) return isInWindow(at);
    const outer = scrolled.getBoundingClientRect();
    return at.box.bottom > outer.top && at.box.top < outer.bottom && at.box.right > outer.left && at.box.left < outer.right;
  };
  // In the window, and not clipped by a box that scrolls.
  const isAtRestInView = (element, look) => isInWindow(look) && boxes.slice(1).every(([outer]) => {
    if (!outer.contains(element)) return true;
    const clip = outer.getBoundingClientRect(), {box} = look;
    return box.bottom > clip.top && box.top < clip.bottom && box.right > clip.left && box.left < clip.right;
  });
  // Where a text would be that is nowhere now, or has left the window sideways.
  const placeOf = (look, rest, {left, top}) => {
    const isAside = look.box.right <= 0 || look.box.left >= innerWidth;
    if (look.isLaidOut && !(isAside && scrolled === view && rest.box.right > 0 && rest.box.left < innerWidth)) return look;
    return {box: new DOMRect(rest.box.x - left, rest.box.y - top, rest.box.width, rest.box.height), isAside};
  };
  const record = () => {
    const cache = newCache(), moved = {left: scrolled.scrollLeft, top: scrolled.scrollTop};
    finishAnimations(2000);
    for (const element of texts()) {
      if (scrolled !== view && !scrolled.contains(element)) continue;
      const look = lookOf(element, cache), rest = atRest.get(element);
      if (!rest) continue;
      const place = placeOf(look, rest, moved);
      if (!isInView(place)) continue;
      const rank = 2 * isWhole(place) + (isVisible(look) && !place.isAside), before = looks.get(element);
      if (before && before.rank >= rank) continue;
      looks.set(element, {...look, rank, covers: coversOf(element, look), chain: differs(look, rest) ? chainOf(element) : null});
    }
  };
  const set = (element, name, value) => element.style.setProperty(name, value, "important");
  const show = look => {
    for (const [element, values] of look.chain) CHAIN.forEach((name, i) => {
      if (style(element).getPropertyValue(name) !== values[i]) set(element, name, values[i]);
    });
  };
  const apply = (element, look, now) => {
    if (look.isLaidOut && (!now.isLaidOut || look.opacity > now.opacity || look.box.left !== now.box.left
      || look.effects !== now.effects)) show(look);
    if (look.ground !== paintOf(element, new Map()).ground) set(element, "background-color", look.ground === NOTHING ? "#fff" : look.ground);
    OWN.forEach((name, i) => { if (style(element).getPropertyValue(name) !== look.own[i]) set(element, name, look.own[i]); });
    if (!look.isLaidOut) set(element, "display", "none");
    const opacity = opacityOf(element, new Map());
    if (look.opacity < opacity - 0.05) set(element, "opacity", style(element).opacity * look.opacity / opacity);
  };
  globalThis[Symbol.for("blocksight.looks")] = {
    // Records the texts in the window, and scrolls to another position.
    async scroll(index, offset) {
      if (atRest.size) record();
      else {
        finishAnimations(2000);
        const cache = newCache();
        for (const element of texts()) atRest.set(element, lookOf(element, cache));
      }
      const [box, side] = boxes[index];
      if (scrolled !== box) { scrolled.scrollTo({top: 0, left: 0, behavior: "instant"}); scrolled = box; }
      box.scrollTo({[side]: offset, behavior: "instant"});
      await new Promise(done => draw(done));
    },
    // Returns the number of texts whose look was changed.
    restore() {
      finishAnimations(2000);
      const cache = newCache(), changed = [], covers = new Map();
      for (const [element, look] of looks) {
        if (!element.isConnected) continue;
        const now = lookOf(element, cache), isAtRest = isAtRestInView(element, now);
        if (!isAtRest) for (const [cover, color] of look.covers) covers.set(cover, color);
        if (!look.chain || !differs(look, now) || (isStuck(element) && (isVisible(now) || !isVisible(look)))) continue;
        if (!isAtRest || (!isVisible(now) && isVisible(look))) changed.push([element, look, now]);
      }
      for (const change of changed) apply(...change);
      for (const [cover, color] of covers) if (style(cover).backgroundColor !== color) set(cover, "background-color", color);
      return changed.length;
    },
  };
  const offsets = ([box, side], index) => {
    const name = side === "top" ? "Height" : "Width", size = index ? box[`client${name}`] : innerHeight, found = [];
    const last = Math.min(box[`scroll${name}`] - size, step * size * (index ? mostOfBoxes : mostOfWindow));
    for (let offset = step * size; offset < last; offset += step * size) found.push(Math.round(offset));
    return last > 0 ? [...found, Math.round(last)] : [];
  };
  return boxes.flatMap((scroller, index) => offsets(scroller, index).map(offset => [index, offset]));
})
