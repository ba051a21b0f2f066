// Counts the calls of functions that the browser answers in real time, and those whose promise is pending: the page's
// clock, which is faster, must leave time for the answers. A worker that ends while it runs may stop the clock of its page
// for ever (Chromium 156): one that is ended is silent at once, and ends a second of the clock later.
const CLASSES = ["BaseAudioContext", "Blob", "Cache", "CacheStorage", "Clipboard", "CookieStore", "FileReader",
  "FileSystemDirectoryHandle", "FileSystemFileHandle", "Geolocation", "GPU", "HTMLImageElement", "HTMLMediaElement", "IDBCursor",
  "IDBDatabase", "IDBFactory", "IDBIndex", "IDBObjectStore", "ImageDecoder", "LockManager", "MediaCapabilities", "MediaDevices",
  "NavigatorUAData", "OfflineAudioContext", "Permissions", "Response", "RTCPeerConnection", "ServiceWorkerContainer",
  "SpeechSynthesis", "StorageManager", "SubtleCrypto", "Worklet"];
// Their promises may stay pending as long as the page: a lock that is kept, a video without data.
const KEPT = {__proto__: null, play: true, request: true};
const END = 1000, MOST_ENDING = 20, {then} = Promise.prototype, isPromise = method(Object.prototype.isPrototypeOf);
const settle = () => { state.pending--; };
const count = (owner, name) => replace(owner, name, "value", (original, self, args) => {
  state.calls++;
  const answer = apply(original, self, args);
  if (!KEPT[name] && isPromise(promises, answer)) {
    state.pending++;
    apply(then, answer, [settle, settle]);
  }
  return answer;
});
const promises = Promise.prototype;
for (const owner of CLASSES.map(name => globalThis[name]?.prototype))
  for (const name of owner ? ownKeys(owner) : []) if (name !== "constructor" && typeof name !== "symbol") count(owner, name);
for (const name of ["back", "forward", "go"]) count(globalThis.History?.prototype, name);
for (const name of ["compile", "compileStreaming", "instantiate", "instantiateStreaming"]) count(globalThis.WebAssembly, name);
for (const name of ["getBattery", "requestMediaKeySystemAccess", "requestMIDIAccess"]) count(globalThis.Navigator?.prototype, name);
count(globalThis, "createImageBitmap");
count(globalThis.HTMLCanvasElement?.prototype, "toBlob");
// The browser would still write more cookies when the page has ended, and keep the next one waiting.
const MOST_COOKIES = 2000;
let cookies = 0;
for (const [owner, name, kind] of [[globalThis.Document?.prototype, "cookie", "set"], [globalThis.CookieStore?.prototype, "set", "value"]])
  replace(owner, name, kind, (original, self, args) => cookies++ < MOST_COOKIES ? apply(original, self, args) : undefined);
// Their messages may come at any time.
for (const name of ["BroadcastChannel", "SharedWorker", "WebSocket", "WebTransport"]) replaceClass(name, (Original, args, target) => {
  const made = construct(Original, args, target);
  state.calls++;
  return made;
});
const ended = new WeakSet(), isEnded = method(ended.has), noteEnded = method(ended.add);
const {postMessage: post, terminate} = globalThis.Worker?.prototype ?? {};
const dataOf = getter(MessageEvent.prototype, "data"), silence = method(Event.prototype.stopImmediatePropagation);
// The first listener: it can keep an event from all others.
const listenFirst = (target, isKept) => {
  for (let i = 0; i < 3; i++)
    addListener(target, i === 0 ? "message" : i === 1 ? "messageerror" : "error", event => { if (isKept(event, i === 0)) silence(event); });
};
let ending = 0;
const endLater = worker => {
  noteEnded(ended, worker);
  if (++ending > MOST_ENDING) apply(terminate, worker, []);
  later(() => { ending--; apply(terminate, worker, []); }, END);
};
replaceClass("Worker", (Original, args, target) => {
  const worker = construct(Original, args, target);
  listenFirst(worker, (event, isMessage) => {
    if (isMessage && dataOf(event) === "END" && !isEnded(ended, worker)) endLater(worker);
    return isEnded(ended, worker);
  });
  return worker;
});
replace(globalThis.Worker?.prototype, "postMessage", "value", (original, self, args) => {
  if (isEnded(ended, self)) return;
  state.calls++;
  return apply(original, self, args);
});
replace(globalThis.Worker?.prototype, "terminate", "value", (original, self) => {
  if (isEnded(ended, self)) return;
  apply(post, self, ["END"]);
  endLater(self);
});
if (globalThis.DedicatedWorkerGlobalScope) {
  const {close, postMessage: report} = globalThis;
  let isSilent = false;
  for (const owner of [globalThis, globalThis.MessagePort?.prototype, globalThis.BroadcastChannel?.prototype])
    replace(owner, "postMessage", "value", (original, self, args) => isSilent ? undefined : apply(original, self, args));
  listenFirst(globalThis, (event, isMessage) => isSilent ||= isMessage && dataOf(event) === "END");
  addListener(globalThis, "END", () => apply(close, globalThis, []));
  // What the task that ends it sends is heard. The page ends it: a worker that ends itself stops the clock, too.
  replace(globalThis, "close", "value", () => later(() => {
    if (!isSilent) apply(report, globalThis, ["END"]);
    isSilent = true;
  }, 0));
}
