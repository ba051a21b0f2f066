// The images whose markup declares both width and height, as written: [source, width, height].
(most => Array.from(document.images).slice(0, most).map(image =>
  [image.currentSrc || image.src, ...["width", "height"].map(name => image.getAttribute(name) || "")]).filter(
  ([, width, height]) => /^[1-9][0-9]{0,4}$/.test(width) && /^[1-9][0-9]{0,4}$/.test(height)))
