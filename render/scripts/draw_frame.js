// Draws a frame if the page waits for something that only real frames bring, and finishes the animations that have come to
// their end. Returns the milliseconds to the next end, or -1 for a page that waits for no frames, and the number of frames
// by timers since the last call. The time between two frames is multiplied by a factor.
(factor => {
  let next = Infinity, isWanted = false, isWantedNow = false, count = 0;
  const visit = view => {
    let state;
    // It is unknown what a frame of another origin waits for.
    try { state = view[Symbol.for("blocksight.frames")] } catch { isWanted = true }
    if (!state) return;
    state.checkParsed();
    state.interval *= factor;
    count += state.count;
    state.count = 0;
    if (state.wanted-- > 0) isWantedNow = true;
    if (state.isWanted) {
      isWanted = true;
      try { next = Math.min(next, state.finishAnimations()) } catch { }
    }
    for (let i = 0; i < Math.min(view.length, 20); i++) visit(view[i]);
  };
  visit(globalThis);
  const reply = [isWanted ? Math.min(next, 1e9) : -1, count];
  if (!isWanted && !isWantedNow) return reply;
  return new Promise(done => globalThis[Symbol.for("blocksight.frames")].draw(() => done(reply)));
})
