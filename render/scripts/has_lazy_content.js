// Whether the page may load or show more when something enters the viewport.
!!(globalThis[Symbol.for("blocksight.lazy")] || globalThis.onscroll
  || document.querySelector("[loading=lazy],[onscroll]"))
