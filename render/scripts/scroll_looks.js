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
  const lookOf = (element, cache) => {
    const css = style(element), box = element.getBoundingClientRect(), own = OWN.map(name => css.getPropertyValue(name));
    return {own, box, opacity: opacityOf(element, cache), isLaidOut: box.width * box.height > 0};
  };
  const isStuck = element => {
    for (let outer = element; outer; outer = parentOf(outer)) if (/fixed|sticky/.test(style(outer).position)) return true;
    return false;
  };
  const isVisible = look => look.isLaidOut && look.own[2] === "visible" && look.opacity > 0.05;
  const differs = (look, rest) => look.isLaidOut !== rest.isLaidOut || Math.abs(look.opacity - rest.opacity) > 0.05
    || look.own.some((value, i) => value !== rest.own[i]) || Math.abs(look.box.left - rest.box.left) > SHIFT;
  const scrollerOf = element => {
    for (let outer = parentOf(element); outer && outer !== document.body; outer = parentOf(outer))
      if (/auto|scroll/.test(style(outer).overflowY)) return outer;
    return view;
  };
  const targets = [...(globalThis[Symbol.for("blocksight.scrollTargets")] || []), ...document.querySelectorAll("[onscroll]"),
    ...document.getAnimations().slice(0, 500).map(animation => animation.timeline?.source).filter(Boolean),
    ...[...(globalThis[Symbol.for("blocksight.observed")] || [])].map(scrollerOf)];
  const boxes = [view, ...new Set(targets.filter(box => box.isConnected && box !== view && box !== document.body
    && box.scrollHeight > box.clientHeight + 1 && box.clientHeight > 0))];
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
  const isAtRestInView = (element, look) => isInWindow(look) && boxes.slice(1).every(outer => {
    if (!outer.contains(element)) return true;
    const clip = outer.getBoundingClientRect();
    return look.box.bottom > clip.top && look.box.top < clip.bottom;
  });
  const record = () => {
    const cache = new Map(), top = scrolled.scrollTop;
    finishAnimations(2000);
    for (const element of texts()) {
      if (scrolled !== view && !scrolled.contains(element)) continue;
      const look = lookOf(element, cache), rest = atRest.get(element);
      // Where it was at the top, if it is nowhere now.
      const at = look.isLaidOut || !rest ? look : {box: new DOMRect(rest.box.x, rest.box.y - top, rest.box.width, rest.box.height)};
      if (!isInView(at) || !rest) continue;
      const isBetter = !looks.has(element) || (isVisible(look) && !isVisible(looks.get(element)));
      if (isBetter) looks.set(element, {...look, chain: differs(look, rest) ? chainOf(element) : null});
    }
  };
  const set = (element, name, value) => element.style.setProperty(name, value, "important");
  const show = look => {
    for (const [element, values] of look.chain) CHAIN.forEach((name, i) => {
      if (style(element).getPropertyValue(name) !== values[i]) set(element, name, values[i]);
    });
  };
  const apply = (element, look, now) => {
    if (look.isLaidOut && (!now.isLaidOut || look.opacity > now.opacity || look.box.left !== now.box.left)) show(look);
    OWN.forEach((name, i) => { if (style(element).getPropertyValue(name) !== look.own[i]) set(element, name, look.own[i]); });
    if (!look.isLaidOut) set(element, "display", "none");
    const opacity = opacityOf(element, new Map());
    if (look.opacity < opacity - 0.05) set(element, "opacity", style(element).opacity * look.opacity / opacity);
  };
  globalThis[Symbol.for("blocksight.looks")] = {
    // Records the texts in the window, and scrolls to another position.
    async scroll(index, top) {
      if (atRest.size) record();
      else { finishAnimations(2000); const cache = new Map(); for (const element of texts()) atRest.set(element, lookOf(element, cache)); }
      const box = boxes[index];
      if (scrolled !== box) { scrolled.scrollTo({top: 0, behavior: "instant"}); scrolled = box; }
      box.scrollTo({top, behavior: "instant"});
      await new Promise(done => draw(done));
    },
    // Returns the number of texts whose look was changed.
    restore() {
      const cache = new Map(), changed = [];
      for (const [element, look] of looks) {
        if (!look.chain || !element.isConnected) continue;
        const now = lookOf(element, cache);
        if (isStuck(element) && (isVisible(now) || !isVisible(look))) continue;
        if (!differs(look, now) || (isAtRestInView(element, now) && isVisible(now)) || (isAtRestInView(element, now) && !isVisible(look))) continue;
        changed.push([element, look, now]);
      }
      for (const change of changed) apply(...change);
      return changed.length;
    },
  };
  const positions = (box, height, most) => {
    const last = Math.min(box.scrollHeight - height, step * height * most), tops = [];
    for (let top = step * height; top < last; top += step * height) tops.push(Math.round(top));
    return last > 0 ? [...tops, Math.round(last)] : [];
  };
  return boxes.flatMap((box, index) => index > 5 ? [] : positions(box, index ? box.clientHeight : innerHeight,
    index ? mostOfBoxes : mostOfWindow).map(top => [index, top]));
})
