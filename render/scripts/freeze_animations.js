// Brings the animations of a document to rest. What ends within ten seconds is finished; what is paused or takes longer
// stops at ten seconds; what repeats for ever stops where most of it is visible, or at its start if that makes no
// difference. Returns what computed styles do not report: {ways, fonts, repainted, veiled, firstLines, hidingDetails}.
(() => {
  const REST = 10000, SAMPLES = 12, FLASH = 40;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*,*::before,*::after{transition-duration:0s!important;transition-delay:0s!important}");
  const roots = [document];
  for (let i = 0; i < roots.length && i < 2000; i++) {
    for (const element of roots[i].querySelectorAll("*")) if (element.shadowRoot) roots.push(element.shadowRoot);
  }
  const numbers = value => (value.match(/[\d.]+/g) || []).map(Number);
  // The nearest box that clips an element sideways, and the nearest plain background color.
  const surroundings = element => {
    let [left, right, background] = [0, innerWidth, null];
    for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
      const css = getComputedStyle(ancestor), color = numbers(css.backgroundColor);
      if (!background && color[3] !== 0) background = color;
      if (ancestor === element || ancestor === document.body || !/hidden|clip/.test(css.overflowX)) continue;
      const box = ancestor.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    return {left, right, background: background || [255, 255, 255]};
  };
  const visibility = (element, pseudo, {left, right, background}) => {
    const css = getComputedStyle(element, pseudo), range = document.createRange();
    range.selectNodeContents(element);
    const inner = range.getBoundingClientRect(), box = inner.width > 1 ? inner : element.getBoundingClientRect();
    if (css.visibility !== "visible" || !(box.width * box.height > 1)) return 0;
    const wide = Math.max(Math.min(box.right, right) - Math.max(box.left, left), 0) / Math.min(box.width, innerWidth);
    const color = numbers(css.webkitTextFillColor);
    const contrast = Math.min(Math.max(...[0, 1, 2].map(i => Math.abs(color[i] - background[i]))), 64);
    const cut = css.clipPath.startsWith("inset") ? numbers(css.clipPath).reduce((sum, part) => sum + part, 0) : 0;
    return css.opacity * wide * (box.bottom + scrollY > 0) * Math.min(box.height, 10) * (1 + contrast) / 65 / (10 + cut);
  };
  // What has no text of its own and covers text is best where least of it is visible.
  const coversText = target => {
    if (target.textContent.trim()) return false;
    const box = target.getBoundingClientRect(), y = (box.top + box.bottom) / 2;
    return [0.1, 0.5, 0.9].some(share => {
      const stack = document.elementsFromPoint(box.left + share * box.width, y), at = stack.indexOf(target);
      return at >= 0 && stack.slice(at + 1).some(
        element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
    });
  };
  // What moves for ever, and how far it goes to the left, up, right and down from where it is stopped.
  const moving = globalThis.blocksightMoving = [], ways = [];
  const stopAtBest = (animation, times) => {
    // Each sample lays the page out: with many animations, they stop at their start.
    if (times.length === 1) { animation.currentTime = times[0]; return }
    const {target, pseudoElement} = animation.effect, frame = surroundings(target), sign = coversText(target) ? -1 : 1;
    let [most, bestTime, bestPosition] = [-2, times[0], [0, 0]];
    const positions = [];
    const scoreAt = time => {
      animation.currentTime = time;
      return sign * visibility(target, pseudoElement, frame);
    };
    for (const time of times) {
      const score = scoreAt(time), box = target.getBoundingClientRect();
      positions.push([box.left, box.top]);
      if (positions.length === 1) bestPosition = positions[0];
      // A flash is seen by nobody.
      const isFlash = () => sign > 0 && typeof time === "number" && Math.max(scoreAt(time + FLASH), scoreAt(time - FLASH)) < score / 2;
      if (score > most + 0.01 && !isFlash()) [most, bestTime, bestPosition] = [score, time, positions.at(-1)];
    }
    animation.currentTime = bestTime;
    const way = [Math.min, Math.max].flatMap(
      end => [0, 1].map(i => end(...positions.map(position => position[i])) - bestPosition[i]));
    if (!pseudoElement && target.textContent.trim() && way.some(by => Math.abs(by) > 20) && moving.length < 50) {
      moving.push(target);
      ways.push(way);
    }
  };
  // Each sample lays out everything that is animated: with many animations, only a few are sampled.
  const total = document.getAnimations().length, MOST = Math.min(40, 4000 / (total + 1));
  let sampled = 0;
  // Reading a timing recomputes all styles that have changed: everything is read before anything is changed.
  const read = animation => { try {
    return [animation, animation.effect.getComputedTiming(), animation.playState];
  } catch { return null } };
  const stop = ([animation, timing, state]) => {
    const hasOwnTimeline = animation.timeline !== document.timeline;
    const samples = [...Array(sampled < MOST ? SAMPLES : 1).keys()];
    if (hasOwnTimeline && animation.timeline) {
      // What nothing can scroll has no effect.
      if (animation.timeline.currentTime === null) return;
      sampled++;
      animation.pause();
      const [least, most] = globalThis.blocksight?.progress?.get(animation) ?? [0, 100];
      const shares = [100, ...samples.map(sample => 100 * sample / SAMPLES)].map(share => Math.min(Math.max(share, least), most));
      stopAtBest(animation, [...new Set(shares)].map(share => CSS.percent(share)));
    } else if (state === "paused") {
      return;
    } else if (timing.endTime === Infinity && animation.playbackRate > 0) {
      sampled++;
      animation.pause();
      const first = Math.max(timing.delay, 0), turn = Number(timing.duration) || 0;
      const times = samples.map(sample => first + 2 * turn * sample / SAMPLES);
      stopAtBest(animation, times.length > 1 ? [...times, first + 0.999 * turn] : times);
    } else {
      // A slow animation does not get as far.
      const now = Math.max(Number(animation.currentTime) || 0, REST * Math.min(Math.abs(animation.playbackRate), 1));
      if (timing.endTime <= now || animation.playbackRate < 0) animation.finish();
      else { animation.pause(); animation.currentTime = now; }
    }
  };
  for (const root of roots) {
    const animations = root.getAnimations();
    // A style sheet recomputes all styles, and most pages have no animation.
    if (animations.length) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    for (const animation of animations.map(read)) try { if (animation) stop(animation) } catch { }
    for (const drawing of root.querySelectorAll("svg")) {
      // A script may have stopped it, or set its clock.
      if (drawing.animationsPaused()) continue;
      drawing.pauseAnimations();
      drawing.setCurrentTime(Math.max(drawing.getCurrentTime(), REST / 1000 + 0.3));
    }
  }
  // The style of a first line belongs to no element: only its existence can be found.
  const namesFirstLine = (rules, left) => [...rules].some(({selectorText, cssRules}) =>
    left.count-- > 0 && (selectorText?.includes("first-line") || namesFirstLine(cssRules ?? [], left)));
  const stylesFirstLine = sheet => { try {
    const isComplete = sheet.ownerNode?.localName === "style" && !sheet.ownerNode.textContent.includes("@import");
    if (isComplete) return /first-line/i.test(sheet.ownerNode.textContent);
    return namesFirstLine(sheet.cssRules, {count: 4000});
  } catch { return false } };
  const nameOf = font => font.family.replace(/^["']|["']$/g, "").toLowerCase();
  const loaded = [...document.fonts].filter(font => font.status === "loaded");
  const isOpaque = css => css.backgroundImage !== "none" || css.backdropFilter !== "none"
    || !(numbers(css.backgroundColor)[3] < 0.9);
  // A style sheet may show the content of closed details.
  const hidesContent = details => {
    const {display, contentVisibility} = getComputedStyle(details, "::details-content");
    return display === "block" && contentVisibility === "hidden";
  };
  const closed = roots.flatMap(root => [...root.querySelectorAll("details:not([open])")]);
  return {ways, fonts: loaded.map(nameOf),
    hidingDetails: closed.filter(hidesContent).length,
    repainted: !!CSS.highlights?.size || !getSelection().isCollapsed
      || document.getAnimations().some(({effect}) => effect?.pseudoElement?.startsWith("::view-transition")),
    veiled: [...document.querySelectorAll(":modal,:popover-open")].some(
      element => isOpaque(getComputedStyle(element, "::backdrop"))),
    firstLines: roots.some(root => [...root.styleSheets, ...root.adoptedStyleSheets].some(
      stylesFirstLine))};
})()
