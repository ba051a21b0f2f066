// Counts the calls of functions that the browser answers in real time, under blocksight.frames: the page's clock, which is
// faster, must leave time for the answers.
(() => {
  const CLASSES = ["Blob", "Cache", "CacheStorage", "Clipboard", "CookieStore", "FileReader", "FileSystemDirectoryHandle",
    "FileSystemFileHandle", "IDBCursor", "IDBDatabase", "IDBFactory", "IDBIndex", "IDBObjectStore", "LockManager",
    "NavigatorUAData", "Permissions", "Response", "RTCPeerConnection", "StorageManager", "SubtleCrypto", "Worker", "Worklet"];
  const {replace} = Function.prototype.toString.call("KEY"), {apply, ownKeys} = Reflect;
  const frames = globalThis[Symbol.for("blocksight.frames")];
  for (const owner of CLASSES.map(name => globalThis[name]?.prototype)) {
    for (const name of owner ? ownKeys(owner) : []) {
      if (name === "constructor" || typeof name === "symbol") continue;
      replace(owner, name, "value", (original, self, args) => { frames.calls++; return apply(original, self, args); });
    }
  }
})()
//# sourceURL=native
