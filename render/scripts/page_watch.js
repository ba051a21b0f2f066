// Tells where the WINDOW is, and its size, of which the browser tells a new document late, or never. Records whether a
// script follows what scrolling brings into view, which elements it observes and where it listens to scrolling, whether it
// handles the wheel, and whether a script fails (with the first messages) or cannot be loaded; answers the event of an
// isolated world.
const TOLD = {screenX: WINDOW.left, screenLeft: WINDOW.left, screenY: WINDOW.top, screenTop: WINDOW.top,
  outerWidth: WINDOW.width, outerHeight: WINDOW.height};
for (const name in TOLD) replace(globalThis, name, "get", () => TOLD[name]);
const MOST_BOXES = 50, MOST_OBSERVED = 200, MOST_FAILURES = 10;
state.isLazy = state.wheel = state.iterates = state.isMissing = false;
state.reads = 0;
state.failed = {__proto__: null};
// Elements, with what the isolated world is told of them.
const elements = {__proto__: null}, counts = {__proto__: null, scrolled: 0, observed: 0, failed: 0};
const add = (element, kind, most, text) => {
  const number = counts[kind]++;
  if (number < most) elements[kind + number] = {__proto__: null, element, text};
};
const detailOf = getter(CustomEvent.prototype, "detail"), targetOf = getter(Event.prototype, "target");
const messageOf = getter(ErrorEvent.prototype, "message"), errorOf = getter(ErrorEvent.prototype, "error");
const nodeType = getter(Node.prototype, "nodeType"), ownerOf = getter(Node.prototype, "ownerDocument");
const localName = getter(Element.prototype, "localName"), viewOf = getter(Document.prototype, "defaultView");
const marginOf = getter(IntersectionObserver.prototype, "rootMargin");
const typeOf = target => { try { return nodeType(target) } catch { return 0 } };
const tell = (target, detail) => dispatch(target, new CustomEvent("KEY", {__proto__: null, detail}));
const isReached = () => { try { return Boolean(top.document) } catch { return false } };
// In a frame that no isolated world of the page reaches.
const finishByTimers = () => {
  const next = finishAnimations(globalThis);
  later(finishByTimers, next < 50 ? 50 : next > 500 ? 500 : next);
};
const wantFrames = () => {
  if (!state.isWanted && !isReached()) finishByTimers();
  state.isWanted = true;
};
const setLazy = () => {
  state.isLazy = true;
  wantFrames();
};
const addTarget = target => {
  const type = typeOf(target), owner = type === 9 ? target : type ? ownerOf(target) : null;
  // A frame may lend its functions to its page.
  const view = owner ? viewOf(owner) : target?.window === target ? target : globalThis;
  if (view && view !== globalThis) return tell(view, "scrolls");
  setLazy();
  if (type === 1) add(target, "scrolled", MOST_BOXES, "scrolled");
};
const notifying = notify => (original, self, args) => { notify(self); return apply(original, self, args); };
const watchClass = (name, notify) => replaceClass(name, (Original, args, target) => {
  const made = construct(Original, args, target);
  notify();
  return made;
});
watchClass("IntersectionObserver", setLazy);
watchClass("ResizeObserver", wantFrames);
watchClass("PerformanceObserver", wantFrames);
replace(IntersectionObserver.prototype, "observe", "value", (original, self, args) => {
  if (typeOf(args[0]) === 1) add(args[0], "observed", MOST_OBSERVED, marginOf(self));
  return apply(original, self, args);
});
// A script may read the position from time to time, without a listener.
for (const name of ["scrollX", "scrollY", "pageXOffset", "pageYOffset"]) replace(globalThis, name, "get", notifying(setLazy));
// Moments at which a script reads where something is: one that follows scrolling by a timer does so often.
let lastRead = -Infinity;
const setReads = () => {
  const time = now();
  if (time - lastRead > 100) {
    lastRead = time;
    state.reads++;
  }
};
for (const owner of [Element.prototype, Range.prototype])
  for (const name of ["getBoundingClientRect", "getClientRects", "checkVisibility"]) replace(owner, name, "value", notifying(setReads));
for (const name of ["elementFromPoint", "elementsFromPoint", "caretPositionFromPoint", "caretRangeFromPoint"]) replace(Document.prototype, name, "value", notifying(setReads));
for (const name of ["scrollTop", "scrollLeft"]) replace(Element.prototype, name, "get", notifying(setReads));
for (const name of ["pageTop", "pageLeft"]) replace(globalThis.VisualViewport?.prototype, name, "get", notifying(setReads));
// What is inside of a shadow root is not searched for what only frames bring.
for (const name of ["attachShadow", "animate"]) replace(Element.prototype, name, "value", notifying(wantFrames));
for (const owner of [Element.prototype, Document.prototype]) replace(owner, "startViewTransition", "value", notifying(wantFrames));
const setWheel = () => { state.wheel = true; };
const KINDS = {__proto__: null};
for (const name of ["scroll", "scrollend", "scrollsnapchange", "scrollsnapchanging"]) KINDS[name] = addTarget;
for (const name of ["wheel", "mousewheel", "touchmove"]) KINDS[name] = setWheel;
for (const name of ["animationstart", "animationend", "animationiteration", "animationcancel", "transitionrun", "transitionstart",
  "transitionend", "transitioncancel", "webkitAnimationStart", "webkitAnimationEnd", "webkitAnimationIteration",
  "webkitTransitionEnd"]) KINDS[name] = wantFrames;
KINDS.contentvisibilityautostatechange = setLazy;
KINDS.animationiteration = KINDS.webkitAnimationIteration = () => {
  state.iterates = true;
  wantFrames();
};
replace(EventTarget.prototype, "addEventListener", "value", (original, self, args) => {
  if (typeof args[0] === "object") args[0] = `${args[0]}`;
  KINDS[args[0]]?.(self ?? globalThis);
  return apply(original, self, args);
});
for (const owner of [globalThis, HTMLElement.prototype, HTMLBodyElement.prototype, SVGElement.prototype, Document.prototype])
  for (const name in KINDS) replace(owner, "on" + name.toLowerCase(), "set", notifying(self => KINDS[name](self ?? globalThis)));
const fail = event => {
  const target = targetOf(event);
  if (typeOf(target) === 1) state.isMissing ||= localName(target) === "script";
  else if (errorOf(event) !== undefined || messageOf(event)) {
    if (counts.failed < MOST_FAILURES) state.failed[counts.failed++] = messageOf(event);
  }
};
// The event is the question: "scrolls" of another frame, "elements", or a factor for the time between two frames.
const answer = event => {
  const question = detailOf(event);
  if (question === "scrolls") return setLazy();
  if (question === "elements") {
    for (const key in elements) dispatch(elements[key].element, new CustomEvent("KEY-", {__proto__: null, detail: elements[key].text}));
    return;
  }
  checkParsed();
  state.interval *= question;
  dispatch(globalThis, new CustomEvent("KEY-", {__proto__: null, detail: state}));
};
const listen = () => {
  addListener(globalThis, "KEY", answer, true);
  addListener(globalThis, "error", fail, true);
  addListener(globalThis, "DOMContentLoaded", checkParsed, true);
};
listen();
// A document that is written anew loses its listeners.
for (const name of ["open", "write", "writeln"]) replace(Document.prototype, name, "value", (original, self, args) => {
  const result = apply(original, self, args);
  listen();
  return result;
});
