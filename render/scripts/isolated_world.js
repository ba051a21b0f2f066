// What the isolated world of a page's document has: nothing there counts that the page has redefined. It reaches the
// frames of the same origin.
globalThis.blocksight = (() => {
  // Of a document in which no script has run.
  const IDLE = {calls: 0, pending: 0}, MOST_FRAMES = 20;
  // Asks the script in a window (page_watch.js); null for one in which no script has run. `hear` is told of elements.
  const ask = (view, question = 1, hear = () => 0) => {
    let state = null;
    const listen = event => {
      if (event.detail && typeof event.detail === "object") state = event.detail;
      else hear(event.composedPath()[0], event.detail);
    };
    view.addEventListener("KEY-", listen, true);
    view.dispatchEvent(new view.CustomEvent("KEY", {detail: question}));
    view.removeEventListener("KEY-", listen, true);
    return state;
  };
  // The elements that a script observes, those of them in a part of the window only, and those with listeners to scrolling.
  const watched = view => {
    const found = {observed: [], narrow: [], scrolled: [...view.document.querySelectorAll("[onscroll]")]};
    ask(view, "elements", (element, kind) => {
      found[kind === "scrolled" ? kind : "observed"].push(element);
      if (/-[3-9]\d(\.\d+)?%/.test(kind)) found.narrow.push(element);
    });
    return found;
  };
  const READS = 8, polls = state => state?.reads >= READS;
  // Whether a script of a window follows scrolling.
  const follows = (view, state = ask(view)) =>
    state?.isLazy || state?.wheel || polls(state) || !!view.document.querySelector("[onscroll],[onwheel]");
  // The browser loads what is less than some thousand pixels away from the window, once a frame has shown it where that is.
  const NEAR = 3000;
  const waitsForImages = ({document, innerHeight, getComputedStyle}) => [...document.querySelectorAll("[loading=lazy]")].some(element => {
    if (element.complete || (!element.offsetParent && getComputedStyle(element).position !== "fixed")) return false;
    const {top, bottom} = element.getBoundingClientRect();
    return bottom > -NEAR && top < innerHeight + NEAR;
  });
  const BY_ATTRIBUTE = ["transitionend", "transitionrun", "transitionstart", "animationend", "animationstart",
    "animationiteration", "webkitanimationend", "webkittransitionend"].map(name => `[on${name}]`).join();
  // Documents that wait for frames, that have been searched for what does, and the sizes of their windows.
  const wanting = new WeakSet(), searched = new WeakSet(), sizes = new WeakMap();
  const wantsByMarkup = document => document.querySelector(BY_ATTRIBUTE)
    || [...document.querySelectorAll("*")].some(element => element.shadowRoot);
  const drawFrames = count => new Promise(done => {
    // A view transition takes several frames before it moves.
    let left = count && count + (document.activeViewTransition ? 3 : 0);
    const next = () => { if (left-- > 0) requestAnimationFrame(next); else done(); };
    next();
  });
  // Finishes the animations that have come to their end, and draws frames. With a position, the page is scrolled there
  // before (scroll_looks.js). With isOptional, frames are drawn only if the page waits for something that they bring; else
  // it is laid out, which requests images and fonts. Returns the milliseconds to
  // the next end, or -1 for a page that waits for no frames, or -2 if nothing is left that time changes, the number of calls
  // that the browser answers in real time, and of the pending ones, and whether frames were drawn. The time between two frames by timers is multiplied by a factor.
  // Short steps of the clock finish no animations.
  const step = async (factor, isShort, after, isOptional, position) => {
    let isNeeded = false;
    const status = () => {
      let next = Infinity, isWanted = false, isIdle = true, calls = 0, pending = 0;
      const visit = view => {
        let state;
        // It is unknown what a frame of another origin waits for.
        try { state = ask(view, factor) ?? IDLE } catch { isWanted = true }
        if (!state) return;
        const {document} = view;
        isIdle &&= state === IDLE && view.length <= MOST_FRAMES && !document.querySelector("meta[http-equiv=refresh i]");
        calls += state.calls;
        pending += state.pending;
        if (document.readyState !== "loading" && !searched.has(document)) {
          searched.add(document);
          if (wantsByMarkup(document)) wanting.add(document);
        }
        const waits = () => state.isWanted || wanting.has(document);
        if (!isShort) try { next = Math.min(next, finishAnimations(view, waits() ? null : () => wanting.add(document), 1,
          state.iterates || document.querySelector("[onanimationiteration]"))) } catch { }
        isWanted ||= waits();
        if (isOptional) {
          void document.documentElement?.offsetHeight;
          isNeeded ||= waitsForImages(view);
        }
        // A frame tells a window that it has another size.
        const size = `${view.innerWidth} ${view.innerHeight}`;
        isNeeded ||= sizes.has(document) && sizes.get(document) !== size;
        sizes.set(document, size);
        for (let i = 0; i < Math.min(view.length, MOST_FRAMES); i++) visit(view[i]);
      };
      visit(globalThis);
      const waits = isWanted || next < Infinity;
      isNeeded ||= waits || calls > 0;
      return [waits ? Math.min(next, 1e9) : isIdle && !isNeeded ? -2 : -1, calls, pending];
    };
    if (position) {
      status();
      factor = 1;
      await blocksight.looks.scroll(...position);
    }
    const reply = status();
    if (isOptional && !isNeeded) after = 0;
    if (after) await drawFrames(after);
    return [...reply, after > 0 || Boolean(position)];
  };
  return {ask, watched, polls, follows, finishAnimations, drawFrames, step};
})();
