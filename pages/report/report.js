// Draws the charts of a report, 180 mm wide or as wide as the screen is, and on paper always 180 mm wide.
const PAPER = 680; // px: 180 mm
const SCREEN_HEIGHT = 450, HEIGHT = 380; // px: a chart of usual height gets 100 mm, so that two fit on a page
/** @type {(HTMLElement & {layout?: {width: number}})[]} */
const boxes = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".chart"))];
const room = () => Math.min(PAPER, (document.querySelector("main")?.clientWidth ?? PAPER) - 24);

/** @param {{height?: number}} layout */
const heightOf = ({height = SCREEN_HEIGHT}) => height > SCREEN_HEIGHT ? height : Math.min(height, HEIGHT);

/** @param {HTMLElement} box */
function figureOf(box) {
  const {data, layout} = JSON.parse(document.getElementById(`figure-${box.dataset.figure}`)?.textContent ?? "{}");
  return {data, layout: {...layout, width: room(), height: heightOf(layout), autosize: false, paper_bgcolor: "#fff", plot_bgcolor: "#fff"}};
}

async function drawAll() {
  for (const box of boxes) {
    const {data, layout} = figureOf(box);
    await Plotly.newPlot(box, data, layout, {displayModeBar: false, displaylogo: false, showSendToCloud: false});
  }
  fitFormulas();
  document.documentElement.dataset.drawn = "yes";
}

// A formula that is wider than its line gets smaller type: on paper nobody can scroll.
function fitFormulas() {
  for (const formula of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("math[display=block]"))) {
    formula.style.fontSize = "";
    const wide = formula.scrollWidth / formula.clientWidth;
    if (wide > 1) formula.style.fontSize = `${Math.floor(94 / wide)}%`;
  }
}

/** @param {number} width */
const setWidth = (width) => {
  for (const box of boxes) if (box.layout && box.layout.width !== width) Plotly.relayout(box, {width});
};
addEventListener("beforeprint", () => setWidth(PAPER));
addEventListener("afterprint", () => setWidth(room()));
addEventListener("resize", () => matchMedia("print").matches || (setWidth(room()), fitFormulas()));
drawAll();
