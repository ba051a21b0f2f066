// A service worker would only answer the next visit, and there is none.
if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register =
  () => Promise.reject(new DOMException("not allowed", "SecurityError"))
