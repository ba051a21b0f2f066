// Scrolls by a pixel and back, each for a frame.
(async () => {
  const view = document.scrollingElement || document.documentElement;
  const {draw} = globalThis[Symbol.for("blocksight.frames")];
  for (const top of [1, 0]) {
    view.scrollTo({top, behavior: "instant"});
    await new Promise(done => draw(done));
  }
})()
