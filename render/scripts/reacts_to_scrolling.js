// Whether scrolling may change the page: a script listens or observes what enters the window, or animations follow it.
!!(globalThis[Symbol.for("blocksight.lazy")] || globalThis.onscroll || document.querySelector("[onscroll]")
  || document.getAnimations().slice(0, 500).some(animation => animation.timeline && animation.timeline !== document.timeline))
