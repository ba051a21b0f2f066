// What page_watch.js and probe_scroll_lock.js recorded. A script of the page's own origin that is empty counts as missing.
(() => {
  const empty = performance.getEntriesByType("resource").filter(entry => entry.initiatorType === "script"
    && entry.decodedBodySize === 0 && new URL(entry.name).origin === location.origin);
  const {locked = []} = blocksight, state = blocksight.ask(globalThis) ?? {};
  return {locked: locked.includes(document.scrollingElement), boxes: locked.length > 0, wheel: !!state.wheel,
    errors: Object.values(state.failed ?? {}).map(message => message.slice(0, 300)), missing: state.isMissing || empty.length > 0};
})()
