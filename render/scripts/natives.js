// The first part of what runs in a document, or a worker, before the page's scripts. The parts share one scope, of which a
// page sees nothing. It may replace any function later: they call only what is taken here, and look nothing up in
// prototypes. An isolated world asks for their state by an event, whose name no page can guess.
"use strict";
const {apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys} = Reflect;
const {bind, call} = Function.prototype;
// method(f)(self, ...) calls f.
const method = apply(bind, bind, [call]);
const getter = (owner, name) => owner ? method(getOwnPropertyDescriptor(owner, name).get) : () => undefined;
const {scheduler, setTimeout, CustomEvent} = globalThis, postTask = scheduler?.postTask;
const addListener = method(EventTarget.prototype.addEventListener), dispatch = method(EventTarget.prototype.dispatchEvent);
const now = () => apply(readTime, performance, []), {performance} = globalThis, readTime = Performance.prototype.now;
// Scripts that clear all timers by their numbers do not find these.
const later = scheduler ? (work, delay) => { apply(postTask, scheduler, [work, {__proto__: null, delay}]); }
  : (work, delay) => { apply(setTimeout, globalThis, [work, delay]); };
// Replaces a method, getter or setter of an owner: work gets the original, this and the arguments.
const replace = (owner, name, kind, work) => {
  const found = owner && getOwnPropertyDescriptor(owner, name), original = found?.[kind];
  if (!original || !found.configurable) return;
  const replacement = new Proxy(original, {__proto__: null, apply: (_, self, args) => work(original, self, args)});
  defineProperty(owner, name, {...found, [kind]: replacement});
};
// Replaces a class: work gets the original, the arguments and new.target.
const replaceClass = (name, work) => {
  const Original = globalThis[name];
  if (!Original) return;
  const handler = {__proto__: null, construct: (_, args, target) => work(Original, args, target)};
  globalThis[name] = Original.prototype.constructor = new Proxy(Original, handler);
};
// The milliseconds between two frames, whether the page waits for something that only real frames bring, the number of
// calls that the browser answers in real time, and of the pending ones; what page_watch.js adds.
const state = {__proto__: null, interval: 1000 / 60, isWanted: false, calls: 0, pending: 0};
// Replaces the current time of dates.
const replaceClock = time => {
  const {Date: Real} = globalThis, {toString} = Real.prototype;
  replace(Real, "now", "value", time);
  const Replaced = globalThis.Date = Real.prototype.constructor = new Proxy(Real, {
    __proto__: null,
    apply: () => apply(toString, new Real(time()), []),
    construct: (_, args, target) => construct(Real, args.length ? args : [time()], target === Replaced ? Real : target),
  });
};
