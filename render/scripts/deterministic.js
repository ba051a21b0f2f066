// A fixed clock (the start of 2024, a Monday) and seeded random numbers. performance.now and animation frames go on: a page
// that waits for them would never finish otherwise.
const instant = 1704067200000, hexDigits = "0123456789abcdef", {imul} = Math, {Uint8Array} = globalThis;
replaceClock(() => instant);
let seed = 0x9e3779b9;
const random = () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
replace(Math, "random", "value", random);
replace(globalThis.Crypto?.prototype, "getRandomValues", "value", (original, self, args) => {
  const bytes = new Uint8Array(args[0].buffer, args[0].byteOffset, args[0].byteLength);
  for (let i = 0; i < bytes.length; i++) bytes[i] = random() * 256;
  return args[0];
});
const hex = digits => digits ? hexDigits[random() * 16 | 0] + hex(digits - 1) : "";
replace(globalThis.Crypto?.prototype, "randomUUID", "value", () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`);
