// Counts the calls of functions that the browser answers in real time, and those that it has not answered, under
// blocksight.frames: the page's clock, which is faster, must leave time for the answers. The answer to a call that returns
// nothing, and messages of sockets and of what other pages share, may come at any time: they count as open for ever. A
// worker that ends while it runs may stop the clock of its page for ever (Chromium 156): one that its page ends runs a
// second of the clock longer, unheard, and one that closes itself hears nothing any more.
(() => {
  const LISTENING = ["BroadcastChannel", "SharedWorker", "WebSocket", "WebTransport"], END = 1000;
  const CLASSES = ["Blob", "Cache", "CacheStorage", "Clipboard", "CookieStore", "FileReader", "FileSystemDirectoryHandle",
    "FileSystemFileHandle", "HTMLImageElement", "IDBCursor", "IDBDatabase", "IDBFactory", "IDBIndex", "IDBObjectStore",
    "LockManager", "NavigatorUAData", "Permissions", "Response", "RTCPeerConnection", "ServiceWorkerContainer",
    "StorageManager", "SubtleCrypto", "Worklet"];
  const {disguise, replace, textOf} = Function.prototype.toString.call("KEY"), {apply, construct, ownKeys} = Reflect;
  const {addEventListener} = EventTarget.prototype, {then} = Promise.prototype, {IDBRequest} = globalThis;
  const frames = globalThis[Symbol.for("blocksight.frames")];
  const note = result => {
    frames.calls++;
    if (result !== undefined && !(result instanceof Promise) && !(IDBRequest && result instanceof IDBRequest)) return;
    frames.open++;
    let isOpen = true;
    const end = () => { if (isOpen) frames.open--; isOpen = false; };
    if (result instanceof Promise) apply(then, result, [end, end]);
    else if (result) for (const type of ["success", "error"]) apply(addEventListener, result, [type, end]);
  };
  const count = (owner, name) =>
    replace(owner, name, "value", (original, self, args) => { const result = apply(original, self, args); note(result); return result; });
  for (const owner of CLASSES.map(name => globalThis[name]?.prototype))
    for (const name of owner ? ownKeys(owner) : []) if (name !== "constructor" && typeof name !== "symbol") count(owner, name);
  for (const name of ["back", "forward", "go"]) count(globalThis.History?.prototype, name);
  for (const name of ["compile", "compileStreaming", "instantiate", "instantiateStreaming"]) count(globalThis.WebAssembly, name);
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
    globalThis[name] = Original.prototype.constructor = disguise(new Proxy(Original, {construct: made}), textOf(Original));
  };
  for (const name of LISTENING) watchNew(name, () => note(undefined));
  // A worker has its own place in the page's clock, as long as it runs.
  replace(globalThis.Worker?.prototype, "postMessage", "value", (original, self, args) => { frames.calls++; return apply(original, self, args); });
  const ended = new WeakSet();
  // The first listener: it can keep an event from all others.
  const listenUntilEnd = target => {
    for (const type of ["message", "messageerror", "error"])
      apply(addEventListener, target, [type, event => { if (ended.has(target)) event.stopImmediatePropagation(); }]);
  };
  replace(globalThis.Worker?.prototype, "terminate", "value", (original, self, args) => {
    ended.add(self);
    frames.later(() => apply(original, self, args), END);
  });
  watchNew("Worker", listenUntilEnd);
  if (globalThis.DedicatedWorkerGlobalScope) {
    listenUntilEnd(globalThis);
    frames.close = globalThis.close.bind(globalThis);
    replace(globalThis, "close", "value", () => { ended.add(globalThis); });
  }
})()
//# sourceURL=native
