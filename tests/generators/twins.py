"""Make the twin of a page: the same picture from other markup.

    python tests/generators/twins.py PAGE.html > twin.html

A script at the end of the twin replaces every element by a ``div`` with its computed style; its style sheets must be in
the page. Links, pictures and line breaks stay; classes, ids, roles, semantic elements and style sheets are gone. A
system that judges by appearance has the same result on a page and on its twin.

Of pseudo-elements, form controls, frames and drawings only the boxes are kept.
"""

from __future__ import annotations

import sys
from pathlib import Path

_SCRIPT = """
(() => {
  const skipped = new Set(['SCRIPT', 'STYLE', 'LINK', 'NOSCRIPT', 'TEMPLATE', 'META', 'TITLE']);
  const boxes = new Set(['INPUT', 'SELECT', 'TEXTAREA', 'IFRAME', 'CANVAS', 'VIDEO', 'OBJECT', 'SVG']);
  const styled = (element, copy) => {
    // Computed values: an automatic height stays automatic, as margins collapse through it.
    const style = Array.from(element.computedStyleMap());
    // All properties in one string: one by one, each would lay out the page again.
    copy.style.cssText = style.map(([name, values]) => `${name}:${values.map(String).join(', ')}`).join(';');
    return copy;
  };
  const twin = element => {
    const tag = element.tagName.toUpperCase();
    const link = tag === 'A' && element.hasAttribute('href');
    const copy = document.createElement(link ? 'a' : ['IMG', 'BR', 'BODY'].includes(tag) ? tag : 'div');
    if (link) copy.setAttribute('href', element.getAttribute('href'));
    if (tag === 'IMG') copy.setAttribute('src', element.getAttribute('src') || '');
    if (tag === 'BR') return copy;
    styled(element, copy);
    if (boxes.has(tag)) {
      const size = getComputedStyle(element);
      copy.style.width = size.width;
      copy.style.height = size.height;
    }
    for (const child of boxes.has(tag) ? [] : element.childNodes) {
      if (child.nodeType === 3) copy.append(child.nodeValue);
      else if (child.nodeType === 1 && !skipped.has(child.tagName.toUpperCase())
               && getComputedStyle(child).display !== 'none') copy.append(twin(child));
    }
    return copy;
  };
  const root = document.documentElement, body = twin(document.body), look = getComputedStyle(root);
  const background = look.backgroundColor;
  for (const sheet of document.querySelectorAll('style, link')) sheet.remove();
  for (const name of root.getAttributeNames()) if (name !== 'lang') root.removeAttribute(name);
  root.style.backgroundColor = background;
  document.body.replaceWith(body);
})();
"""


def twin(html: str) -> str:
    """Return the page with a script at its end that turns it into its twin."""
    return f"{html}<script>{_SCRIPT}</script>"


if __name__ == "__main__":
    sys.stdout.write(twin(Path(sys.argv[1]).read_text(encoding="utf-8")))
