// Gives pages what this browser has in a window and lacks without one: PDF viewers, window.chrome, the question about
// notifications, unanswered questions, and the name of a graphics card where software draws. What the browser has
// is left as it is.
(() => {
  "use strict";
  const {disguise, replace} = Function.prototype.toString.call("KEY"), {apply, defineProperty} = Reflect;
  const get = WeakMap.prototype.get, values = new WeakMap();
  const valuesOf = made => apply(get, values, [made]);

  // An object of a class that cannot be constructed; its items by number and by name, as of a list of the browser.
  const make = (prototype, own, named = []) => {
    const items = {}, target = Object.create(prototype);
    named.forEach(([, item], index) => { items[index] = {value: item, enumerable: true, configurable: true}; });
    for (const [name, item] of named) items[name] = {value: item, configurable: true};
    Object.defineProperties(target, items);
    const list = new Proxy(target, {
      set(_, name) { return !(name in items); },
      defineProperty(_, name, description) { return !(name in items) && Reflect.defineProperty(target, name, description); },
      deleteProperty(_, name) { return !(name in items) && Reflect.deleteProperty(target, name); },
    });
    values.set(list, {...own, length: named.length, items: named.map(([, item]) => item), names: new Map(named)});
    return list;
  };
  const read = (prototype, ...names) => names.forEach(name => replace(prototype, name, "get",
    (original, self) => { const own = valuesOf(self); return own ? own[name] : apply(original, self, []); }));
  const find = prototype => {
    replace(prototype, "item", "value", (original, self, given) => {
      const own = valuesOf(self);
      return own && given.length ? own.items[given[0] >>> 0] ?? null : apply(original, self, given); });
    replace(prototype, "namedItem", "value", (original, self, given) => {
      const own = valuesOf(self);
      return own && given.length ? own.names.get(`${given[0]}`) ?? null : apply(original, self, given); });
    replace(prototype, "refresh", "value", (original, self, given) => valuesOf(self) ? undefined : apply(original, self, given));
  };
  if (navigator.pdfViewerEnabled === false) {
    const description = "Portable Document Format", types = ["application/pdf", "text/pdf"];
    const viewers = ["PDF Viewer", "Chrome PDF Viewer", "Chromium PDF Viewer", "Microsoft Edge PDF Viewer", "WebKit built-in PDF"];
    const typed = owner => types.map(type => {
      const made = make(MimeType.prototype, {type, suffixes: "pdf", description});
      if (owner) valuesOf(made).enabledPlugin = owner();
      return [type, made];
    });
    // Made when a script asks for it, as most pages never do.
    let own;
    const list = () => {
      if (own) return own;
      const made = viewers.map(name => {
        const plugin = make(Plugin.prototype, {name, filename: "internal-pdf-viewer", description}, typed(() => undefined));
        for (const type of valuesOf(plugin).items) valuesOf(type).enabledPlugin = plugin;
        return [name, plugin];
      });
      read(PluginArray.prototype, "length"); read(MimeTypeArray.prototype, "length");
      read(Plugin.prototype, "name", "filename", "description", "length");
      read(MimeType.prototype, "type", "suffixes", "description", "enabledPlugin");
      for (const prototype of [PluginArray, MimeTypeArray, Plugin].map(type => type.prototype)) find(prototype);
      return own = {
        plugins: make(PluginArray.prototype, {}, made), mimeTypes: make(MimeTypeArray.prototype, {}, typed(() => made[0][1])),
      };
    };
    for (const name of ["plugins", "mimeTypes"])
      replace(Navigator.prototype, name, "get", (original, self) => { apply(original, self, []); return list()[name]; });
    replace(Navigator.prototype, "pdfViewerEnabled", "get", (original, self) => { apply(original, self, []); return true; });
  }

  if (!("chrome" in globalThis)) {
    const seconds = name => { const {timing} = performance; return (timing[name] || 0) / 1000; };
    const named = (name, work) => disguise({[name](...given) { return work(...given); }}[name], `function ${name}() { [native code] }`);
    const unnamed = work => disguise((0, function () { return work(); }), "function () { [native code] }");
    const app = {
      isInstalled: false,
      getDetails: named("getDetails", () => null),
      getIsInstalled: named("getIsInstalled", () => false),
      installState: named("installState", done => { if (typeof done === "function") setTimeout(done, 0, "not_installed"); }),
      runningState: named("runningState", () => "cannot_run"),
      InstallState: {DISABLED: "disabled", INSTALLED: "installed", NOT_INSTALLED: "not_installed"},
      RunningState: {CANNOT_RUN: "cannot_run", READY_TO_RUN: "ready_to_run", RUNNING: "running"},
    };
    const loadTimes = unnamed(() => ({
      requestTime: seconds("requestStart"), startLoadTime: seconds("navigationStart"), commitLoadTime: seconds("responseStart"),
      finishDocumentLoadTime: seconds("domContentLoadedEventEnd"), finishLoadTime: seconds("loadEventEnd"),
      firstPaintTime: 0, firstPaintAfterLoadTime: 0, navigationType: "Other", wasFetchedViaSpdy: false,
      wasNpnNegotiated: false, npnNegotiatedProtocol: "unknown", wasAlternateProtocolAvailable: false, connectionInfo: "http/1.1"}));
    const csi = unnamed(() => ({
      startE: performance.timing.navigationStart, onloadT: performance.timing.domContentLoadedEventEnd,
      pageT: performance.now(), tran: 15}));
    defineProperty(globalThis, "chrome", {value: {loadTimes, csi, app}, writable: true, enumerable: true, configurable: true});
  }

  // "denied" contradicts what navigator.permissions answers.
  if (globalThis.isSecureContext) replace(globalThis.Notification, "permission", "get",
    (original, self) => { const value = apply(original, self, []); return value === "denied" ? "default" : value; });

  // A window asks its reader, who does not answer; without one, the answer is no at once. Services that only a window has
  // fail: there, they have nothing.
  const isAsked = feature => globalThis.isSecureContext && document.featurePolicy?.allowsFeature(feature) !== false;
  const {then} = Promise.prototype, wait = setTimeout, NEVER = {};
  const change = (owner, name, changed) => replace(owner, name, "value", (original, self, given) => {
    const promise = apply(original, self, given);
    return new Promise((done, fail) => apply(then, promise, [
      value => { if (changed(value) !== NEVER) done(value); },
      error => { const value = changed(error); if (value === error) fail(error); else if (value !== NEVER) done(value); }]));
  });
  const unanswered = error => error?.name === "NotAllowedError" ? NEVER : error;
  // Only a document that has the focus may ask for the clipboard.
  const mayHaveFocus = parent === window;
  if (mayHaveFocus && isAsked("clipboard-read")) for (const name of ["read", "readText"]) change(globalThis.Clipboard?.prototype, name, unanswered);
  if (mayHaveFocus && isAsked("clipboard-write")) change(globalThis.Clipboard?.prototype, "writeText", unanswered);
  if (isAsked("midi")) change(Navigator.prototype, "requestMIDIAccess", unanswered);
  if (globalThis.isSecureContext)
    change(globalThis.Notification, "requestPermission", value => ["default", "denied"].includes(value) ? NEVER : value);
  change(globalThis.CredentialsContainer?.prototype, "get", error => error?.name === "NotSupportedError" ? null : error);
  for (const name of ["canMakePayment", "hasEnrolledInstrument"])
    change(globalThis.PaymentRequest?.prototype, name, error => error?.name === "UnknownError" ? false : error);
  if (isAsked("geolocation")) for (const name of ["getCurrentPosition", "watchPosition"])
    replace(globalThis.Geolocation?.prototype, name, "value", (original, self, given) => {
      const [, failed, options] = given, passed = [...given];
      const fail = typeof failed !== "function" ? failed : error => {
        if (error.code !== 1) { failed(error); return; }
        const late = Object.create(error, {code: {value: 3}, message: {value: "Timeout expired"}});
        if (options?.timeout >= 0 && options.timeout < Infinity) wait(() => failed(late), options.timeout);
      };
      if (given.length > 1) passed[1] = fail;
      return apply(original, self, passed);
    });

  const {platform} = navigator, [maker, card] = platform.startsWith("Win")
    ? ["Intel", "Intel(R) UHD Graphics 620 (0x00005917) Direct3D11 vs_5_0 ps_5_0, D3D11"]
    : platform.startsWith("Mac") ? ["Apple", "ANGLE Metal Renderer: Apple M1, Unspecified Version"]
    : ["Intel", "Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6"];
  const UNMASKED_VENDOR = 0x9245, UNMASKED_RENDERER = 0x9246;
  for (const type of [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext])
    replace(type?.prototype, "getParameter", "value", (original, self, given) => {
      const value = apply(original, self, given);
      if (typeof value !== "string" || ![UNMASKED_VENDOR, UNMASKED_RENDERER].includes(given[0])) return value;
      const drawn = given[0] === UNMASKED_RENDERER ? value : apply(original, self, [UNMASKED_RENDERER]);
      if (!/SwiftShader|llvmpipe/.test(drawn)) return value;
      return given[0] === UNMASKED_VENDOR ? `Google Inc. (${maker})` : `ANGLE (${maker}, ${card})`;
    });
})()
//# sourceURL=native
