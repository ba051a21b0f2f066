// Keeps the room of scrollbars, which a picture of the whole page does not show; restore_scrollers.js undoes it.
(() => {
  const styles = blocksight.expanded ||= new Map();
  const root = document.documentElement, scrolled = document.scrollingElement || root;
  const found = [];
  for (const element of [...document.getElementsByTagName("*")].slice(0, 20000)) {
    const window = element === scrolled || element === root;
    const right = window ? innerWidth - scrolled.clientWidth : element.offsetWidth - element.clientWidth;
    const below = window || !element.clientHeight ? 0 : element.offsetHeight - element.clientHeight;
    if (!(right > 2 || below > 2) || !(element.clientWidth || window)) continue;
    const style = getComputedStyle(element), size = name => parseFloat(style[name]) || 0;
    const borders = size("borderTopWidth") + size("borderBottomWidth");
    const gutter = style.scrollbarGutter === "auto"
      && right - (window ? 0 : size("borderLeftWidth") + size("borderRightWidth")) > 2;
    const inside = style.boxSizing === "border-box" ? 0 : borders + size("paddingTop") + size("paddingBottom");
    const height = below - borders > 2 ? element.offsetHeight - inside : 0;
    if (gutter || height) found.push([window ? root : element, gutter, height]);
  }
  for (const [element, gutter, height] of found) {
    if (!styles.has(element)) styles.set(element, element.style.cssText);
    if (gutter) element.style.setProperty("scrollbar-gutter", "stable", "important");
    if (height) for (const name of ["height", "min-height"])
      element.style.setProperty(name, height + "px", "important");
  }
  return found.length;
})()
