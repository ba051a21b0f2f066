// Runs before any script of the page. Records under global symbols whether a script observes what enters the viewport
// (blocksight.lazy), which boxes have scroll listeners (blocksight.scrollTargets), whether a script handles the wheel
// (blocksight.wheel), and whether a script fails (blocksight.failed) or cannot be loaded (blocksight.missing).
(() => {
  const {disguise, replace, textOf} = Function.prototype.toString.call("KEY"), {apply} = Reflect;
  const lazy = Symbol.for("blocksight.lazy"), wheel = Symbol.for("blocksight.wheel");
  const setLazy = () => { globalThis[lazy] = true; };
  const targets = globalThis[Symbol.for("blocksight.scrollTargets")] = new Set();
  const addTarget = target => { setLazy(); if (target instanceof Element && targets.size < 50) targets.add(target); };
  addEventListener("error", event => {
    if (event.target?.localName === "script") globalThis[Symbol.for("blocksight.missing")] = true;
    else if (event.error !== undefined || event.message) globalThis[Symbol.for("blocksight.failed")] = true;
  }, true);
  const Observer = globalThis.IntersectionObserver;
  if (Observer) globalThis.IntersectionObserver = disguise(new Proxy(Observer, {
    construct(target, args, newTarget) { setLazy(); return Reflect.construct(target, args, newTarget); } }), textOf(Observer));
  replace(EventTarget.prototype, "addEventListener", "value", (original, self, args) => {
    const [type] = args;
    if (type === "scroll" || type === "scrollend") addTarget(self);
    if (type === "wheel" || type === "mousewheel" || type === "touchmove") globalThis[wheel] = true;
    return apply(original, self, args);
  });
  replace(HTMLElement.prototype, "onscroll", "set", (original, self, args) => {
    addTarget(self);
    return apply(original, self, args);
  });
})()
//# sourceURL=native
