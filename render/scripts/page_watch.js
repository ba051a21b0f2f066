// Runs before any script of the page. Records under global symbols whether a script observes what enters the viewport
// (blocksight.lazy), which boxes have scroll listeners (blocksight.scrollTargets), whether a script handles the wheel
// (blocksight.wheel), and whether a script fails (blocksight.failed) or cannot be loaded (blocksight.missing).
(() => {
  const lazy = Symbol.for("blocksight.lazy"), wheel = Symbol.for("blocksight.wheel");
  const wantFrames = () => { globalThis[Symbol.for("blocksight.frames")].isWanted = true; };
  const setLazy = () => { globalThis[lazy] = true; wantFrames(); };
  const targets = globalThis[Symbol.for("blocksight.scrollTargets")] = new Set();
  const addTarget = target => { setLazy(); if (target instanceof Element && targets.size < 50) targets.add(target); };
  addEventListener("error", event => {
    if (event.target?.localName === "script") globalThis[Symbol.for("blocksight.missing")] = true;
    else if (event.error !== undefined || event.message) globalThis[Symbol.for("blocksight.failed")] = true;
  }, true);
  const watch = (owner, name, notify) => {
    const handler = {apply(target, self, args) { notify(); return Reflect.apply(target, self, args); },
      construct(target, args, newTarget) { notify(); return Reflect.construct(target, args, newTarget); }};
    if (owner[name]) owner[name] = new Proxy(owner[name], handler);
  };
  watch(globalThis, "IntersectionObserver", setLazy);
  // A script may read the position from time to time, without a listener.
  for (const name of ["scrollY", "pageYOffset"]) {
    const property = Object.getOwnPropertyDescriptor(globalThis, name);
    if (property?.get) Object.defineProperty(globalThis, name, {...property, get() { setLazy(); return property.get.call(this); }});
  }
  watch(globalThis, "ResizeObserver", wantFrames);
  watch(Element.prototype, "animate", wantFrames);
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === "scroll" || type === "scrollend") addTarget(this);
    if (/^(webkit)?(animation|transition)/i.test(type)) wantFrames();
    if (type === "wheel" || type === "mousewheel" || type === "touchmove") globalThis[wheel] = true;
    return listen.call(this, type, ...rest);
  };
  const watchProperty = (name, notify) => {
    const property = Object.getOwnPropertyDescriptor(HTMLElement.prototype, name);
    if (property) Object.defineProperty(HTMLElement.prototype, name, {...property,
      set(value) { notify(this); property.set.call(this, value); }});
  };
  watchProperty("onscroll", addTarget);
  const ofAnimations = ["ontransitionend", "ontransitionrun", "ontransitionstart", "onanimationend", "onanimationstart",
    "onanimationiteration", "onwebkitanimationend", "onwebkittransitionend"];
  for (const name of ofAnimations) watchProperty(name, wantFrames);
  addEventListener("DOMContentLoaded", () => {
    if (document.querySelector(ofAnimations.map(name => `[${name}]`).join())) wantFrames();
  });
})()
