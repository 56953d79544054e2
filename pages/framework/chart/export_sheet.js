// Saved figures: the sheet, which has one panel or several. Each is drawn out of sight for its size on paper; its margins
// grow until nothing is cut or overlaps (export_layout.js), and its plot until the panel has the height that is wanted.
import {cleanDrawing, verticalExtent, writeTextLengths} from "./export_clean.js";
import {shortNumber, svgElement, textWithoutTags, withoutColours} from "./export_encoding.js";
import {fitMargins, paperFigure, placeLabels} from "./export_layout.js";
import {shareLegend} from "./export_legend.js";
import {looksOf} from "./export_looks.js";
import {familiesOf, TYPE_SIZE} from "./export_style.js";
import {titleElements, titleHeight} from "./export_text.js";

/** @typedef {import("./export.js").Figure} Figure */
/** @typedef {import("./export.js").Panel} Panel */
/** @typedef {import("./export.js").Paper} Paper */
/** @typedef {import("./export.js").Plot} Plot */
/** @typedef {import("./export.js").Sheet} Sheet */
/** @typedef {{above: number, plot: number, below: number}} Heights of the words above a plot, of the plot, and of what is below it */
/** @typedef {{above: number, below: number, foot: number, legend: number, share: number}} Room the least heights above and below a plot, the height of what the others of its row have below theirs, the width of its legend, and the least share of its height that the plot keeps beside a legend */
/** @typedef {{svg: SVGSVGElement, high: number, heights: Heights}} Drawn a panel: its drawing, and where that begins */

const LEAST_WIDTH = 280; // px: the least width of a panel at that type; on less paper the type gets smaller
const LEAST_BESIDE = 185; // px: that of panels which shall stand side by side: two of 85 mm
const LEAST_PLOT = 60; // px: the least height of a plot
const [LEAST_STACKED, STACKED_SHARE] = [94, 0.24]; // px, and a share of the width: the height of each plot below another
const [MOST_ROW, LEAST_OF_PLOT] = [0.64, 0.7]; // shares: of the width, the height of a row without one that is wanted, and of a plot, what is left of it for that
const LEAST_SHARE = 0.8; // of the height that a figure is made for, of its plot: a long legend makes the picture taller
const PANEL_GAP = 18; // px

/**
 * Return the drawing as an SVG element in `holder`, its width and height in mm, its columns, and the looks of its panels.
 * @param {any} Plotly
 * @param {Panel[]} panels
 * @param {Paper} paper
 * @param {ShadowRoot} holder
 * @returns {Promise<Sheet>}
 */
export async function drawSheet(Plotly, panels, paper, holder) {
  const {width, columns} = arrangement(panels.length, paper), rows = Math.ceil(panels.length / columns);
  const panelWidth = (width - PANEL_GAP * (columns - 1)) / columns;
  const wanted = paper.heightMm ? (paper.heightMm * width) / paper.widthMm : 0;
  const root = svgElement("svg", {"font-family": familiesOf(paper.typeface), "font-size": TYPE_SIZE, "text-rendering": "geometricPrecision", role: "img"}); // else letters stand on whole px
  holder.append(root);
  const stacked = rows > 1 ? Math.max(LEAST_STACKED, STACKED_SHARE * panelWidth) : 0;
  const figuresOf = () => panels.map((panel) => paperFigure(panel, paper, panelWidth, stacked)), lastRow = (rows - 1) * columns;
  const isShared = shareLegend(figuresOf(), lastRow), noRoom = {above: 0, below: 0, foot: 0, legend: isShared ? width : panelWidth, share: isShared || stacked ? 1 : LEAST_SHARE};
  /** @type {(first: number, height: number, room?: Room) => Promise<Drawn[]>} */
  const drawRow = async (first, height, room = noRoom) => {
    const figures = figuresOf(), drawn = [];
    if (isShared) shareLegend(figures, lastRow);
    for (let place = first; place < Math.min(first + columns, panels.length); place++) drawn.push(await drawPanel(Plotly, panels[place], figures[place], paper, holder, panelWidth, height, room));
    return drawn;
  };
  const rowHeights = Array(rows).fill(wanted);
  if (rows > 1) { // the words leave a part of the height: of one that is wanted each plot has as much, else they are lower than usual
    const /** @type {number[]} */ words = [], /** @type {number[]} */ plots = [];
    for (let first = 0; first < panels.length; first += columns) {
      const drawn = await drawRow(first, 0), heights = drawn.map((panel) => panel.heights);
      words.push(largest(heights, "above") + largest(heights, "below"));
      plots.push(largest(heights, "plot"));
      for (const {svg} of drawn) svg.remove();
    }
    const left = (wanted || rows * MOST_ROW * panelWidth) - PANEL_GAP * (rows - 1) - total(words), share = Math.max(LEAST_OF_PLOT, left / total(plots));
    if (wanted || share < 1) rowHeights.splice(0, rows, ...words.map((one, row) => one + (wanted ? Math.max(LEAST_PLOT, left / rows) : share * plots[row])));
  }
  let top = 0;
  for (let first = 0; first < panels.length; first += columns) {
    const height = rowHeights[first / columns];
    let drawn = await drawRow(first, height), room = noRoom;
    for (let round = 0; drawn.length > 1 && round < 3; round++) { // once more, with axes in one line, above the legend that they share
      const heights = drawn.map((panel) => panel.heights), [above, below] = [largest(heights, "above"), largest(heights, "below")];
      if (round && above < room.above + 0.5 && below < room.below + 0.5) break;
      room = {...room, above, below, foot: room.foot || (isShared ? largest(heights.slice(1), "below") : 0)};
      for (const {svg} of drawn) svg.remove();
      drawn = await drawRow(first, height || above + largest(heights, "plot") + below, room);
    }
    if (first) top += PANEL_GAP;
    drawn.forEach(({svg, high}, column) => {
      const group = svgElement("g", {transform: `translate(${shortNumber(column * (panelWidth + PANEL_GAP))},${shortNumber(top - high)})`});
      group.append(...svg.childNodes);
      svg.remove();
      root.append(group);
    });
    top += Math.max(...drawn.map(({heights}) => heightOf(heights)));
  }
  const frame = [0, 0, width, top].map(shortNumber);
  if (!paper.transparent) root.prepend(svgElement("rect", {x: 0, y: 0, width: frame[2], height: frame[3], fill: "#fff"}));
  const widthMm = paper.widthMm, heightMm = (Number(frame[3]) * widthMm) / Number(frame[2]);
  root.setAttribute("viewBox", frame.join(" "));
  root.setAttribute("width", `${widthMm}mm`);
  root.setAttribute("height", `${shortNumber(heightMm)}mm`);
  writeTextLengths(root);
  const looks = figuresOf().map((figure, place) => looksOf(panels[place], figure));
  return {svg: root, widthMm, heightMm, columns, looks, title: panels.map(({figure, letter}) => letter + textWithoutTags(figure.layout.title?.text ?? "")).join("; ")};
}

/** @param {Heights} heights */
const heightOf = ({above, plot, below}) => above + plot + below;

/** @param {number[]} numbers */
const total = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

/** @type {(heights: Heights[], part: keyof Heights) => number} */
const largest = (heights, part) => Math.max(...heights.map((one) => one[part]));

/**
 * Return the width of a sheet in px, and its columns: those wanted, or as many as its paper has room for, of which none is
 * left empty.
 * @param {number} count
 * @param {Paper} paper
 */
function arrangement(count, {widthMm, typePt, arrangement: wanted}) {
  const width = (((widthMm / 25.4) * 96 * TYPE_SIZE) * 0.75) / typePt;
  if (wanted === "row") return {width: Math.max(LEAST_BESIDE * count + PANEL_GAP * (count - 1), width), columns: count};
  const most = wanted === "column" ? 1 : Math.max(1, Math.floor((width + PANEL_GAP) / (LEAST_WIDTH + PANEL_GAP)));
  const columns = Math.ceil(count / Math.ceil(count / most));
  return {width: Math.max(LEAST_WIDTH, width), columns};
}

/**
 * Draw a panel in `holder`, of a height in px if one is wanted and its words leave room for a plot.
 * @param {any} Plotly
 * @param {Panel} panel
 * @param {Figure} figure the panel as Plotly draws it on paper
 * @param {Paper} paper
 * @param {ShadowRoot} holder
 * @param {number} width
 * @param {number} wanted 0 for that of the figure
 * @param {Room} room
 * @returns {Promise<Drawn>}
 */
async function drawPanel(Plotly, panel, {data, layout}, paper, holder, width, wanted, room) {
  const usual = room.share * (layout.height - layout.margin.t - layout.margin.b);
  const plot = /** @type {Plot} */ (/** @type {HTMLElement} */ (document.createElement("div")));
  holder.append(plot);
  await Plotly.newPlot(plot, data, layout, {staticPlot: true});
  const missing = usual - plot._fullLayout._size.h;
  if (!wanted && missing > 0) await Plotly.react(plot, data, Object.assign(layout, {height: layout.height + missing}));
  for (let round = 0; round < 4 && fitMargins(plot, layout); round++) await Plotly.react(plot, data, layout);
  const families = familiesOf(paper.typeface), head = panelHead(panel, paper), above = titleHeight(head, width, families);
  /** @type {(drawing: Element, size: {t: number, h: number}) => Heights} */
  const heightsOf = (drawing, {t, h}) => {
    const {top, bottom} = verticalExtent(drawing, {t, h});
    return {above: Math.max(room.above, t - top + above), plot: h, below: Math.max(room.below, bottom - t - h)};
  };
  for (let round = 0, isPlaced = placeLabels(plot, room); round < 4; round++, isPlaced = placeLabels(plot, room)) {
    const size = plot._fullLayout._size, least = layout.height - size.h + LEAST_PLOT;
    const height = wanted ? Math.max(least, layout.height + wanted - heightOf(heightsOf(plot, size))) : layout.height + (isPlaced ? 0 : 80); // a taller picture has room for each note
    if (Math.abs(height - layout.height) < 0.5) break;
    layout.height = height;
    await Plotly.react(plot, data, layout);
    if (fitMargins(plot, layout)) await Plotly.react(plot, data, layout);
  }
  const svg = svgElement("svg", {"font-family": familiesOf(paper.typeface), "font-size": TYPE_SIZE});
  for (const layer of plot.querySelectorAll(".main-svg")) svg.append(...layer.cloneNode(true).childNodes);
  const {t, h} = plot._fullLayout._size;
  Plotly.purge(plot); // only now: it takes the drawing apart
  plot.remove();
  holder.append(svg);
  cleanDrawing(svg);
  const heights = heightsOf(svg, {t, h}), spare = wanted - heightOf(heights);
  if (wanted && spare > -2) heights.below += spare; // less than a px of rounding
  svg.append(...titleElements(head, layout.font.color, width, t - heights.above + above, families));
  return {svg, high: t - heights.above, heights};
}

/**
 * Return the words above a panel: its letter, its title and its subtitle, as far as they are wanted.
 * @param {Panel} panel
 * @param {Paper} paper
 */
function panelHead({figure, letter, subtitle}, {titled, greySafe}) {
  const {title} = figure.layout, explained = subtitle ?? title?.subtitle?.text ?? "";
  return titled ? {text: letter + (title?.text ?? ""), subtitle: greySafe ? withoutColours(explained) : explained} : {text: letter.trim(), subtitle: ""};
}
