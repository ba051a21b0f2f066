// Scrolls every box that has a scroll listener by one pixel for two frames; keeps the boxes that a script scrolls back both
// times (blocksight.locked).
(async () => {
  const scrollTo = (box, top) => box.scrollTo({top, behavior: "instant"});
  const scrolledBack = async boxes => {
    const before = boxes.map(box => box.scrollTop);
    boxes.forEach((box, i) => scrollTo(box, before[i] + 1));
    const moved = boxes.filter((box, i) => box.scrollTop !== before[i]);
    await blocksight.drawFrames(2);
    const back = boxes.filter((box, i) => moved.includes(box) && box.scrollTop === before[i]);
    boxes.forEach((box, i) => scrollTo(box, before[i]));
    return back;
  };
  const view = document.scrollingElement || document.documentElement;
  const first = await scrolledBack([...new Set([view, ...blocksight.watched(globalThis).scrolled])]);
  blocksight.locked = first.length ? await scrolledBack(first) : [];
})()
