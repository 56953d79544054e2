import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost} from "./fake_host.js";

async function openCaption() {
  const host = new FakeHost();
  return host.module("browser/figure_caption.js");
}

test("a caption is the title and what the subtitle explains, of several panels with their letters", async () => {
  const {captionOf} = await openCaption();
  const ratio = {text: "Noise of each <b>bound</b>", subtitle: {text: "δ = 1e-6.<br>Dotted: outside the theorem."}};
  assert.equal(captionOf([ratio]), "Noise of each bound. δ = 1e-6. Dotted: outside the theorem.");
  assert.equal(captionOf([ratio, {text: "a &lt; b"}, {}]), "(a) Noise of each bound. δ = 1e-6. Dotted: outside the theorem. (b) a < b. (c) ");
  const sigma = {text: "Noise σ", subtitle: {text: "δ = 1e-6. Dotted: outside the theorem."}, marks: "Solid: A; dashed: B"}, marks = "Solid: C; star: D";
  assert.equal(captionOf([ratio, {text: "Map"}, sigma]), "(a) Noise of each bound. δ = 1e-6. (b) Map. (c) Noise σ. δ = 1e-6. Solid: A; dashed: B. (a, c) Dotted: outside the theorem.");
  const at = (epsilon) => ({text: "Noise of each bound", subtitle: {text: `ε = ${epsilon}. Dotted: outside the theorem`}});
  assert.equal(captionOf([at(1), at(10)]), "Noise of each bound. (a) ε = 1. (b) ε = 10. (a, b) Dotted: outside the theorem.");
  assert.equal(captionOf([{...ratio, marks}, {text: "x", marks}]), "(a) Noise of each bound. δ = 1e-6. Dotted: outside the theorem. (b) x. (a, b) Solid: C; star: D.");
});

test("the marks of a caption are those of the named lines and points that the picture has", async () => {
  const {legendLooks, marksOf} = await openCaption(), line = (name, dash, more = {}) => ({type: "scatter", mode: "lines", name, line: {dash}, ...more});
  const star = {type: "scatter", mode: "markers", name: "ε, δ", marker: {symbol: "star"}};
  const data = [line("<b>tails</b>", "dot"), line("edge", "dash", {line: {width: 0}}), line("pinned", "solid", {showlegend: false}), star, line("variance", "dot")];
  assert.equal(marksOf(legendLooks(data)), "Dotted: tails, variance; star: ε, δ");
  assert.equal(marksOf(legendLooks(data, {hidden: new Set(["ε, δ"])})), ""); // one style needs no words
});

test("lines of one style have their colours in the caption", async () => {
  const {legendLooks, marksOf} = await openCaption();
  const line = (name, dash, color) => ({type: "scatter", mode: "lines", name, line: {dash, color}});
  const data = [line("random guessing", "4px,4px", "#4A535E"), line("pure", "solid", "#B8440B"), line("Gaussian", "solid", "#0060A0")];
  assert.equal(marksOf(legendLooks(data)), "Short dashes: random guessing; solid: pure (orange), Gaussian (blue)");
  const shades = {"#8A3C9E": "purple", "#00755A": "green", "#C1121F": "red", "#5B6470": "grey", "#1B1F24": "black"};
  for (const [shade, word] of Object.entries(shades)) {
    assert.match(marksOf(legendLooks([line("a", "dot", "#0060A0"), line("b", "solid", shade), line("c", "solid", "#0060A0")])), new RegExp(`b \\(${word}\\)`));
  }
});

test("the lines of LaTeX show the file at its width with an escaped caption and a label of plain letters", async () => {
  const {latexFigure} = await openCaption();
  const picture = {name: "gaussian_bounds_ratio_eps0.5_delta1e-6", format: "svg", widthMm: 85, caption: "At δ = 1e-6, 5 % of a_b, 2.5e12 of x1e3.", note: "DP\nTrade-off", key: "dp-2026"};
  assert.equal(latexFigure(picture), `% DP Trade-off
% Cite it by \\cite{dp-2026}: “Share” has its BibTeX.
% It needs \\usepackage{graphicx,url}, and the picture as PDF.
\\begin{figure}[htbp]
  \\centering
  \\includegraphics[width=85mm]{gaussian_bounds_ratio_eps0.5_delta1e-6.pdf}
  \\caption{At $\\delta$ = $10^{-6}$, 5 \\% of a\\_b, $2.5\\cdot 10^{12}$ of x1e3.}
  \\label{fig:gaussian-bounds-ratio-eps0-5-delta1e-6}
\\end{figure}
`);
  assert.match(latexFigure({...picture, widthMm: 170}), /begin\{figure\*\}\[htbp\][^]*width=170mm[^]*end\{figure\*\}/);
  assert.match(latexFigure({...picture, format: "png"}), /graphicx,url\}\.\n[^]*delta1e-6\.png\}/);
});

test("in greyscale the caption has the dashes that are printed, and shading and the line of the setting have words", async () => {
  const {legendLooks, marksOf, settingLineOf} = await openCaption(), line = (name, dash, more = {}) => ({type: "scatter", mode: "lines", name, line: {dash, color: "#0060A0"}, ...more});
  const data = [line("exact", "solid"), line("Gaussian", "solid"), line("advantage", "solid", {line: {width: 0}, fill: "toself"})];
  assert.equal(marksOf(legendLooks(data, {isGrey: true, names: {exact: "optimal"}})), "Solid: optimal; dashed: Gaussian; shaded: advantage");
  assert.equal(marksOf(legendLooks(data)), "Solid: exact, Gaussian; shaded: advantage");
  const layout = {shapes: [{type: "line", name: "alpha"}, {type: "line"}], annotations: [{name: "alpha", text: "α = 0.05"}, {text: "a note"}]};
  assert.equal(settingLineOf(layout), "Thin dashed line: α = 0.05");
  assert.equal(settingLineOf({}), "");
  const log = {shapes: [{type: "line", name: "epsilon", x0: 1, x1: 1, y0: 0, y1: 1}], annotations: [{name: "epsilon", text: "ε = 1"}], xaxis: {type: "log"}};
  assert.deepEqual([[-1, 1], [0.5, 1]].map((xaxis) => settingLineOf(log, {xaxis})), ["Thin dashed line: ε = 1", ""]);
});
