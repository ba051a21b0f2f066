// The boxes of the lines of text nodes: [x, y, width, height] each.
(function (...texts) {
  return texts.map(text => {
    const range = text.ownerDocument.createRange();
    range.selectNodeContents(text);
    return Array.from(range.getClientRects(), box => [box.x, box.y, box.width, box.height]);
  });
})
