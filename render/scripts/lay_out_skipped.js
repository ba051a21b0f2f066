// Lays out content that content-visibility skips while it is off the screen, with the containment it has on the screen.
(() => {
  const roots = [document];
  for (let i = 0; i < roots.length && i < 2000; i++) {
    for (const element of roots[i].querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (getComputedStyle(element).contentVisibility !== "auto") continue;
      element.style.setProperty("content-visibility", "visible", "important");
      element.style.setProperty("contain", "layout style paint", "important");
    }
  }
})()
