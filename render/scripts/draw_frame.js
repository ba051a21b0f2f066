// Draws a frame, unless it is a short step of the clock, and finishes the animations that have come to their end. Returns
// the milliseconds to the next end, or -1 for a page that waits for no frames, and the number of calls that the browser
// answers in real time. The time between two frames by timers is multiplied by a factor. No frame is drawn if one has just been.
((factor, isShort, isDrawn) => {
  let next = Infinity, isWanted = false, calls = 0;
  const visit = view => {
    let state;
    // It is unknown what a frame of another origin waits for.
    try { state = view[Symbol.for("blocksight.frames")] } catch { isWanted = true }
    if (!state) return;
    state.checkParsed();
    state.interval *= factor;
    calls += state.calls;
    isWanted ||= state.isWanted;
    if (!isShort) try { next = Math.min(next, state.finishAnimations()) } catch { }
    for (let i = 0; i < Math.min(view.length, 20); i++) visit(view[i]);
  };
  visit(globalThis);
  const reply = [isWanted || next < Infinity ? Math.min(next, 1e9) : -1, calls];
  if (isShort || isDrawn) return reply;
  // A view transition takes several frames before it moves.
  let left = document.activeViewTransition ? 4 : 1;
  const {draw} = globalThis[Symbol.for("blocksight.frames")];
  return new Promise(done => draw(function next() { if (--left) draw(next); else done(reply); }));
})
