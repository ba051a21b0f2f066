// The addresses and natural sizes of the images that are shown: [source, width, height].
((most, longest) => Array.from(document.images).slice(0, most).map(image =>
  [image.currentSrc.slice(0, longest), image.naturalWidth, image.naturalHeight]))
