// Drives animation frames and idle callbacks by timers, which follow the page's clock: the browser draws by real time, of
// which a fast clock leaves none. Until the document is parsed the browser's own frames are used, as it draws none before
// style sheets have loaded.
const {reportError, requestAnimationFrame: ownFrame, requestIdleCallback: ownIdle} = globalThis;
const readyState = getter(globalThis.Document?.prototype, "readyState");
const run = (work, argument) => { try { apply(work, globalThis, [argument]) } catch (error) { apply(reportError, globalThis, [error]) } };
// Above all numbers of the browser's own requests.
let isParsed = false, last = 1e6, scheduled = 0, waiting = {__proto__: null}, running = {__proto__: null};
const tick = number => {
  if (number !== scheduled) return;
  scheduled = 0;
  running = waiting;
  waiting = {__proto__: null};
  const time = now();
  for (const id in running) {
    const work = running[id];
    delete running[id];
    run(work, time);
  }
};
const timeToFrame = () => {
  const left = state.interval - now() % state.interval;
  return left < 1 ? left + state.interval : left;
};
const schedule = () => {
  const number = scheduled = ++last;
  if (isParsed) later(() => tick(number), timeToFrame());
  else apply(ownFrame, globalThis, [() => tick(number)]);
};
const idle = {__proto__: null};
const runIdle = id => {
  const work = idle[id];
  delete idle[id];
  // The clock does not advance during a task: an idle period has a hundred steps.
  let left = 50;
  if (work) run(work, {didTimeout: false, timeRemaining: () => left > 0.5 ? left -= 0.5 : 0});
};
const runIdleSoon = id => later(() => runIdle(id), 1);
// Goes over to timers once the document is parsed. The window of an empty frame may get another document.
const checkParsed = () => {
  if (isParsed || (globalThis.document && readyState(document) === "loading")) return;
  isParsed = true;
  if (scheduled) schedule();
  for (const id in idle) runIdleSoon(id);
};
for (const name of ["requestAnimationFrame", "webkitRequestAnimationFrame"]) replace(globalThis, name, "value", (own, self, args) => {
  const work = args[0];
  if (typeof work !== "function") return apply(own, self, args);
  checkParsed();
  waiting[++last] = work;
  const id = last;
  if (!scheduled) schedule();
  return id;
});
for (const name of ["cancelAnimationFrame", "webkitCancelAnimationFrame"])
  replace(globalThis, name, "value", (own, self, args) => { delete waiting[+args[0]]; delete running[+args[0]]; });
replace(globalThis, "requestIdleCallback", "value", (own, self, args) => {
  const work = args[0], id = ++last;
  if (typeof work !== "function") return apply(own, self, args);
  checkParsed();
  idle[id] = work;
  if (isParsed) runIdleSoon(id);
  else apply(ownIdle, globalThis, [() => runIdle(id)]);
  return id;
});
replace(globalThis, "cancelIdleCallback", "value", (own, self, args) => { delete idle[+args[0]]; });
