// Saved figures: the sheet, which has one panel or several. Each is drawn out of sight for its size on paper; its margins
// grow until nothing is cut or overlaps (export_layout.js), and its plot until the panel has the height that is wanted.
import {cleanDrawing, verticalExtent, writeTextLengths} from "./export_clean.js";
import {shortNumber, svgElement, textWithoutTags} from "./export_encoding.js";
import {fitMargins, paperFigure, placeLabels} from "./export_layout.js";
import {familiesOf, TYPE_SIZE} from "./export_style.js";
import {titleElements, titleHeight} from "./export_text.js";

/** @typedef {import("./export.js").Panel} Panel */
/** @typedef {import("./export.js").Paper} Paper */
/** @typedef {import("./export.js").Plot} Plot */
/** @typedef {import("./export.js").Sheet} Sheet */
/** @typedef {{svg: SVGSVGElement, high: number, height: number}} Drawn a panel: its drawing, where that begins, and its height */

const LEAST_WIDTH = 280; // px: the least width of a panel at that type; on less paper the type gets smaller
const LEAST_PLOT = 70; // px: the least height of a layout without its margins
const PANEL_GAP = 18; // px

/**
 * Return the drawing as an SVG element in `holder`, and its width and height in mm.
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
  const rowHeight = wanted && (wanted - PANEL_GAP * (rows - 1)) / rows;
  const root = svgElement("svg", {"font-family": familiesOf(paper.typeface), "font-size": TYPE_SIZE, "text-rendering": "geometricPrecision", role: "img"}); // else letters stand on whole px
  holder.append(root);
  let top = 0;
  for (let row = 0; row < rows; row++) {
    const inRow = panels.slice(row * columns, (row + 1) * columns);
    /** @type {(panel: Panel, height: number) => Promise<Drawn>} */
    const draw = (panel, height) => drawPanel(Plotly, panel, paper, holder, panelWidth, height);
    let drawn = [];
    for (const panel of inRow) drawn.push(await draw(panel, rowHeight));
    const tallest = Math.max(...drawn.map(({height}) => height));
    if (drawn.some(({height}) => height < tallest - 1)) {
      for (const {svg} of drawn) svg.remove();
      drawn = [];
      for (const panel of inRow) drawn.push(await draw(panel, tallest));
    }
    if (row) top += PANEL_GAP;
    drawn.forEach(({svg, high}, column) => {
      const group = svgElement("g", {transform: `translate(${shortNumber(column * (panelWidth + PANEL_GAP))},${shortNumber(top - high)})`});
      group.append(...svg.childNodes);
      svg.remove();
      root.append(group);
    });
    top += Math.max(...drawn.map(({height}) => height));
  }
  const frame = [0, 0, width, top].map(shortNumber);
  if (!paper.transparent) root.prepend(svgElement("rect", {x: 0, y: 0, width: frame[2], height: frame[3], fill: "#fff"}));
  const widthMm = paper.widthMm, heightMm = (Number(frame[3]) * widthMm) / Number(frame[2]);
  root.setAttribute("viewBox", frame.join(" "));
  root.setAttribute("width", `${widthMm}mm`);
  root.setAttribute("height", `${shortNumber(heightMm)}mm`);
  writeTextLengths(root);
  return {svg: root, widthMm, heightMm, title: panels.map(({figure, letter}) => letter + textWithoutTags(figure.layout.title?.text ?? "")).join("; ")};
}

/**
 * Return the width of a sheet in px, and its columns: as many as its paper has room for, of which none is left empty.
 * @param {number} count
 * @param {Paper} paper
 */
function arrangement(count, {widthMm, typePt}) {
  const width = (((widthMm / 25.4) * 96 * TYPE_SIZE) * 0.75) / typePt;
  const most = Math.max(1, Math.floor((width + PANEL_GAP) / (LEAST_WIDTH + PANEL_GAP)));
  const columns = Math.ceil(count / Math.ceil(count / most));
  return {width: Math.max(LEAST_WIDTH, width), columns};
}

/**
 * Draw a panel in `holder`, of a height in px if one is wanted and its words leave room for a plot.
 * @param {any} Plotly
 * @param {Panel} panel
 * @param {Paper} paper
 * @param {ShadowRoot} holder
 * @param {number} width
 * @param {number} wanted 0 for that of the figure
 * @returns {Promise<Drawn>}
 */
async function drawPanel(Plotly, panel, paper, holder, width, wanted) {
  const {data, layout} = paperFigure(panel, paper, width);
  const plot = /** @type {Plot} */ (/** @type {HTMLElement} */ (document.createElement("div")));
  holder.append(plot);
  await Plotly.newPlot(plot, data, layout, {staticPlot: true});
  for (let round = 0; round < 4 && fitMargins(plot, layout); round++) await Plotly.react(plot, data, layout);
  const families = familiesOf(paper.typeface), head = panelHead(panel, paper), above = titleHeight(head, width, families);
  const missing = () => {
    const {top, bottom} = verticalExtent(plot, layout);
    return wanted - (bottom - top + above);
  };
  for (let round = 0, isPlaced = placeLabels(plot); round < 4; round++, isPlaced = placeLabels(plot)) {
    const least = layout.margin.t + layout.margin.b + LEAST_PLOT;
    const height = wanted ? Math.max(least, layout.height + missing()) : layout.height + (isPlaced ? 0 : 80); // a taller picture has room for each note
    if (Math.abs(height - layout.height) < 0.5) break;
    layout.height = height;
    await Plotly.react(plot, data, layout);
  }
  const svg = svgElement("svg", {"font-family": familiesOf(paper.typeface), "font-size": TYPE_SIZE});
  for (const layer of plot.querySelectorAll(".main-svg")) svg.append(...layer.cloneNode(true).childNodes);
  Plotly.purge(plot); // only now: it takes the drawing apart
  plot.remove();
  holder.append(svg);
  cleanDrawing(svg);
  const {top, bottom} = verticalExtent(svg, layout);
  svg.append(...titleElements(head, layout.font.color, width, top, families));
  const height = bottom - top + above;
  return {svg, high: top - above, height: wanted && height < wanted + 2 ? wanted : height};
}

/**
 * Return the words above a panel: its letter, its title and its subtitle, as far as they are wanted.
 * @param {Panel} panel
 * @param {Paper} paper
 */
function panelHead({figure, letter}, {titled}) {
  const {title} = figure.layout;
  return titled ? {text: letter + (title?.text ?? ""), subtitle: title?.subtitle?.text ?? ""} : {text: letter.trim(), subtitle: ""};
}
