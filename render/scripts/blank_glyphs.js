// For each font, as [font, size in pixels, language, words]: the indices of the words of which hardly anything is drawn
// where a line has its letters, and whether its letters have colors of their own: drawn in red, they are not red. All words are if fewer than three of many letters look different. A word is drawn at its
// size, after a space: too little of it is less than a quarter of its width, or a height below a dot of 15 % of the font's
// size, or below 3.5 pixels where that is at most a third of the size.
(function (queries) {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d", {willReadFrequently: true});
  const LOOK = 24, MOST_LETTERS = 100;
  const isRed = pixel => pixel >>> 24 <= 100 || ((pixel & 255) >= 180 && (pixel >> 8 & 255) <= 60 && (pixel >> 16 & 255) <= 60);
  let isColored = false;
  const set = (font, size, lang) => {
    [canvas.width, canvas.height] = [Math.ceil(20 * size), Math.ceil(1.3 * size)];
    [pen.font, pen.lang, pen.textRendering] = [font.replace("100px", `${size}px`), lang, "optimizeLegibility"];
    pen.fillStyle = "#f00";
  };
  // The height of the ink, the number of columns with ink, and what it looks like.
  const inkOf = (text, size) => {
    const wide = Math.max(Math.min(Math.ceil(pen.measureText(text).width), canvas.width), 1), high = canvas.height;
    pen.clearRect(0, 0, wide, high);
    pen.fillText(text, 0, size);
    const pixels = new Uint32Array(pen.getImageData(0, 0, wide, high).data.buffer), inked = new Uint8Array(wide);
    let first = high, last = -1, columns = 0, hash = 7;
    for (let row = 0, pixel = 0; row < high; row++)
      for (let column = 0; column < wide; column++, pixel++)
        if (pixels[pixel] >>> 24 > 60) {
          isColored ||= !isRed(pixels[pixel]);
          if (first > row) first = row;
          last = row;
          columns += 1 - inked[column];
          inked[column] = 1;
          hash = (hash * 31 + pixel) | 0;
        }
    return [Math.max(last - first + 1, 0), columns, hash, wide];
  };
  return queries.map(([font, size, lang, words]) => {
    const letters = [...new Set(words.join("").match(/\p{L}/gu))].slice(0, MOST_LETTERS);
    set(font, LOOK, lang);
    isColored = false;
    const looks = letters.map(letter => inkOf(letter, LOOK)).filter(([high]) => high > 0), isPainted = isColored;
    if (new Set(looks.map(([, , hash]) => hash)).size < Math.min(3, letters.length / 4))
      return [words.map((_, index) => index), isPainted];
    set(font, size, lang);
    const least = Math.max(0.15 * size, Math.min(3.5, 0.36 * size)), space = pen.measureText(" ").width;
    return [words.flatMap((word, index) => {
      const [high, columns, , wide] = inkOf(` ${word}`, size);
      return high < least || 4 * columns < wide - space ? [index] : [];
    }), isPainted];
  });
})
