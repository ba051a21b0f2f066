// Whether the page may load or show more when something enters the viewport: 2 if a script does that, 1 if the browser
// loads images or frames.
(() => {
  if (globalThis[Symbol.for("blocksight.lazy")] || globalThis.onscroll || document.querySelector("[onscroll]")) return 2;
  const isLoaded = element => element.localName === "img" && element.complete;
  return Number(![...document.querySelectorAll("[loading=lazy]")].every(isLoaded));
})()
