// Runs before any script of the page. Records under global symbols whether a script observes what enters the viewport
// (blocksight.lazy), which elements it observes (blocksight.observed), which boxes have scroll listeners
// (blocksight.scrollTargets), whether a script handles the wheel (blocksight.wheel), and whether a script fails
// (blocksight.failed, with the first messages) or cannot be loaded (blocksight.missing).
(() => {
  const {setText, replace, textOf} = Function.prototype.toString.call("KEY"), {apply} = Reflect;
  const lazy = Symbol.for("blocksight.lazy"), wheel = Symbol.for("blocksight.wheel");
  const frames = globalThis[Symbol.for("blocksight.frames")], wantFrames = () => frames.want();
  const scrollTargets = Symbol.for("blocksight.scrollTargets"), reads = Symbol.for("blocksight.reads");
  globalThis[scrollTargets] = new Set();
  const narrow = globalThis[Symbol.for("blocksight.narrow")] = new Set(), narrowObservers = new WeakSet();
  const setLazy = (view = globalThis) => { view[lazy] = true; view[Symbol.for("blocksight.frames")]?.want(); };
  // The window of the target: a frame may lend its functions to its page.
  const addTarget = target => {
    const view = target?.ownerDocument?.defaultView ?? target?.defaultView ?? (target?.window === target ? target : globalThis);
    setLazy(view);
    if (target?.nodeType === 1 && view[scrollTargets]?.size < 50) view[scrollTargets].add(target);
  };
  const observed = globalThis[Symbol.for("blocksight.observed")] = new Set();
  const failed = Symbol.for("blocksight.failed");
  const addFailure = message => { if ((globalThis[failed] ??= []).length < 10) globalThis[failed].push(`${message}`.slice(0, 300)); };
  addEventListener("error", event => {
    if (event.target?.localName === "script") globalThis[Symbol.for("blocksight.missing")] = true;
    else if (event.error !== undefined || event.message) addFailure(event.message);
  }, true);
  const watchClass = (name, notify) => {
    const Original = globalThis[name];
    if (Original) globalThis[name] = Original.prototype.constructor = setText(new Proxy(Original, {
      construct(target, args, newTarget) {
        const made = Reflect.construct(target, args, newTarget);
        notify(made, args);
        return made;
      } }), textOf(Original));
  };
  watchClass("IntersectionObserver", (observer, [, options]) => {
    setLazy();
    if (/-[3-9]\d(\.\d+)?%/.test(options?.rootMargin)) narrowObservers.add(observer);
  });
  replace(globalThis.IntersectionObserver?.prototype, "observe", "value", (original, self, args) => {
    if (args[0] instanceof Element && observed.size < 200) observed.add(args[0]);
    if (args[0] instanceof Element && narrow.size < 8 && narrowObservers.has(self)) narrow.add(args[0]);
    return apply(original, self, args);
  });
  watchClass("ResizeObserver", wantFrames);
  watchClass("PerformanceObserver", wantFrames);
  const notifying = notify => (original, self, args) => { notify(self); return apply(original, self, args); };
  // A script may read the position from time to time, without a listener.
  for (const name of ["scrollX", "scrollY", "pageXOffset", "pageYOffset"]) replace(globalThis, name, "get", notifying(() => setLazy()));
  globalThis[reads] = 0;
  const setReads = () => { globalThis[reads]++; };
  for (const owner of [Element.prototype, Range.prototype])
    for (const name of ["getBoundingClientRect", "getClientRects", "checkVisibility"]) replace(owner, name, "value", notifying(setReads));
  for (const name of ["elementFromPoint", "elementsFromPoint"]) replace(Document.prototype, name, "value", notifying(setReads));
  for (const name of ["scrollTop", "scrollLeft"]) replace(Element.prototype, name, "get", notifying(setReads));
  for (const name of ["pageTop", "pageLeft"]) replace(globalThis.VisualViewport?.prototype, name, "get", notifying(setReads));
  // What is inside of a shadow root is not searched for what only frames bring.
  replace(Element.prototype, "attachShadow", "value", notifying(wantFrames));
  replace(Element.prototype, "animate", "value", notifying(wantFrames));
  replace(Document.prototype, "startViewTransition", "value", notifying(wantFrames));
  replace(EventTarget.prototype, "addEventListener", "value", (original, self, args) => {
    const [type] = args;
    if (/^scroll(end|snapchange|snapchanging)?$/.test(type)) addTarget(self);
    if (type === "contentvisibilityautostatechange") setLazy();
    if (/^(webkit)?(animation|transition)/i.test(type)) wantFrames();
    if (type === "wheel" || type === "mousewheel" || type === "touchmove") globalThis[wheel] = true;
    return apply(original, self, args);
  });
  for (const owner of [HTMLElement.prototype, Document.prototype])
    for (const name of ["onscroll", "onscrollend"]) replace(owner, name, "set", notifying(addTarget));
  for (const name of ["onscroll", "onscrollend"]) replace(globalThis, name, "set", notifying(() => setLazy()));
  const ofAnimations = ["ontransitionend", "ontransitionrun", "ontransitionstart", "onanimationend", "onanimationstart",
    "onanimationiteration", "onwebkitanimationend", "onwebkittransitionend"];
  for (const name of ofAnimations) replace(HTMLElement.prototype, name, "set", notifying(wantFrames));
  addEventListener("DOMContentLoaded", () => {
    const hasShadow = () => [...document.querySelectorAll("*")].some(element => element.shadowRoot);
    if (document.querySelector(ofAnimations.map(name => `[${name}]`).join()) || hasShadow()) wantFrames();
  });
})()
//# sourceURL=native
