// Scrolls every box that has a scroll listener by one pixel for two frames; records the boxes that a script scrolls back
// both times (blocksight.locked).
(async () => {
  const targets = [
    ...(globalThis[Symbol.for("blocksight.scrollTargets")] || []), ...document.querySelectorAll("[onscroll]")];
  const draw = globalThis[Symbol.for("blocksight.frames")]?.draw || requestAnimationFrame;
  const frames = () => new Promise(done => draw(() => draw(done)));
  const scrollTo = (box, top) => box.scrollTo({top, behavior: "instant"});
  const scrolledBack = async boxes => {
    const before = boxes.map(box => box.scrollTop);
    boxes.forEach((box, i) => scrollTo(box, before[i] + 1));
    const moved = boxes.filter((box, i) => box.scrollTop !== before[i]);
    await frames();
    const back = boxes.filter((box, i) => moved.includes(box) && box.scrollTop === before[i]);
    boxes.forEach((box, i) => scrollTo(box, before[i]));
    return back;
  };
  const first = await scrolledBack([...new Set([document.scrollingElement || document.documentElement, ...targets])]);
  globalThis[Symbol.for("blocksight.locked")] = first.length ? await scrolledBack(first) : [];
})()
