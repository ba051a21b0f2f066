// Records how texts look where scrolling brings them, and gives them that look in the end, when the page is at its top
// again. Defines {scroll, restore} as blocksight.looks, and returns the positions to scroll to: the number of a box, 0 for
// the window, and its offset from the top. A text that is in view at several positions has the look in which it is
// visible. What is fixed or sticky, and what is in the window at the top, keeps its look unless it is visible only at
// another position. Frames that react to scrolling are scrolled after their page. Afterwards a text that was visible and
// is no longer is brought into view again: `returns` returns these positions.
((step, mostOfWindow, mostOfBoxes, tallest) => {
  blocksight.progress = new Map();
  // The looks of the texts of one window: boxes that scroll, positions, and what `scroll` and `restore` below do there.
  const looksOf = home => {
  // BEST is the rank of a text that is whole and visible.
  const MOST = 4000, SHIFT = 20, FAR = 200, FAR_STOPS = 4, MOST_WATCHED = 8, MOST_RETURNS = 8, BEST = 4, FARTHEST = 1e6;
  const {document, innerHeight, innerWidth} = home;
  const OWN = ["color", "-webkit-text-fill-color", "visibility", "font-size"];
  const CHAIN = ["display", "opacity", "visibility", "transform", "translate", "left", "margin-left", "text-indent",
    "clip-path", "max-height", "filter"];
  const NOTHING = "rgba(0, 0, 0, 0)";
  const finishAnimations = most => blocksight.finishAnimations(home, null, most), style = home.getComputedStyle.bind(home);
  const {observed, narrow, scrolled: listening} = blocksight.watched(home), hasWheel = !!blocksight.ask(home)?.wheel;
  const view = document.scrollingElement || document.documentElement, looks = new Map(), atRest = new Map(), fled = new Map();
  // How far the window and boxes have been scrolled.
  const reached = new Map();
  const kept = new Map(), doubted = new Set();
  const parentOf = element => element.assignedSlot || element.parentElement || (element.getRootNode().host ?? null);
  const hasText = element => {
    for (let node = element.firstChild; node; node = node.nextSibling) if (node.nodeType === 3 && /\S/.test(node.data)) return true;
    return false;
  };
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
  // By a script that follows the wheel: the window does not scroll.
  const isMoved = hasWheel && view.scrollHeight <= innerHeight + 1;
  const newCache = () => ({opacity: new Map(), paint: new Map()});
  const placeNow = element => {
    const box = element.getBoundingClientRect();
    return {box, isLaidOut: box.width * box.height > 0};
  };
  const lookOf = (element, {opacity, paint}, place = placeNow(element)) => {
    const css = style(element), own = OWN.map(name => css.getPropertyValue(name));
    return {own, ...place, ...paintOf(element, paint), opacity: opacityOf(element, opacity)};
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
  const isAside = ({box}) => box.right <= 0 || box.left >= innerWidth;
  // The share of its width in the window.
  const shareInside = ({box}) => Math.max(Math.min(box.right, innerWidth) - Math.max(box.left, 0), 0) / Math.min(box.width || 1, innerWidth);
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
  const targets = [...listening,
    ...document.getAnimations().slice(0, 500).map(animation => animation.timeline?.source).filter(Boolean),
    ...[...document.getElementsByTagName("*")].slice(0, MOST).filter(one => style(one).containerType.includes("scroll-state")),
    ...observed.map(scrollerOf)];
  const widths = view.scrollWidth > innerWidth + 1 && style(view).overflowX !== "hidden" ? [[view, "left"]] : [];
  const boxes = [[view, "top"], ...widths, ...[...new Set(targets)].filter(box => box.isConnected && box !== view && box !== document.body)
    .flatMap(box => axesOf(box).map(side => [box, side]))].slice(0, 6);
  const isInWindow = ({box}) => box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const chainOf = element => {
    const chain = [];
    for (let outer = element; outer && outer !== document.body; outer = parentOf(outer))
      chain.push([outer, CHAIN.map(name => style(outer).getPropertyValue(name))]);
    return chain;
  };
  let scrolled = view, reach = 0;  // the lowest line of the page that was in the window
  const isInView = at => {
    if (scrolled === view) return isInWindow(at);
    const outer = scrolled.getBoundingClientRect();
    return at.box.bottom > outer.top && at.box.top < outer.bottom && at.box.right > outer.left && at.box.left < outer.right;
  };
  // In the window, and not clipped by a box that scrolls.
  const isAtRestInView = (element, look) => isInWindow(look) && boxes.every(([outer]) => {
    if (outer === view || !outer.contains(element)) return true;
    const clip = outer.getBoundingClientRect(), {box} = look;
    return box.bottom > clip.top && box.top < clip.bottom && box.right > clip.left && box.left < clip.right;
  });
  // Where a text would be that is nowhere now, or has left the window sideways.
  const placeOf = (look, rest, {left, top}) => {
    if (look.isLaidOut && !(isAside(look) && scrolled === view && rest.box.right > 0 && rest.box.left < innerWidth)) return look;
    return {box: new DOMRect(rest.box.x - left, rest.box.y - top, rest.box.width, rest.box.height)};
  };
  // Whether something that fills the window lies over a text.
  const isVeiled = covers => covers.some(([cover, color]) => {
    const box = cover.getBoundingClientRect(), alpha = color.startsWith("rgba") ? Number(color.split(",")[3].slice(0, -1)) : 1;
    return alpha > 0.95 && opacityOf(cover, new Map()) > 0.95 && box.height >= 0.9 * innerHeight && box.width >= 0.9 * innerWidth;
  });
  // A row of a long list that the script removes when it has left the window.
  const keepRow = (element, look) => {
    let row = element;
    for (let depth = 0; depth < 8 && row.parentElement && row.parentElement.childElementCount < 3; depth++) row = row.parentElement;
    const rows = row.parentElement, text = row.textContent.trim();
    if (rows?.childElementCount >= 3 && text && isVisible(look) && kept.size < 1000) kept.set(row, [row, rows, text]);
  };
  // How far each animation that follows scrolling gets.
  const noteProgress = () => {
    for (const animation of document.getAnimations().slice(0, 500)) {
      const now = animation.timeline === document.timeline ? undefined : animation.currentTime?.value;
      const [least, most] = blocksight.progress.get(animation) ?? [now, now];
      if (now !== undefined) blocksight.progress.set(animation, [Math.min(least, now), Math.max(most, now)]);
    }
  };
  const record = () => {
    noteProgress();
    const cache = newCache(), moved = {left: scrolled.scrollLeft, top: scrolled.scrollTop};
    finishAnimations(2000);
    if (scrolled === view) reach = Math.max(reach, moved.top + innerHeight);
    for (const element of texts()) {
      if (scrolled !== view && !scrolled.contains(element)) continue;
      // The styles of what is not in view are not needed, and expensive.
      const now = placeNow(element), rest = atRest.get(element);
      if (!rest) {
        if (isInView(now)) keepRow(element, lookOf(element, cache, now));
        continue;
      }
      const place = placeOf(now, rest, moved);
      if (!isInView(place)) {
        if (now.isLaidOut && rest.isLaidOut && Math.abs(now.box.top + moved.top - rest.box.top) > FAR) fled.set(element, (fled.get(element) ?? 0) + 1);
        continue;
      }
      const before = doubted.has(element) ? null : looks.get(element);
      if (before?.rank >= BEST) continue;
      const look = lookOf(element, cache, now);
      const covers = coversOf(element, look), isCovered = isVeiled(covers);
      const rank = 2 * isWhole(place) + (isVisible(look) && !isCovered) + shareInside(place);
      if (before && before.rank >= rank) continue;
      looks.set(element, {...look, rank, covers: isCovered ? [] : covers, isCovered, chain: differs(look, rest) ? chainOf(element) : null});
    }
  };
  const set = (element, name, value) => element.style.setProperty(name, value, "important");
  const show = look => {
    for (const [element, values] of look.chain) CHAIN.forEach((name, i) => {
      if (style(element).getPropertyValue(name) !== values[i]) set(element, name, values[i]);
    });
  };
  const apply = (element, look, now) => {
    // What a page moves sideways moves together: only one part of it would be in view.
    if (isStuck(element) && isAside(now)) set(element, "translate", `${look.box.left - now.box.left}px`);
    else if (look.isLaidOut && (!now.isLaidOut || look.opacity > now.opacity || look.box.left !== now.box.left
      || look.effects !== now.effects)) show(look);
    if (look.ground !== paintOf(element, new Map()).ground) set(element, "background-color", look.ground === NOTHING ? "#fff" : look.ground);
    OWN.forEach((name, i) => { if (style(element).getPropertyValue(name) !== look.own[i]) set(element, name, look.own[i]); });
    if (!look.isLaidOut) set(element, "display", "none");
    const opacity = opacityOf(element, new Map());
    if (look.opacity < opacity - 0.05) set(element, "opacity", style(element).opacity * look.opacity / opacity);
  };
  // What was visible before scrolling counts, whatever scrolling does to it.
  const showAgain = cache => {
    for (const [element, rest] of atRest) {
      if (!rest.isInView || !isVisible(rest) || !element.isConnected || looks.get(element)?.chain) continue;
      const now = lookOf(element, cache);
      if (!now.isLaidOut || !differs(now, rest)) continue;
      OWN.forEach((name, i) => { if (now.own[i] !== rest.own[i]) set(element, name, rest.own[i]); });
      for (let outer = element; outer && now.opacity < rest.opacity - 0.05; outer = parentOf(outer))
        if (style(outer).opacity < 1) set(outer, "opacity", "1");
    }
  };
  // A page that the wheel moves is brought back to its start, and boxes that stay in the window show all of what was seen.
  const layOutMoved = () => {
    const isFound = (element, look) => element.isConnected && isVisible(look) && !atRest.get(element)?.isInView && isStuck(element);
    const shown = [...looks].filter(([element, look]) => isFound(element, look)).map(([element]) => element);
    for (const [element, rest] of atRest) if (rest.isInView && element.isConnected && !isInWindow(placeNow(element))) show(rest);
    for (const element of shown) for (let outer = element; outer; outer = parentOf(outer)) {
      if (style(outer).position === "fixed") set(outer, "position", "absolute");
      const {overflowX, overflowY} = style(outer);
      if (!/hidden|clip/.test(overflowY)) continue;
      if (/hidden|clip/.test(overflowX)) set(outer, "overflow-x", "clip");
      set(outer, "overflow-y", "visible");
    }
  };
  const hide = element => {
    if (![...element.getElementsByTagName("*")].some(one => looks.has(one) && !looks.get(one).isCovered)) set(element, "visibility", "hidden");
  };
  const putBack = () => {
    if (!kept.size) return;
    const text = document.body.innerText, added = new Set();
    for (const [element, rows, words] of kept.values()) {
      if (element.isConnected || !rows.isConnected || text.includes(words) || added.has(words)) continue;
      added.add(words);
      rows.append(element);
    }
  };
  const turnWheel = deltaY => {
    const [clientX, clientY] = [innerWidth / 2, innerHeight / 2];
    const settings = {deltaY, clientX, clientY, bubbles: true, cancelable: true, composed: true};
    document.elementFromPoint(clientX, clientY)?.dispatchEvent(new home.WheelEvent("wheel", settings));
  };
  const sizeOf = (box, side) => {
    if (box === view) return side === "top" ? innerHeight : innerWidth;
    return side === "top" ? box.clientHeight : box.clientWidth;
  };
  // Positions at which an element is at the top, in the middle and at the bottom of the window: one that is observed in a
  // part of the window only, or animated by its place in it.
  const watched = [...narrow, ...document.getAnimations().slice(0, 500).map(animation => animation.timeline?.subject).filter(Boolean)];
  const stopsAt = element => {
    const box = element.getBoundingClientRect(), middle = (box.top + box.bottom) / 2 + view.scrollTop;
    return [0.03, 0.5, 0.97].map(share => middle - share * innerHeight);
  };
  const offsets = ([box, side]) => {
    const size = sizeOf(box, side), all = side === "top" ? box.scrollHeight : box.scrollWidth, found = [];
    const from = reached.get(box)?.[side] ?? 0, most = from + step * size * (box === view ? mostOfWindow : mostOfBoxes), isMoved = hasWheel && box === view && side === "top";
    // A page may move what the wheel does not scroll.
    const end = isMoved && all <= size + 1 ? step * size * mostOfBoxes : Math.min(all - size, from ? tallest : Infinity);
    const last = Math.min(end, most);
    for (let offset = from + step * size; offset < last; offset += step * size) found.push(offset);
    // Far down what stays as it was is in view, but what changes there is seen.
    for (let part = 0; part <= FAR_STOPS; part++) if (last > from && (end > last || !part)) found.push(last + (end - last) * part / FAR_STOPS);
    reached.set(box, {...reached.get(box), [side]: Math.max(from, end)});
    if (box === view && side === "top" && !from)
      found.push(...[...new Set(watched)].slice(0, MOST_WATCHED).flatMap(stopsAt).filter(offset => offset > 0 && offset < last));
    return found.map(Math.round).sort((a, b) => a - b);
  };
  return {
    // Records the texts in the window, and scrolls to another position; without one, back to the start.
    scroll(index, offset) {
      if (atRest.size) record();
      else {
        finishAnimations(2000);
        noteProgress();
        const cache = newCache();
        for (const element of texts()) {
          const look = lookOf(element, cache);
          atRest.set(element, {...look, isInView: isAtRestInView(element, look), chain: isMoved ? chainOf(element) : null});
        }
      }
      if (index === undefined) { scrolled.scrollTo({top: 0, left: 0, behavior: "instant"}); return; }
      const [box, side] = boxes[index];
      if (scrolled !== box) { scrolled.scrollTo({top: 0, left: 0, behavior: "instant"}); scrolled = box; }
      // Back to where a page is that moves itself.
      if (hasWheel && box === view && side === "top") turnWheel(offset ? offset - view.scrollTop : -FARTHEST);
      box.scrollTo({[side]: offset, behavior: "instant"});
    },
    returns() {
      const cache = newCache();
      for (const [element, look] of looks) {
        if (!element.isConnected || !isVisible(look) || atRest.get(element).isInView) continue;
        const now = lookOf(element, cache);
        if (now.isLaidOut && now.own.some((value, i) => value !== look.own[i])) doubted.add(element);
      }
      return [...new Set([...doubted].map(element => Math.round(stopsAt(element)[1])))].filter(offset => offset > 0).slice(0, MOST_RETURNS);
    },
    // Returns the number of texts whose look was changed.
    restore() {
      finishAnimations(2000);
      if (isMoved) layOutMoved();
      const cache = newCache(), changed = [], covers = new Map();
      showAgain(cache);
      for (const [element, look] of looks) {
        if (!element.isConnected) continue;
        const now = lookOf(element, cache), isAtRest = isAtRestInView(element, now);
        if (!isAtRest) for (const [cover, color] of look.covers) covers.set(cover, color);
        if (!look.chain || !differs(look, now) || (isStuck(element) && ((isVisible(now) && !isAside(now)) || !isVisible(look)))) continue;
        if (!isAtRest || (!isVisible(now) && isVisible(look))) changed.push([element, look, now]);
      }
      for (const change of changed) apply(...change);
      for (const [element, look] of looks) if (look.isCovered && element.isConnected && !atRest.get(element)?.isInView) hide(element);
      for (const [element, times] of fled) {
        const rest = atRest.get(element);  // what no position brings into view has not fled
        if (times > 1 && element.isConnected && !looks.has(element) && !rest.isInView && rest.box.bottom < reach) hide(element);
      }
      putBack();
      for (const [cover, color] of covers) if (style(cover).backgroundColor !== color) set(cover, "background-color", color);
      return changed.length;
    },
    positions: () => boxes.flatMap((scroller, index) => offsets(scroller, index).map(offset => [index, offset])),
  };
  };

  const MOST_FRAMES = 5, reacts = view => { try { return blocksight.follows(view) } catch { return false } };
  const inner = [...document.querySelectorAll("iframe")].filter(frame => frame.contentWindow && reacts(frame.contentWindow));
  const all = [looksOf(globalThis), ...inner.slice(0, MOST_FRAMES).map(frame => ({frame, ...looksOf(frame.contentWindow)}))];
  let current = all[0];
  blocksight.looks = {
    async scroll(number, offset) {
      const [looks, index] = [all[Math.floor(number / 100)], number % 100];
      if (current !== looks) {
        current.scroll();
        looks.frame?.scrollIntoView({block: "center", behavior: "instant"});
        current = looks;
      }
      looks.scroll(index, offset);
      await blocksight.drawFrames(1);
    },
    // Positions to scroll to, those that have not been returned.
    positions: () => all.flatMap((looks, number) => looks.positions().map(([box, offset]) => [100 * number + box, offset])),
    returns: () => all[0].returns().map(offset => [0, offset]),
    restore: () => all.reduce((count, looks) => count + looks.restore(), 0),
  };
  return blocksight.looks.positions();
})
