// Saved figures: where words stand, and how they break into lines.

// Every text that is seen: what moves with it, its box in px, and whether it is fixed, of the legend, a note or a mark.
function savedWords(plot) {
  const kinds = {".legend": "legend", ".annotation": "note", ".textpoint": "mark", ".bartext": "mark"};
  const words = [];
  for (const text of plot.querySelectorAll(".main-svg text")) {
    const box = savedBox(plot, text);
    if (box.right - box.left < 0.5) continue;
    const [key, kind] = Object.entries(kinds).find(([each]) => text.closest(each)) ?? ["text", "fixed"];
    const node = text.closest(key);
    words.push({node, box, kind: kind === "note" && node.querySelector(".annotation-arrow-g") ? "fixed" : kind});
  }
  return words;
}

function savedBox(root, node) {
  const [box, zero] = [node.getBoundingClientRect(), root.getBoundingClientRect()];
  return {left: box.left - zero.left, right: box.right - zero.left, top: box.top - zero.top, bottom: box.bottom - zero.top};
}

function savedMove(node, dx, dy) {
  node.setAttribute("transform", `translate(${savedNumber(dx)},${savedNumber(dy)})${node.getAttribute("transform") ?? ""}`);
}

// A text in lines that are at most `width` px long in the figure's font, broken at its spaces but not round a sign of
// relation or before a unit: "ε = 1" and "5 %" stay whole.
function savedWrapped(text, size, width) {
  savedRuler.font = `${size}px ${SAVED_FONTS}`;
  const lines = [];
  for (const part of String(text).split(/<br\s*\/?>/i)) {
    const words = part.replace(/ ([=≈<>≤≥]) /g, "\u00a0$1\u00a0").replace(/(\d) (?=[%×])/g, "$1\u00a0").split(/ (?![^<]*>)/);
    let line = words.shift();
    for (const word of words) {
      if (savedRuler.measureText(savedPlain(`${line} ${word}`)).width <= width) line += ` ${word}`;
      else lines.push(line), (line = word);
    }
    lines.push(line);
  }
  return lines;
}

// The title and subtitle as elements above the height `top`.
function savedTitles({title}, colour, width, top) {
  const [large, small] = [SAVED_TYPE * SAVED_TITLE, SAVED_TYPE];
  const lines = (text, size) => (text ? savedWrapped(savedPlain(text), size, (width - 2 * SAVED_EDGE) / SAVED_WIDER).map((line) => ({line, size})) : []);
  const every = [...lines(title?.text, large), ...lines(title?.subtitle?.text, small)];
  let y = top - SAVED_GAP - every.reduce((sum, {size}) => sum + 1.3 * size, 0);
  return every.map(({line, size}) => {
    y += 1.3 * size;
    const text = savedElement("text", {x: SAVED_EDGE, y: savedNumber(y - 0.33 * size), "font-size": size, fill: colour ?? "#000"});
    text.textContent = line;
    return text;
  });
}
