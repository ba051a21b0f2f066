// Counts the calls of functions that the browser answers in real time, under blocksight.frames, and those whose promise is
// pending: the page's clock, which is faster, must leave time for the answers. A worker that ends while it runs may stop
// the clock of its page for ever (Chromium 156): one that is ended is silent at once, and ends a second of the clock later.
(() => {
  const CLASSES = ["BaseAudioContext", "Blob", "Cache", "CacheStorage", "Clipboard", "CookieStore", "FileReader",
    "FileSystemDirectoryHandle", "FileSystemFileHandle", "Geolocation", "GPU", "HTMLImageElement", "HTMLMediaElement", "IDBCursor",
    "IDBDatabase", "IDBFactory", "IDBIndex", "IDBObjectStore", "ImageDecoder", "LockManager", "MediaCapabilities", "MediaDevices",
    "NavigatorUAData", "OfflineAudioContext", "Permissions", "Response", "RTCPeerConnection", "ServiceWorkerContainer",
    "SpeechSynthesis", "StorageManager", "SubtleCrypto", "Worklet"];
  // Their messages may come at any time.
  const LISTENING = ["BroadcastChannel", "SharedWorker", "WebSocket", "WebTransport"];
  // Their promises may stay pending as long as the page: a lock that is kept, a video without data.
  const KEPT = ["play", "request"];
  const END = 1000, MOST_ENDING = 20;
  const {setText, replace, textOf} = Function.prototype.toString.call("KEY"), {apply, construct, ownKeys} = Reflect;
  const {addEventListener} = EventTarget.prototype, {Worker} = globalThis;
  const frames = globalThis[Symbol.for("blocksight.frames")], {Promise} = globalThis, {then} = Promise.prototype;
  const settle = () => { frames.pending--; };
  const count = (owner, name) => replace(owner, name, "value", (original, self, args) => {
    frames.calls++;
    const answer = apply(original, self, args);
    if (answer instanceof Promise && !KEPT.includes(name)) {
      frames.pending++;
      apply(then, answer, [settle, settle]);
    }
    return answer;
  });
  for (const owner of CLASSES.map(name => globalThis[name]?.prototype))
    for (const name of owner ? ownKeys(owner) : []) if (name !== "constructor" && typeof name !== "symbol") count(owner, name);
  for (const name of ["back", "forward", "go"]) count(globalThis.History?.prototype, name);
  for (const name of ["compile", "compileStreaming", "instantiate", "instantiateStreaming"]) count(globalThis.WebAssembly, name);
  for (const name of ["getBattery", "requestMediaKeySystemAccess", "requestMIDIAccess"]) count(globalThis.Navigator?.prototype, name);
  count(globalThis, "createImageBitmap");
  count(globalThis.HTMLCanvasElement?.prototype, "toBlob");
  const watchNew = (name, notify) => {
    const Original = globalThis[name];
    if (!Original) return;
    const made = (...given) => {
      const result = construct(...given);
      notify(result);
      return result;
    };
    globalThis[name] = Original.prototype.constructor = setText(new Proxy(Original, {construct: made}), textOf(Original));
  };
  for (const name of LISTENING) watchNew(name, () => { frames.calls++; });
  const ended = new WeakSet(), {postMessage: post, terminate} = Worker?.prototype ?? {};
  // The first listener: it can keep an event from all others.
  const listenFirst = (target, isKept) => {
    for (const type of ["message", "messageerror", "error"])
      apply(addEventListener, target, [type, event => { if (isKept(event)) event.stopImmediatePropagation(); }]);
  };
  let ending = 0;
  const endLater = worker => {
    ended.add(worker);
    if (++ending > MOST_ENDING) apply(terminate, worker, []);
    frames.later(() => { ending--; apply(terminate, worker, []); }, END);
  };
  watchNew("Worker", worker => listenFirst(worker, event => {
    if (event.data === "KEY" && !ended.has(worker)) endLater(worker);
    return ended.has(worker);
  }));
  replace(Worker?.prototype, "postMessage", "value", (original, self, args) => {
    if (ended.has(self)) return;
    frames.calls++;
    return apply(original, self, args);
  });
  replace(Worker?.prototype, "terminate", "value", (original, self, args) => {
    if (ended.has(self)) return;
    apply(post, self, ["KEY"]);
    endLater(self);
  });
  if (globalThis.DedicatedWorkerGlobalScope) {
    const {close, postMessage: report} = globalThis;
    let isSilent = false;
    for (const owner of [globalThis, globalThis.MessagePort?.prototype, globalThis.BroadcastChannel?.prototype])
      replace(owner, "postMessage", "value", (original, self, args) => isSilent ? undefined : apply(original, self, args));
    listenFirst(globalThis, event => isSilent ||= event.data === "KEY");
    frames.close = () => apply(close, globalThis, []);
    // What the task that ends it sends is heard. The page ends it: a worker that ends itself stops the clock, too.
    replace(globalThis, "close", "value", () => frames.later(() => {
      if (!isSilent) apply(report, globalThis, ["KEY"]);
      isSilent = true;
    }, 0));
  }
})()
//# sourceURL=native
