// Elements made of plain text: nothing of a page is ever markup here.

/** Make an element; `on…` are listeners, `data` and `aria` groups of attributes, all others properties. */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) made.style.setProperty(key, one);
    else if (name === "aria") for (const [key, one] of Object.entries(value)) made.setAttribute(`aria-${key}`, one);
    else if (name === "role" || name === "for" || name === "title") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

/** Find an element by its id. */
export const $ = id => document.getElementById(id);

/** Put children in place of whatever an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** Say something to those who listen instead of looking. */
export function say(text) {
  $("status").textContent = text;
}

let fading = 0;

/** Show a line for a while. */
export function note(text, seconds = 6) {
  const shown = $("note");
  shown.textContent = text;
  shown.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => shown.classList.remove("shown"), seconds * 1000);
}

/** A share in per cent. */
export const percent = share => (share === null || share === undefined ? "–" : `${Math.round(share * 100)} %`);

/** The beginning of a text, white space made even. */
export function begun(text, most = 160) {
  const even = text.replace(/\s+/g, " ").trim();
  return even.length > most ? `${even.slice(0, most - 1)}…` : even;
}
