// Scrolls by a pixel and back, each for a frame, if there is anything to scroll to.
(async () => {
  const view = document.scrollingElement || document.documentElement;
  if (view.scrollHeight <= view.clientHeight) return;
  for (const top of [1, 0]) {
    view.scrollTo({top, behavior: "instant"});
    await blocksight.drawFrames(1);
  }
})()
