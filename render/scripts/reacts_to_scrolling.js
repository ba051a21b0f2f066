// Whether scrolling may change the page or one of its frames: a script listens, observes what enters the window or reads
// positions; animations or style sheets follow it; or an image or frame is still to be loaded, unless all of the page has
// been in the window. 2 for a script that reads positions from time to time.
(hasBeenInWindow => {
  const MOST = 3000, MOST_FRAMES = 20;
  // What has no box enters no window.
  const isWaiting = element => !element.complete && (element.offsetParent || getComputedStyle(element).position === "fixed");
  const reacts = view => {
    const {document, getComputedStyle} = view;
    if (blocksight.follows(view) || document.querySelector("frame")) return true;
    const isShown = hasBeenInWindow && view === globalThis;
    if (!isShown && [...document.querySelectorAll("iframe[loading=lazy],img[loading=lazy]")].some(isWaiting)) return true;
    if (document.getAnimations().slice(0, 500).some(animation => animation.timeline && animation.timeline !== document.timeline)) return true;
    if ([...document.getElementsByTagName("*")].slice(0, MOST).some(element => {
      const css = getComputedStyle(element);
      return css.contentVisibility === "auto" || css.containerType.includes("scroll-state");
    })) return true;
    if (view.length > MOST_FRAMES) return true;
    for (let i = 0; i < view.length; i++) if (mayReact(view[i])) return true;
    return false;
  };
  // It is unknown what a frame of another origin does.
  const mayReact = view => { try { return reacts(view) } catch { return true } };
  return blocksight.polls(blocksight.ask(globalThis)) ? 2 : Number(mayReact(globalThis));
})
