// What page_watch.js and probe_scroll_lock.js recorded. A script of the page's own origin that is empty counts as missing.
(() => {
  const empty = performance.getEntriesByType("resource").filter(entry => entry.initiatorType === "script"
    && entry.decodedBodySize === 0 && new URL(entry.name).origin === location.origin);
  const locked = [...(globalThis[Symbol.for("blocksight.locked")] || [])];
  return {locked: locked.includes(document.scrollingElement), boxes: locked.length > 0,
    errors: globalThis[Symbol.for("blocksight.failed")] || [],
    missing: !!globalThis[Symbol.for("blocksight.missing")] || empty.length > 0,
    wheel: !!globalThis[Symbol.for("blocksight.wheel")] || !!globalThis.onwheel};
})()
