// Whether the page may load or show more when something enters the viewport: 2 if a script does that, 1 if the browser
// loads images or frames.
(() => {
  if (blocksight.follows(globalThis)) return 2;
  // What has no box enters no viewport.
  const hasBox = element => element.offsetParent || getComputedStyle(element).position === "fixed";
  const isWaiting = element => !(element.localName === "img" && element.complete) && hasBox(element);
  return Number([...document.querySelectorAll("[loading=lazy]")].some(isWaiting));
})()
