// What a person with a screen reader or weak eyes would stumble over: controls without a name, text that hardly stands out.
() => {
  const faults = [];
  const shown = one => one.getClientRects().length > 0 && getComputedStyle(one).visibility === "visible";
  for (const one of document.querySelectorAll("button, select, input, [role=tab], [role=listbox], nav, main, aside")) {
    const named = one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.labels?.length || one.textContent.trim();
    if (shown(one) && !named) faults.push(`no name: ${one.outerHTML.slice(0, 80)}`);
  }
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
  const light = data => [0, 1, 2].map(at => data[at] / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = one => { for (let at = one; at; at = at.parentElement) { const data = rgb(getComputedStyle(at).backgroundColor); if (data[3] > 250) return data; } return rgb("white"); };
  for (const one of document.querySelectorAll("h1, h2, h3, p, label, button, small, dt, dd, th, td, kbd, .chip, .part, span")) {
    const own = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || !shown(one) || one.closest(":disabled, .aside, .opening, .waiting")) continue;
    const [a, b] = [light(rgb(getComputedStyle(one).color)), light(ground(one))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faults.push(`${((a + 0.05) / (b + 0.05)).toFixed(1)}: ${one.outerHTML.slice(0, 90)}`);
  }
  return faults;
}
