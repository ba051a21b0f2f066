// Whether scrolling may change the page: a script listens, observes what enters the window or reads positions; animations or
// style sheets follow it; or it has frames, which may.
(() => {
  // A script that follows scrolling by a timer reads often.
  const MOST = 3000, READS = 20;
  if (globalThis[Symbol.for("blocksight.lazy")] || globalThis[Symbol.for("blocksight.reads")] >= READS || globalThis.onscroll || frames.length
    || document.querySelector("[onscroll],[loading=lazy]")) return true;
  if (document.getAnimations().slice(0, 500).some(animation => animation.timeline && animation.timeline !== document.timeline)) return true;
  return [...document.getElementsByTagName("*")].slice(0, MOST).some(element => {
    const css = getComputedStyle(element);
    return css.contentVisibility === "auto" || css.containerType.includes("scroll-state");
  });
})()
