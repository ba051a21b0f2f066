// Runs before any script of the page, and of a worker. Drives animation frames and idle callbacks by timers, which follow
// the page's clock: the browser draws by real time, of which a fast clock leaves none. Until the document is parsed the
// browser's own frames are used, as it draws none before style sheets have loaded. Records under a global symbol
// (blocksight.frames) the browser's own function, the milliseconds between two frames, whether the page waits for something
// that only real frames bring (want), the number of calls that the browser answers in real time, and of the pending ones,
// a function that calls another by the clock, one that says whether lazy images near the window have not loaded, one that
// goes over to timers once the document is parsed, and one that finishes the animations that have come to their end.
(() => {
  const state = globalThis[Symbol.for("blocksight.frames")] = {
    draw: globalThis.requestAnimationFrame?.bind(globalThis), interval: 1000 / 60, isWanted: false, calls: 0, pending: 0};
  const now = performance.now.bind(performance), {scheduler, reportError} = globalThis;
  // Scripts that clear all timers by their numbers do not find these.
  const later = scheduler ? (work, delay) => { scheduler.postTask(work, {delay}); } : setTimeout.bind(globalThis);
  state.later = later;
  const call = (work, argument) => { try { work.call(globalThis, argument) } catch (error) { reportError(error) } };
  const tools = Function.prototype.toString.call("KEY");
  const replace = (name, apply) => tools.replace(globalThis, name, "value",
    (original, self, args) => apply(original.bind(self), ...args));
  // Above all numbers of the browser's own requests.
  let parsed = false, last = 1e6, scheduled = 0, waiting = new Map(), running = new Map();
  const tick = number => {
    if (number !== scheduled) return;
    scheduled = 0;
    [running, waiting] = [waiting, new Map()];
    const time = now();
    for (const [id, work] of running) if (running.delete(id)) call(work, time);
  };
  const timeToFrame = () => {
    const left = state.interval - now() % state.interval;
    return left < 1 ? left + state.interval : left;
  };
  const schedule = () => {
    const number = scheduled = ++last;
    if (parsed) later(() => tick(number), timeToFrame());
    else state.draw(() => tick(number));
  };
  const request = (own, work) => {
    if (typeof work !== "function") return own(work);
    state.checkParsed();
    const id = ++last;
    waiting.set(id, work);
    if (!scheduled) schedule();
    return id;
  };
  const cancel = (own, id) => { waiting.delete(Number(id)); running.delete(Number(id)); };
  for (const name of ["requestAnimationFrame", "webkitRequestAnimationFrame"]) replace(name, request);
  for (const name of ["cancelAnimationFrame", "webkitCancelAnimationFrame"]) replace(name, cancel);
  const idle = new Map();
  const runIdle = id => {
    const work = idle.get(id);
    // The clock does not advance during a task: an idle period has a hundred steps.
    let left = 50;
    if (idle.delete(id)) call(work, {didTimeout: false, timeRemaining: () => Math.max(left -= 0.5, 0)});
  };
  const runIdleSoon = id => later(() => runIdle(id), 1);
  replace("requestIdleCallback", (own, work, options) => {
    if (typeof work !== "function") return own(work, options);
    state.checkParsed();
    const id = ++last;
    idle.set(id, work);
    if (parsed) runIdleSoon(id);
    else own(() => runIdle(id), options);
    return id;
  });
  replace("cancelIdleCallback", (own, id) => { idle.delete(Number(id)); });
  // The window of an empty frame may get another document, without its event listeners.
  state.checkParsed = () => {
    if (parsed || globalThis.document?.readyState === "loading") return;
    parsed = true;
    if (scheduled) schedule();
    [...idle.keys()].forEach(runIdleSoon);
  };
  addEventListener("DOMContentLoaded", state.checkParsed, true);

  // The browser's animations follow real time as well: when they were first seen, by the page's clock.
  const MOST = 500, starts = new WeakMap();
  // The content of details is an element of the browser's own, whose transitions no list of animations has.
  const movesContent = details => {
    const {transitionDuration, animationName} = getComputedStyle(details, "::details-content");
    return /[1-9]/.test(transitionDuration) || animationName !== "none";
  };
  state.finishAnimations = (most = 1) => {
    const time = now();
    let next = Infinity;
    if (!state.isWanted && [...document.querySelectorAll("details")].slice(0, MOST).some(movesContent)) state.want();
    for (const animation of document.getAnimations().slice(0, MOST)) {
      const {timeline, playState, playbackRate, currentTime} = animation;
      const {endTime} = animation.effect.getComputedTiming();
      // Only frames move what follows scrolling.
      if (timeline && timeline !== document.timeline) state.want();
      if (timeline !== document.timeline || playState !== "running" || !(playbackRate > 0 && endTime < Infinity)) continue;
      if (!starts.has(animation)) starts.set(animation, time - (Number(currentTime) || 0) / playbackRate);
      const left = starts.get(animation) + endTime / playbackRate - time;
      if (left <= most) animation.finish();
      else next = Math.min(next, left);
    }
    return document.querySelector(DRAWN) ? Math.min(next, advanceDrawings(time)) : next;
  };
  const DRAWN = "animate,animateMotion,animateTransform,set", DRAWING_STEP = 500, times = new WeakMap();
  const advanceDrawings = time => {
    for (const drawing of document.querySelectorAll("svg")) {
      if (drawing.ownerSVGElement || drawing.animationsPaused()) continue;
      const before = times.get(drawing), own = drawing.getCurrentTime();
      const due = before ? before.own + (time - before.time) / 1000 : own;
      if (due > own) drawing.setCurrentTime(due);
      times.set(drawing, {time, own: Math.max(due, own)});
    }
    return DRAWING_STEP;
  };
  // The browser loads what is less than some thousand pixels away from the window, once a frame has shown it where that is.
  const NEAR = 3000, boxOf = globalThis.Element?.prototype.getBoundingClientRect;
  const isNear = element => {
    if (!element.offsetParent && getComputedStyle(element).position !== "fixed") return false;
    const {top, bottom} = boxOf.call(element);
    return bottom > -NEAR && top < innerHeight + NEAR;
  };
  state.waitsForImages = () =>
    [...document.querySelectorAll("[loading=lazy]")].some(element => !element.complete && isNear(element));
  const isReached = () => { try { return Boolean(top[Symbol.for("blocksight.frames")]); } catch { return false; } };
  const finishByTimers = () => later(finishByTimers, Math.min(Math.max(state.finishAnimations(), 50), 500));
  state.want = () => {
    if (state.isWanted) return;
    state.isWanted = true;
    if (!isReached()) finishByTimers();
  };
})()
