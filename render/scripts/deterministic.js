// A fixed clock (the start of 2024, a Monday) and seeded random numbers, for every frame of a page. performance.now and
// animation frames go on: a page that waits for them would never finish otherwise.
(() => {
  const {setText, replace, textOf} = Function.prototype.toString.call("KEY");
  const instant = 1704067200000, Real = Date;
  const Fixed = setText(new Proxy(Real, {
    construct(target, args, newTarget) {
      return Reflect.construct(target, args.length ? args : [instant], newTarget === Fixed ? Real : newTarget); },
    apply() { return new Real(instant).toString(); },
  }), textOf(Real));
  replace(Real, "now", "value", () => instant);
  Real.prototype.constructor = Fixed;
  globalThis.Date = Fixed;
  let state = 0x9e3779b9;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  replace(Math, "random", "value", random);
  const hex = (digits) => Array.from({length: digits}, () => Math.floor(random() * 16).toString(16)).join("");
  replace(globalThis.Crypto?.prototype, "getRandomValues", "value", (original, self, [array]) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
    return array;
  });
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  replace(globalThis.Crypto?.prototype, "randomUUID", "value", uuid);
})()
//# sourceURL=native
