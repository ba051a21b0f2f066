// Whether scrolling may change the page or one of its frames: 1 if a script listens or observes what enters the window, or
// animations or style sheets follow scrolling; 2 if a script reads positions from time to time, or moves by the wheel a page
// that does not scroll; 3 if only an image or frame is still to be loaded.
(() => {
  const MOST = 3000, MOST_FRAMES = 20;
  const followsByStyle = ({document, getComputedStyle}) =>
    document.getAnimations().slice(0, 500).some(animation => animation.timeline && animation.timeline !== document.timeline)
    || [...document.getElementsByTagName("*")].slice(0, MOST).some(element => {
      const css = getComputedStyle(element);
      return css.contentVisibility === "auto" || css.containerType.includes("scroll-state")
        || (css.timelineTriggerName ?? "none") !== "none";
    });
  // What has no box enters no window.
  const isWaiting = element => !element.complete && (element.offsetParent || getComputedStyle(element).position === "fixed");
  const reacts = view => {
    const {document} = view;
    if (blocksight.follows(view) || document.querySelector("frame") || followsByStyle(view) || view.length > MOST_FRAMES) return 1;
    let reply = [...document.querySelectorAll("iframe[loading=lazy],img[loading=lazy]")].some(isWaiting) ? 3 : 0;
    for (let i = 0; i < view.length; i++) {
      const inner = mayReact(view[i]);
      if (inner === 1) return 1;
      reply ||= inner;
    }
    return reply;
  };
  // It is unknown what a frame of another origin does.
  const mayReact = view => { try { return reacts(view) } catch { return 1 } };
  const state = blocksight.ask(globalThis), isMoved = state?.wheel && document.documentElement.scrollHeight <= innerHeight + 1;
  return isMoved || blocksight.polls(state) ? 2 : mayReact(globalThis);
})()
