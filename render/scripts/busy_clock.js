// Lets the clocks of a script advance in a loop that waits for them: virtual time does not advance during a task, and such a
// loop would never end. After MOST reads of the same time each further one is a little later, and the step grows with
// the reads.
(() => {
  const MOST = 1000, STEP = 0.01, LARGEST = 0.05;
  const {setText, replace, textOf} = Function.prototype.toString.call("KEY"), {apply} = Reflect;
  const advancing = () => {
    let last = -Infinity, reads = 0;
    return time => {
      if (time > last) [last, reads] = [time, 0];
      else if (++reads > MOST) last += Math.min(STEP * 2 ** Math.floor(reads / MOST - 1), LARGEST);
      return last;
    };
  };
  const ofDate = advancing(), ofPerformance = advancing(), Real = Date, {now} = Date;
  const realNow = globalThis.Performance?.prototype.now.bind(performance);
  const date = () => Math.floor(ofDate(now()));
  const Advancing = setText(new Proxy(Real, {
    apply: () => String(new Real(date())),
    construct(target, args, newTarget) {
      return Reflect.construct(target, args.length ? args : [date()], newTarget === Advancing ? Real : newTarget); },
  }), textOf(Real));
  replace(Real, "now", "value", date);
  Real.prototype.constructor = Advancing;
  globalThis.Date = Advancing;
  replace(globalThis.Performance?.prototype, "now", "value", (original, self, args) => ofPerformance(apply(original, self, args)));
  replace(globalThis.Performance?.prototype, "mark", "value", (original, self, [name, options, ...rest]) => {
    const hasTime = options?.startTime !== undefined;
    return apply(original, self, [name, hasTime ? options : {...options, startTime: ofPerformance(realNow())}, ...rest]);
  });
  replace(globalThis.Performance?.prototype, "measure", "value", (original, self, [name, start, end, ...rest]) => {
    const options = typeof start === "object" ? {...start} : {start: start ?? 0};
    if (end === undefined && options.end === undefined && options.duration === undefined) options.end = ofPerformance(realNow());
    return apply(original, self, end === undefined ? [name, options] : [name, start, end, ...rest]);
  });
  // The time of an event is that of its creation: it is new if no time has passed since.
  const times = new WeakMap();
  replace(globalThis.Event?.prototype, "timeStamp", "get", (original, self) => {
    const time = apply(original, self, []);
    if (!times.has(self)) times.set(self, realNow() - time < STEP ? ofPerformance(time) : time);
    return times.get(self);
  });
  const {Temporal} = globalThis;
  if (Temporal) {
    const instant = () => Temporal.Instant.fromEpochMilliseconds(date()), zone = given => given ?? Temporal.Now.timeZoneId();
    const zoned = given => instant().toZonedDateTimeISO(zone(given));
    const answers = {instant, zonedDateTimeISO: zoned, plainDateTimeISO: given => zoned(given).toPlainDateTime(),
      plainDateISO: given => zoned(given).toPlainDate(), plainTimeISO: given => zoned(given).toPlainTime()};
    for (const [name, answer] of Object.entries(answers)) replace(Temporal.Now, name, "value", (_, __, [given]) => answer(given));
  }
})()
//# sourceURL=native
