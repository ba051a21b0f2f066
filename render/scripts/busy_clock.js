// Lets the clocks of a script advance in a loop that waits for them: virtual time does not advance during a task, and such a
// loop would never end. After MOST reads of the same time each further one is a little later.
(() => {
  const MOST = 1000, STEP = 0.01;
  const {disguise, replace, textOf} = Function.prototype.toString.call("KEY"), {apply} = Reflect;
  const advancing = () => {
    let last = -Infinity, reads = 0;
    return time => {
      if (time > last) [last, reads] = [time, 0];
      else if (++reads > MOST) last += STEP;
      return last;
    };
  };
  const ofDate = advancing(), ofPerformance = advancing(), Real = Date, {now} = Date;
  const date = () => Math.floor(ofDate(now()));
  const Advancing = disguise(new Proxy(Real, {
    construct(target, args, newTarget) {
      return Reflect.construct(target, args.length ? args : [date()], newTarget === Advancing ? Real : newTarget); },
  }), textOf(Real));
  replace(Real, "now", "value", date);
  Real.prototype.constructor = Advancing;
  globalThis.Date = Advancing;
  replace(globalThis.Performance?.prototype, "now", "value", (original, self, args) => ofPerformance(apply(original, self, args)));
})()
//# sourceURL=native
