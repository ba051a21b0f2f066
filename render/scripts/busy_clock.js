// Lets the clocks of a script advance in a loop that waits for them: virtual time does not advance during a task, and such a
// loop would never end. After MOST reads of the same time each further one is a little later, and the step grows with
// the reads.
const MOST = 1000, STEP = 0.01, LARGEST = 0.05, {floor, min} = Math;
const advancing = () => {
  let last = -Infinity, reads = 0;
  return time => {
    if (time > last) {
      last = time;
      reads = 0;
    } else if (++reads > MOST) last += min(STEP * 2 ** floor(reads / MOST - 1), LARGEST);
    return last;
  };
};
const ofDate = advancing(), ofPerformance = advancing(), {now: dateNow} = Date;
const date = () => floor(ofDate(dateNow()));
replaceClock(date);
const timing = globalThis.Performance?.prototype;
replace(timing, "now", "value", (original, self, args) => ofPerformance(apply(original, self, args)));
replace(timing, "mark", "value", (original, self, args) => {
  if (args[1]?.startTime === undefined) args[1] = {...args[1], startTime: ofPerformance(now())};
  return apply(original, self, args);
});
replace(timing, "measure", "value", (original, self, args) => {
  const start = args[1], options = typeof start === "object" ? {...start} : {start: start ?? 0};
  if (args[2] !== undefined) return apply(original, self, args);
  if (options.end === undefined && options.duration === undefined) options.end = ofPerformance(now());
  return apply(original, self, [args[0], options]);
});
// The time of an event is that of its creation: it is new if no time has passed since.
const times = new WeakMap(), timeOf = method(times.get), setTime = method(times.set);
replace(globalThis.Event?.prototype, "timeStamp", "get", (original, self) => {
  const time = apply(original, self, []);
  if (timeOf(times, self) === undefined) setTime(times, self, now() - time < STEP ? ofPerformance(time) : time);
  return timeOf(times, self);
});
const {Temporal} = globalThis;
if (Temporal) {
  const instant = () => Temporal.Instant.fromEpochMilliseconds(date()), zone = given => given ?? Temporal.Now.timeZoneId();
  const zoned = given => instant().toZonedDateTimeISO(zone(given));
  const answers = {instant, zonedDateTimeISO: zoned, plainDateTimeISO: given => zoned(given).toPlainDateTime(),
    plainDateISO: given => zoned(given).toPlainDate(), plainTimeISO: given => zoned(given).toPlainTime()};
  for (const [name, answer] of Object.entries(answers)) replace(Temporal.Now, name, "value", (_, __, args) => answer(args[0]));
}
