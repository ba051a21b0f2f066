// Runs before any script of the page. Records under global symbols whether a script observes what enters the viewport
// (blocksight.lazy), which boxes have scroll listeners (blocksight.scrollTargets), whether a script handles the wheel
// (blocksight.wheel), and whether a script fails (blocksight.failed) or cannot be loaded (blocksight.missing).
(() => {
  const lazy = Symbol.for("blocksight.lazy"), wheel = Symbol.for("blocksight.wheel");
  const setLazy = () => { globalThis[lazy] = true; };
  const targets = globalThis[Symbol.for("blocksight.scrollTargets")] = new Set();
  const addTarget = target => { setLazy(); if (target instanceof Element && targets.size < 50) targets.add(target); };
  addEventListener("error", event => {
    if (event.target?.localName === "script") globalThis[Symbol.for("blocksight.missing")] = true;
    else if (event.error !== undefined || event.message) globalThis[Symbol.for("blocksight.failed")] = true;
  }, true);
  const Observer = globalThis.IntersectionObserver;
  if (Observer) globalThis.IntersectionObserver = new Proxy(Observer, {
    construct(target, args, newTarget) { setLazy(); return Reflect.construct(target, args, newTarget); } });
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === "scroll" || type === "scrollend") addTarget(this);
    if (type === "wheel" || type === "mousewheel" || type === "touchmove") globalThis[wheel] = true;
    return listen.call(this, type, ...rest);
  };
  const property = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "onscroll");
  if (property) Object.defineProperty(HTMLElement.prototype, "onscroll", {...property,
    set(value) { addTarget(this); property.set.call(this, value); }});
})()
