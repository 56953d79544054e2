// Saved figures: the looks that a drawing gives its traces, in the form of a figure, for a program that draws it elsewhere.
import {isLeftOut} from "./export_layout.js";

/** @typedef {import("./export.js").Figure} Figure */
/** @typedef {import("./export.js").Panel} Panel */

/**
 * Return the looks of a panel: of each trace of its figure, null for one that is left out, of its lines and notes, and the
 * ends and titles of its axes.
 * @param {Omit<Panel, "letter">} panel
 * @param {Figure} drawn the panel as it is drawn on paper
 */
export function looksOf({figure, hidden = []}, {data, layout}) {
  const rest = [...data], {xaxis, yaxis, shapes = [], annotations = []} = layout;
  return {
    data: figure.data.map((trace) => (isLeftOut(trace, hidden) ? null : lookOf(rest.shift()))),
    layout: {
      xaxis: {range: xaxis?.range, title: {text: xaxis?.title?.text}}, yaxis: {range: yaxis?.range, title: {text: yaxis?.title?.text}},
      shapes: shapes.map((/** @type {any} */ {line}) => ({line: {color: line?.color}})),
      annotations: annotations.map((/** @type {any} */ {font}) => ({font: {color: font?.color}})),
    },
  };
}

/** @param {any} trace */
function lookOf({name, mode, fillcolor, line, marker}) {
  const {symbol, size, maxdisplayed, pattern} = marker ?? {};
  const mark = {color: wordsIn(marker?.color), symbol: wordsIn(symbol), size: typeof size === "number" ? size : undefined, maxdisplayed, pattern: pattern && {shape: pattern.shape, fgcolor: pattern.fgcolor}};
  return {name, mode, fillcolor, line: {color: wordsIn(line?.color), dash: line?.dash}, marker: marker && mark};
}

/** @type {(look: any) => any} a look, or that of each point; numbers that stand for colours are none */
const wordsIn = (look) => (typeof look === "string" || (Array.isArray(look) && typeof look[0] === "string") ? look : undefined);
