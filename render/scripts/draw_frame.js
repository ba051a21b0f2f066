// Finishes the animations that have come to their end, and draws frames before and after that. With a position, the page
// is scrolled there after the frames before (scroll_looks.js). With isOptional, frames after it are drawn only if the page
// waits for something that they bring; else it is laid out, which requests images and fonts. Returns the milliseconds to
// the next end, or -1 for a page that waits for no frames, the number of calls that the browser answers in real time, and
// of the pending ones, and whether frames were drawn. The time between two frames by timers is multiplied by a factor.
// Short steps of the clock finish no animations.
(async (factor, isShort, before, after, isOptional, position) => {
  let isNeeded = false;
  const status = () => {
    let next = Infinity, isWanted = false, calls = 0, pending = 0;
    const visit = view => {
      let state;
      // It is unknown what a frame of another origin waits for.
      try { state = view[Symbol.for("blocksight.frames")] } catch { isWanted = true }
      if (!state) return;
      state.checkParsed();
      state.interval *= factor;
      calls += state.calls;
      pending += state.pending;
      isWanted ||= state.isWanted;
      if (!isShort) try { next = Math.min(next, state.finishAnimations()) } catch { }
      try {
        if (isOptional) {
          void view.document.documentElement?.offsetHeight;
          isNeeded ||= state.waitsForImages();
        }
        // A frame tells a window that it has another size.
        const size = `${view.innerWidth} ${view.innerHeight}`;
        isNeeded ||= state.size !== undefined && state.size !== size;
        state.size = size;
      } catch { }
      for (let i = 0; i < Math.min(view.length, 20); i++) visit(view[i]);
    };
    visit(globalThis);
    const waits = isWanted || next < Infinity;
    isNeeded ||= waits || calls > 0;
    return [waits ? Math.min(next, 1e9) : -1, calls, pending];
  };
  const {draw} = globalThis[Symbol.for("blocksight.frames")];
  const drawFrames = count => new Promise(done => {
    // A view transition takes several frames before it moves.
    let left = count && count + (document.activeViewTransition ? 3 : 0);
    const next = () => { if (left-- > 0) draw(next); else done(); };
    next();
  });
  if (position) {
    status();
    factor = 1;
  }
  if (before) await drawFrames(before);
  if (position) await globalThis[Symbol.for("blocksight.looks")].scroll(...position);
  const reply = status();
  if (isOptional && !isNeeded) after = 0;
  if (after) await drawFrames(after);
  return [...reply, before + after > 0 || Boolean(position)];
})
