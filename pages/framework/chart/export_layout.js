// Saved figures: room for every word. Margins grow to what sticks out of the plot, crowded tick labels go, long words
// wrap, the legend stands below all else, and a note or label that would lie on another one is moved beside it.
const SAVED_GAP = 6; // px between tick labels, an axis' title and the legend
const SAVED_EDGE = 3; // px kept free at the edges of the picture
const SAVED_SYMBOL = 50; // px from the left end of a legend's entry to its words
const SAVED_WIDER = 1.15; // words in Arial to those in the figure's font: room is left for a program that takes no font from a file
const SAVED_TITLE = 1.25; // the size of the title to that of other words
const SAVED_LEGEND = {
  orientation: "h", xref: "container", x: 0, xanchor: "left", yref: "container", y: 0, yanchor: "bottom", maxheight: 9999, itemwidth: 40,
};
const savedRuler = document.createElement("canvas").getContext("2d");

// A copy of a figure, set for a width in px, without its title: what Plotly needs to draw it for paper.
function savedFigure(figure, {greySafe, hidden = [], ranges = {}}, width) {
  const {title, ...layout} = savedCopy(figure.layout);
  const data = figure.data.filter(({legendgroup, name}) => !hidden.includes(legendgroup ?? name)).map(savedCopy);
  for (const [key, range] of Object.entries(ranges)) layout[key] = {...layout[key], range, autorange: false};
  const tall = Math.max(0.8, (layout.height ?? 450) / 450);
  const plotHeight = Math.round(Math.min(420, Math.max(190, 0.56 * width)) * tall);
  Object.assign(layout, {
    width,
    height: plotHeight + 120,
    margin: {l: 60, r: 20, t: 60, b: 60},
    font: {...layout.font, family: SAVED_FONTS, size: SAVED_TYPE},
    paper_bgcolor: "rgba(0,0,0,0)",
    hovermode: false,
    legend: {...layout.legend, ...SAVED_LEGEND},
  });
  for (const key of Object.keys(layout).filter((each) => /^[xy]axis\d*$/.test(each))) {
    const axis = layout[key], across = key[0] === "x";
    const [from, to] = axis.domain ?? [0, 1];
    Object.assign(axis, {automargin: false, tickangle: 0}, {ticklabelstandoff: across ? 8 : 3});
    if (axis.title?.text) {
      const length = across ? (width - 90) * (to - from) : Math.max(plotHeight * (to - from), 120);
      const font = {size: SAVED_TYPE, ...axis.title.font};
      axis.title = {...axis.title, font, text: savedWrapped(axis.title.text, font.size, length).join("<br>")};
    }
  }
  for (const {colorbar} of data) if (colorbar) colorbar.tickangle = 0;
  for (const trace of data) if (trace.name) trace.name = savedWrapped(trace.name, SAVED_TYPE, (width - 74) / SAVED_WIDER).join("<br>");
  if (greySafe) savedGrey(data, layout);
  return {data, layout};
}

// Gives a drawn plot the margins and tick labels that fit; whether anything changed, so that it must be drawn again.
function savedRoom(plot, layout) {
  const thinned = savedAxes(plot).map((axis) => savedThinned(plot, axis, layout)).some(Boolean);
  for (const axis of savedAxes(plot)) savedAxisTitle(plot, axis);
  const {l, r, w} = plot._fullLayout._size;
  let [left, right] = [l, l + w];
  for (const {box, kind} of savedWords(plot)) {
    const middle = (box.left + box.right) / 2;
    if (kind === "legend" || (kind !== "fixed" && middle > l && middle < l + w)) continue;
    const more = (SAVED_WIDER - 1) * (box.right - box.left) * (middle > l && middle < l + w ? 0.5 : 1);
    left = Math.min(left, box.left - more);
    right = Math.max(right, box.right + more);
  }
  const margin = {...layout.margin, l: Math.ceil(l - left) + SAVED_EDGE, r: Math.max(10, Math.ceil(right - l - w) + SAVED_EDGE)};
  margin.l = Math.max(10, margin.l);
  const moved = Math.abs(margin.l - l) > 1 || Math.abs(margin.r - r) > 1;
  if (moved) layout.margin = margin;
  return thinned || moved;
}

function savedAxes(plot) {
  const {_fullLayout: all} = plot;
  return Object.keys(all).filter((key) => /^[xy]axis\d*$/.test(key) && all[key].visible !== false).map((key) => ({key, axis: all[key]}));
}

// Takes tick labels off an axis until those left are apart; their grid lines stay.
function savedThinned(plot, {key, axis}, layout) {
  const across = key[0] === "x";
  const ticks = [...plot.querySelectorAll(`.${axis._id}tick text`)].map((node) => ({box: savedBox(plot, node), told: node.__data__}));
  const shown = ticks.filter(({box, told}) => told.text && box.right > box.left);
  shown.sort((one, other) => (across ? one.box.left - other.box.left : other.box.bottom - one.box.bottom));
  const free = (one, other) => (across ? other.box.left - one.box.right >= 5 : one.box.top - other.box.bottom >= 2);
  if (shown.every((each, place) => place === 0 || free(shown[place - 1], each))) return false;
  let kept = shown;
  const steps = shown.slice(1).map(({told}, place) => Math.abs(told.x - shown[place].told.x));
  const even = Math.max(...steps) - Math.min(...steps) < 1e-6 * Math.max(...steps);
  for (let every = 2; even && every < shown.length; every++) {
    kept = shown.filter((each, place) => place % every === 0);
    if (kept.every((each, place) => place === 0 || free(kept[place - 1], each))) break;
  }
  if (!even) kept = shown.reduce((list, each) => (list.length === 0 || free(list.at(-1), each) ? [...list, each] : list), []);
  const value = ({told}) => (axis.type === "log" ? 10 ** told.x : told.x);
  const text = (each) => (kept.includes(each) ? each.told.text : "");
  Object.assign(layout[key], {tickmode: "array", tickvals: shown.map(value), ticktext: shown.map(text)});
  return true;
}

// Puts an axis' title beside its tick labels.
function savedAxisTitle(plot, {key, axis}) {
  const title = plot.querySelector(`.g-${axis._id}title`);
  if (!title?.textContent) return;
  const box = savedBox(plot, title), {l, t, w, h} = plot._fullLayout._size;
  const ticks = [...plot.querySelectorAll(`.${axis._id}tick text`)].map((node) => savedBox(plot, node)).filter(({left, right}) => right > left);
  const more = (SAVED_WIDER - 1) * Math.max(0, ...ticks.map(({left, right}) => right - left)) + SAVED_GAP;
  const [from, to] = axis._anchorAxis?.domain ?? [0, 1];
  if (axis.side === "bottom") {
    const aside = Math.max(0, SAVED_EDGE - box.left) - Math.max(0, box.right - plot._fullLayout.width + SAVED_EDGE);
    savedMove(title, aside, Math.max(t + h * (1 - from), ...ticks.map(({bottom}) => bottom)) + 2 - box.top);
  } else if (axis.side === "left") savedMove(title, Math.min(l + w * from, ...ticks.map(({left}) => left)) - more - box.right, 0);
  else if (axis.side === "right") savedMove(title, Math.max(l + w * to, ...ticks.map(({right}) => right)) + more - box.left, 0);
}

// Places the legend below all else and moves notes and labels apart in a plot that has its room; whether each has a place.
function savedPlaces(plot) {
  savedTicksApart(plot);
  for (const axis of savedAxes(plot)) savedAxisTitle(plot, axis);
  const {l, t, w, h} = plot._fullLayout._size, legend = plot.querySelector("g.legend");
  const foot = (without) => {
    const above = savedWords(plot).filter(({node}) => !without.some((each) => each.contains(node)));
    return Math.max(t + h, ...above.map(({box}) => box.bottom));
  };
  const bars = [...plot.querySelectorAll(".colorbar")].filter((bar) => savedBox(plot, bar).bottom > t + h); // not beside the plot
  const below = [...bars, ...(legend ? [legend] : [])];
  for (const bar of bars) {
    savedMove(bar, 0, foot(below) + SAVED_GAP - savedBox(plot, bar).top);
    savedBarThinned(plot, bar);
  }
  const words = savedWords(plot), lowest = foot(legend ? [legend] : []);
  if (legend) savedLegend(plot, legend, lowest + SAVED_GAP);
  const inside = {left: SAVED_EDGE, right: plot._fullLayout.width - SAVED_EDGE, top: -Infinity, bottom: lowest};
  const plotBox = {left: l, right: l + w, top: t, bottom: t + h};
  const placed = words.filter(({kind}) => kind === "fixed").map(({box}) => savedWider(box));
  for (const {node, box: own} of words.filter(({kind}) => kind === "note" || kind === "mark")) {
    const box = savedWider(own), [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const within = x > plotBox.left && x < plotBox.right && y > plotBox.top && y < plotBox.bottom;
    const move = savedNudge(box, within ? {...inside, top: t, bottom: t + h} : inside, placed, within);
    if (!move) return false;
    if (move[0] || move[1]) savedMove(node, ...move);
    placed.push(savedShifted(box, ...move));
  }
  return true;
}

// Takes off tick labels that lie on those of another axis.
function savedTicksApart(plot) {
  const kept = [];
  for (const node of plot.querySelectorAll("[class$=tick] text")) {
    const box = savedBox(plot, node);
    if (kept.some((other) => savedMeet(box, other, 0))) node.textContent = "";
    else if (box.right > box.left) kept.push(box);
  }
}

// Takes labels off a colour bar that lies below the plot until those left are apart.
function savedBarThinned(plot, bar) {
  const ticks = [...bar.querySelectorAll("[class$=tick] text")].map((node) => ({node, box: savedWider(savedBox(plot, node))}));
  ticks.sort((one, other) => one.box.left - other.box.left);
  let end = -Infinity;
  for (const {node, box} of ticks) {
    if (box.left < end + 3) node.textContent = "";
    else end = box.right;
  }
}

// Sets the entries of a legend in rows, each as long as its words, from the height `top` on.
function savedLegend(plot, legend, top) {
  const entries = [...legend.querySelectorAll(".traces")].map((node) => ({node, box: savedBox(plot, node.querySelector("text"))}));
  let [x, y, tallest] = [0, top, 0];
  for (const {node, box} of entries) {
    const [length, tall] = [SAVED_WIDER * (box.right - box.left) + SAVED_SYMBOL, box.bottom - box.top + 2];
    if (x > 0 && x + length > plot._fullLayout.width - SAVED_EDGE) [x, y, tallest] = [0, y + tallest, 0];
    savedMove(node, x - box.left + SAVED_SYMBOL, y - box.top);
    x += length + 2 * SAVED_GAP;
    tallest = Math.max(tallest, tall);
  }
  for (const clipped of legend.querySelectorAll("[clip-path]")) clipped.removeAttribute("clip-path");
  for (const node of legend.querySelectorAll(".bg")) node.remove();
}

// The least move that brings a box into `frame` and off all others, if there is one; of a box beside the plot not downwards.
function savedNudge(box, frame, others, both) {
  const home = Math.max(0, frame.left - box.left) - Math.max(0, box.right - frame.right);
  const lift = Math.max(0, frame.top - box.top) - Math.max(0, box.bottom - frame.bottom);
  const fits = ([dx, dy]) => {
    const there = savedShifted(box, dx, dy);
    return savedWithin(there, frame) && !others.some((other) => savedMeet(there, other));
  };
  if (fits([home, lift])) return [home, lift];
  const moves = [];
  for (let dx = -240; dx <= 240; dx += 4) {
    for (let dy = -240; dy <= (both ? 240 : 0); dy += 2) moves.push([home + dx, lift + dy, Math.abs(dx) + Math.abs(dy)]);
  }
  moves.sort((one, other) => one[2] - other[2]);
  return moves.find(fits);
}

const savedShifted = ({left, right, top, bottom}, dx, dy) => ({left: left + dx, right: right + dx, top: top + dy, bottom: bottom + dy});

function savedWider({left, right, ...rest}) {
  const more = ((SAVED_WIDER - 1) * (right - left)) / 2;
  return {left: left - more, right: right + more, ...rest};
}

function savedWithin(box, frame) {
  const [across, down] = [box.left >= frame.left - 0.5 && box.right <= frame.right + 0.5, box.top >= frame.top - 0.5];
  return across && down && box.bottom <= frame.bottom + 0.5;
}

// Whether two boxes are closer than some px.
function savedMeet(one, other, gap = 2) {
  const across = one.left < other.right + gap && other.left < one.right + gap;
  return across && one.top < other.bottom + gap && other.top < one.bottom + gap;
}
