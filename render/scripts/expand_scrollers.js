// Makes boxes that scroll inside the window, and fill much of it, as tall as their content; returns the largest excess.
(windowHeight => {
  const styles = blocksight.expanded ||= new Map();
  const elements = document.getElementsByTagName("*");
  let largest = 0;
  for (let i = 0; i < Math.min(elements.length, 20000); i++) {
    const element = elements[i], height = element.clientHeight;
    if (height < windowHeight * 0.3 || element.clientWidth < innerWidth * 0.3) continue;
    const excess = element.scrollHeight - height;
    if (excess < 50 || [document.documentElement, document.body].includes(element)
      || element.tagName === "TEXTAREA") continue;
    if (!/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
    if (!styles.has(element)) styles.set(element, element.style.cssText);
    for (const name of ["height", "min-height"])
      element.style.setProperty(name, element.scrollHeight + "px", "important");
    element.style.setProperty("max-height", "none", "important");
    largest = Math.max(largest, excess);
  }
  return largest;
})
