// A part of other scripts: finishes the animations of a window that have come to their end, as the browser's animations
// follow real time. Returns the milliseconds to the next end; calls `want`, if there is one, if the page waits for what
// only frames bring. If it waits for turns of endless animations, those are moved on.
const finishAnimations = (() => {
  const MOST = 500, DRAWN = "animate,animateMotion,animateTransform,set", DRAWING_STEP = 500, SHORTEST_TURN = 250;
  // When they were first seen, by the page's clock.
  const starts = new WeakMap(), drawings = new WeakMap();
  const advanceDrawings = (document, time) => {
    for (const drawing of document.querySelectorAll("svg")) {
      if (drawing.ownerSVGElement || drawing.animationsPaused()) continue;
      const before = drawings.get(drawing), own = drawing.getCurrentTime();
      const due = before ? before.own + (time - before.time) / 1000 : own;
      if (due > own) drawing.setCurrentTime(due);
      drawings.set(drawing, {time, own: Math.max(due, own)});
    }
    return DRAWING_STEP;
  };
  return (view, want, most = 1, hasTurns = false) => {
    const {document} = view, time = view.performance.now();
    // The content of details is an element of the browser's own, whose transitions no list of animations has.
    const movesContent = details => {
      const {transitionDuration, animationName} = view.getComputedStyle(details, "::details-content");
      return /[1-9]/.test(transitionDuration) || animationName !== "none";
    };
    let next = Infinity;
    if (want && [...document.querySelectorAll("details")].slice(0, MOST).some(movesContent)) want();
    for (const animation of document.getAnimations().slice(0, MOST)) {
      const {timeline, playState, playbackRate, currentTime} = animation;
      const {endTime, duration} = animation.effect.getComputedTiming();
      // Only frames move what follows scrolling.
      if (timeline && timeline !== document.timeline) want?.();
      const isEndless = endTime === Infinity;
      if (timeline !== document.timeline || playState !== "running" || !(playbackRate > 0) || (isEndless && !hasTurns)) continue;
      if (!starts.has(animation)) starts.set(animation, time - (Number(currentTime) || 0) / playbackRate);
      if (isEndless) {
        animation.currentTime = Math.max(currentTime, (time - starts.get(animation)) * playbackRate);
        next = Math.min(next, Math.max(duration / playbackRate, SHORTEST_TURN));
        continue;
      }
      const left = starts.get(animation) + endTime / playbackRate - time;
      if (left <= most) animation.finish();
      else next = Math.min(next, left);
    }
    return document.querySelector(DRAWN) ? Math.min(next, advanceDrawings(document, time)) : next;
  };
})();
