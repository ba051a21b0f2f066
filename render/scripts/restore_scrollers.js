// Undoes hold_scrollbars.js.
(() => {
  const styles = blocksight.expanded || new Map();
  for (const [element, css] of styles) element.style.cssText = css;
  styles.clear();
  return 0;
})()
