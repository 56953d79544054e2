// What of a figure lies within the ends of its axes.

/** @typedef {Record<string, number[]>} Ranges by axis, in the logarithms of a log axis */

/**
 * Return the traces of which a part lies within ranges: lines, points and areas. All others are returned as well.
 * @param {any[]} data
 * @param {any} layout
 * @param {Ranges} ranges
 */
export function tracesInSight(data, layout, ranges) {
  return data.filter((trace) => {
    const {type = "scatter", mode = "lines", x, y, line, fill = "none", error_x, error_y} = trace;
    if (type !== "scatter" || error_x || error_y || !(x?.length > 1 || x?.[0] != null) || !y) return true; // one without a place is a sample of the legend
    const [across, up] = [[x, trace.xaxis ?? "x"], [y, trace.yaxis ?? "y"]].map(([values, axis]) => sideOf(values, `${axis[0]}axis${axis.slice(1)}`, layout, ranges));
    const points = Array.from(x, (_, place) => [across.place(place), up.place(place)]), isDrawn = points.map((point) => point.every(Number.isFinite));
    const meets = (/** @type {number[][]} */ box) => [across, up].every(({low, high}, side) => Math.max(...box.map((point) => point[side])) >= low && Math.min(...box.map((point) => point[side])) <= high);
    if (!mode.includes("lines")) return points.some((point, place) => isDrawn[place] && meets([point]));
    const widened = (/** @type {number[][]} */ box) => [...box, ...edgesOf(fill, box, up.isLog)];
    if (fill === "toself") return meets(points.filter((_, place) => isDrawn[place]));
    const isExact = fill === "none" && !(line?.shape?.length === 2 || line?.shape === "hvh");
    return points.some((end, place) => {
      const start = points[place - 1] ?? end, isPart = isDrawn[place] && (place === 0 || isDrawn[place - 1]);
      return isPart && meets(widened([start, end])) && (!isExact || crosses(start, end, across, up));
    });
  });
}

/** @typedef {{low: number, high: number, isLog: boolean, place: (at: number) => number}} Side the ends of an axis, and the places of values on it */

/**
 * @param {ArrayLike<any>} values words have no place on an axis, so that none is outside
 * @param {string} key
 * @param {any} layout
 * @param {Ranges} ranges
 * @returns {Side}
 */
function sideOf(values, key, layout, ranges) {
  const isLog = layout[key]?.type === "log", [low, high] = [...(ranges[key] ?? [-Infinity, Infinity])].sort((a, b) => a - b), spare = 1e-9 * (high - low);
  const place = (/** @type {number} */ at) => (typeof values[at] === "string" ? low : values[at] == null ? NaN : isLog ? Math.log10(values[at]) : values[at]);
  return Number.isFinite(spare) ? {low: low - spare, high: high + spare, isLog, place} : {low, high, isLog, place: (at) => (typeof values[at] === "string" ? 0 : place(at))};
}

/** @type {(fill: string, box: number[][], isLog: boolean) => number[][]} the points to which an area reaches from its line */
function edgesOf(fill, [[x, y]], isLog) {
  if (fill === "tozeroy") return [[x, isLog ? -Infinity : 0]];
  if (fill === "tozerox") return [[0, y], [-Infinity, y]];
  if (fill === "tonexty") return [[x, -Infinity], [x, Infinity]];
  return fill === "tonextx" ? [[-Infinity, y], [Infinity, y]] : [];
}

/**
 * Return whether a straight line between two points has a part within both sides.
 * @param {number[]} start
 * @param {number[]} end
 * @param {Side} across
 * @param {Side} up
 */
function crosses(start, end, across, up) {
  let [first, last] = [0, 1];
  for (const [side, {low, high}] of [across, up].entries()) {
    const length = end[side] - start[side];
    if (!length) continue; // the box of the line meets this side
    const [enters, leaves] = [(low - start[side]) / length, (high - start[side]) / length].sort((a, b) => a - b);
    [first, last] = [Math.max(first, enters), Math.min(last, leaves)];
  }
  return first <= last;
}

/** @type {Record<string, (trace: any) => boolean>} what the first words of an explanation stand for */
const SIGNS = {
  Dotted: ({line}) => line?.dash === "dot",
  "Red ×": ({marker}) => /^x/.test(marker?.symbol ?? ""),
  Grey: ({fill = "none"}) => fill !== "none",
  Shaded: ({fill = "none"}) => fill !== "none",
};

/** @param {string} text */
export const sentencesOf = (text) => text.split(/(?<=[.!?])(?: |<br>)(?=\p{Lu})/u);

/**
 * Return whether a sentence explains a look: "Dotted: outside the theorem."
 * @param {string} sentence
 */
export const isExplanation = (sentence) => /^\p{Lu}[^.:=]*: /u.test(sentence);

/**
 * Return a subtitle without the explanations of what is no longer in sight.
 * @param {string} subtitle
 * @param {any[]} data
 * @param {any[]} visible its traces in sight
 */
export function explainedInSight(subtitle, data, visible) {
  const isGone = (/** @type {string} */ sentence) => {
    const sign = SIGNS[sentence.split(":")[0]];
    return sign && isExplanation(sentence) && data.some(sign) && !visible.some(sign);
  };
  return sentencesOf(subtitle).some(isGone) ? sentencesOf(subtitle).filter((sentence) => !isGone(sentence)).join(" ") : subtitle;
}
