// For each font, as [font, size in pixels, characters, words]: the indices of the characters and of the words of which
// nothing is drawn. A character is blank with hardly any ink in its place; all characters are if fewer than three of many
// look different. A word is blank if it is smaller than a dot of 15 % of the font's size, or than 3.5 pixels where that is
// at most a third of the size.
(function (queries) {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d", {willReadFrequently: true});
  const [width, height, size] = [48, 48, 24];
  const draw = (font, character) => {
    canvas.width = width, canvas.height = height;
    pen.font = font.replace("100px", size + "px");
    pen.fillText(character, 8, 34);
    const data = pen.getImageData(0, 0, width, height).data;
    let [inked, hash] = [0, 7];
    for (let i = 3; i < data.length; i += 4) if (data[i] > 60) { inked++; hash = (hash * 31 + i) | 0; }
    return [inked, hash];
  };
  return queries.map(([font, pixels, characters, words]) => {
    const drawn = characters.map(character => draw(font, character));
    const blank = drawn.flatMap(([inked], index) => inked < 5 ? [index] : []);
    const shapes = new Set(drawn.filter(([inked]) => inked >= 5).map(([, hash]) => hash)).size;
    if (shapes < Math.min(3, characters.length / 4)) return [characters.map((character, index) => index), []];
    pen.font = font;
    const least = Math.max(15, Math.min(350 / pixels, 36));
    return [blank, words.flatMap((word, index) => {
      const box = pen.measureText(word);
      const high = box.actualBoundingBoxAscent + box.actualBoundingBoxDescent;
      const wide = box.actualBoundingBoxLeft + box.actualBoundingBoxRight;
      return high < least || wide < 3 ? [index] : [];
    })];
  });
})
