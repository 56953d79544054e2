import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost} from "./fake_host.js";

const view = (name, title) => ({part: {kind: "chart", name, file: `page_${name}`, figure: {data: [], layout: {title: {text: title}}}}});
const CHARTS = [view("ratio", "Ratio"), view("profile", "Profile")];

async function openForm(head = {}) {
  const host = await new FakeHost().open(head), {addPictureForm} = await host.module("browser/picture_form.js");
  const show = (charts = CHARTS) => {
    const box = document.createElement("div"), saved = [];
    document.body.append(box);
    const panels = addPictureForm(box, charts[0], charts, (paper, views) => saved.push([paper, views.map(({part}) => part.name)]), () => saved.push("script"));
    const field = (name) => [...box.querySelectorAll("label")].find((label) => label.textContent.startsWith(name)).querySelector("input, select");
    const press = (name) => [...box.querySelectorAll("button")].find(({textContent}) => textContent === name).click();
    const set = (name, value) => {
      const node = field(name);
      if (node.type === "checkbox") node.checked = value;
      else node.value = value;
      for (const kind of ["input", "change"]) node.dispatchEvent(new Event(kind, {bubbles: true}));
    };
    return {box, panels, saved, field, press, set, fold: box.querySelector("details")};
  };
  return {host, show};
}

test("a picture has the choices of today until others are made, which are folded", async () => {
  const {show} = await openForm({picture: "pdf"}), form = show();
  assert.equal(form.fold.open, false);
  form.press("Save picture");
  const paper = {format: "pdf", widthMm: 180, heightMm: 0, typePt: 8, typeface: "sans", arrangement: "", titled: true, greySafe: false, transparent: false};
  assert.deepEqual(form.saved, [[paper, ["ratio"]]]);
});

test("the size lasts from page to page, the title and the greys for one page only", async () => {
  const {host, show} = await openForm(), first = show();
  first.set("Width", "85");
  first.set("Height", "60 mm");
  first.set("Font", "9"); // the first label that begins so is the font size
  first.set("Include title", false);
  first.set("Distinguishable", true);
  first.press("Save picture");
  const again = show();
  assert.deepEqual([again.field("Include title").checked, again.field("Distinguishable").checked, again.fold.open], [false, true, true]);
  host.respond({link: "./Accuracy?epsilon=1"});
  const other = show();
  other.press("Save picture");
  const [[paper]] = other.saved;
  assert.deepEqual([paper.titled, paper.greySafe, paper.widthMm, paper.heightMm, paper.typePt], [true, false, 85, 60, 9]);
});

test("a height that is none is refused in a sentence and is automatic", async () => {
  const {show} = await openForm(), form = show(), problem = () => form.fold.querySelector(".dp-problem");
  for (const [text, height, isUsable] of [["60", 60, true], ["7", 0, false], ["x", 0, false], ["", 0, true], ["62,5", 62.5, true]]) {
    form.set("Height", text);
    assert.equal(problem().hidden, isUsable, text);
    form.press("Save picture");
    assert.equal(form.saved.at(-1)[0].heightMm, height, text);
  }
});

test("a width is any number of mm that a page has, and the usual one where it is none", async () => {
  const {show} = await openForm(), form = show(), problem = () => form.box.querySelector(".dp-problem");
  assert.deepEqual([...form.box.querySelectorAll("datalist")[0].children].map(({value}) => value), ["85", "120", "180"]);
  for (const [text, width, isUsable] of [["170", 170, true], ["17", 180, false], ["x", 180, false], ["", 180, true], ["85 mm", 85, true]]) {
    form.set("Width", text);
    assert.equal(problem().hidden, isUsable, text);
    form.press("Save picture");
    assert.equal(form.saved.at(-1)[0].widthMm, width, text);
  }
});

test("what the browser stores of another version is not taken for a choice", async () => {
  const {show} = await openForm();
  localStorage.setItem("dp_paper", JSON.stringify({titled: false, widthMm: "85", typeface: "comic", typePt: 10}));
  const form = show();
  form.press("Save picture");
  const [[paper]] = form.saved;
  assert.deepEqual([paper.titled, paper.widthMm, paper.typeface, paper.typePt], [true, 180, "sans", 10]);
});

test("further charts of the page become panels in the order of the page", async () => {
  const {show} = await openForm(), form = show([CHARTS[1], CHARTS[0]]);
  form.set("Ratio", true);
  form.press("Save picture");
  form.press("matplotlib script");
  assert.deepEqual([form.saved[0][1], form.saved[1]], [["profile", "ratio"], "script"]);
  for (const [choice, name] of [["row", "Side by side"], ["column", "Below each other"]]) {
    assert.equal([...form.field("Panels").children].find(({value}) => value === choice).textContent, name);
    form.set("Panels", choice);
    form.press("Save picture");
    assert.equal(form.saved.at(-1)[0].arrangement, choice);
  }
  const places = form.field("Panels").parentNode;
  assert.equal(places.hidden, false);
  form.set("Ratio", false);
  assert.equal(places.hidden, true); // one panel has no arrangement
  assert.equal(show([CHARTS[0]]).box.querySelector("fieldset"), null);
});

test("the caption tells the lines of each panel apart, in greyscale too", async () => {
  const {host} = await openForm(), {captionOfViews} = await host.module("browser/picture_form.js");
  const lines = [{name: "Laplace", mode: "lines", line: {dash: "solid"}}, {name: "Gaussian", mode: "lines", line: {dash: "dash"}}];
  const panel = {part: {figure: {data: lines, layout: {title: {text: "Noise"}}}}};
  const other = {...panel, chart: {hidden: new Set(["Laplace"])}};
  assert.equal(captionOfViews([panel, other], {greySafe: false}), "Noise. (a, b) Solid: Laplace; dashed: Gaussian.");
  assert.equal(captionOfViews([panel, other], {greySafe: false, titled: true}), "(a, b) Solid: Laplace; dashed: Gaussian.");
  const stars = {part: {figure: {data: [lines[0], {name: "Gaussian", mode: "markers"}], layout: {}}}}, map = {part: {figure: {data: [], layout: {}}}};
  assert.equal(captionOfViews([panel, map, stars], {greySafe: false}), "(a) Noise. Solid: Laplace; dashed: Gaussian. (b)  (c) Solid: Laplace; points: Gaussian.");
  assert.equal(captionOfViews([panel], {greySafe: true}), "Noise. Solid: Laplace; dashed: Gaussian.");
  assert.equal(captionOfViews([panel], {greySafe: true, titled: true}), "Solid: Laplace; dashed: Gaussian.");
  assert.equal(captionOfViews([map], {greySafe: false, titled: true}), ""); // as it has neither
});

const trace = {type: "scatter", mode: "lines", name: "Laplace", x: [0.01, 10], y: [1, 2], line: {dash: "solid"}};
const type = (field, value) => (Object.assign(field, {value}), field.dispatchEvent(new Event("input")));

function chartView(name, yTitle, data, subtitle = "") {
  const axes = {xaxis: {type: "log", range: [-2, 1], title: {text: "ε"}}, yaxis: {range: [0, 3], title: {text: yTitle}}};
  return {part: {kind: "chart", name, file: name, figure: {data, layout: {title: {text: name, subtitle: {text: subtitle}}, ...axes}}}};
}

test("the ends of axes and the names of curves are those of the page until others are given", async () => {
  const {show} = await openForm(), view = chartView("ratio", "σ", [trace, {...trace, name: "pinned", showlegend: false}]);
  const form = show([view]), end = (name) => form.box.querySelector(`[aria-label="${name}"]`);
  const problems = () => [...form.fold.querySelectorAll(".dp-paper-ends + .dp-problem")].map(({hidden}) => hidden);
  const given = () => (form.press("Save picture"), [view.labels.ranges, view.labels.names]);
  assert.deepEqual(["x from", "x to", "y from", "y to"].map((name) => end(name).placeholder), ["0.01", "10", "0", "3"]);
  type(end("x from"), "0,1");
  type(end("y to"), "2");
  type(form.field("Name of Laplace"), "mechanism A");
  assert.deepEqual(given(), [{xaxis: [-1, 1], yaxis: [0, 2]}, {Laplace: "mechanism A"}]);
  assert.deepEqual([...form.box.querySelectorAll(".dp-paper-name")].length, 1);
  for (const [name, text] of [["x from", "0"], ["y to", "-1"], ["y to", "two"]]) type(end(name), text);
  assert.deepEqual([given()[0], problems()], [{}, [false, false]]);
  assert.match(form.fold.querySelector(".dp-paper-ends + .dp-problem").textContent, /above 0, the lower one first as on the page;/);
  type(end("x from"), "");
  assert.deepEqual(problems(), [true, false]);
});

test("ends hold for each panel with that axis, names for each of its curves, and both for the next form of the page", async () => {
  const {host, show} = await openForm(), views = [chartView("ratio", "σ ÷ σ", [trace]), chartView("sigma", "σ", [trace, {...trace, name: "Gaussian"}])];
  const form = show(views), labels = () => [...form.box.querySelectorAll(".dp-paper-ends input")].map((field) => field.getAttribute("aria-label"));
  assert.deepEqual(labels(), ["x from", "x to", "y from", "y to"]);
  form.set("sigma", true);
  assert.deepEqual(labels(), ["x from", "x to", "y of (a) from", "y of (a) to", "y of (b) from", "y of (b) to"]);
  const end = (name, {box} = form) => box.querySelector(`[aria-label="${name}"]`);
  type(end("x from"), "0.1");
  type(end("y of (b) to"), "2");
  type(form.field("Name of Laplace"), "ours");
  form.press("Save picture");
  assert.deepEqual(views.map((view) => view.labels.ranges), [{xaxis: [-1, 1]}, {xaxis: [-1, 1], yaxis: [0, 2]}]);
  assert.deepEqual(views.map((view) => view.labels.names), [{Laplace: "ours"}, {Laplace: "ours"}]);
  const again = show(views);
  assert.deepEqual([end("x from", again).value, again.field("Name of Laplace").value, again.field("sigma").checked, again.fold.open], ["0.1", "ours", true, true]);
  host.respond({link: "./Accuracy?epsilon=1"});
  const other = show(views);
  assert.deepEqual([end("x from", other).value, other.field("Name of Laplace").value, other.field("sigma").checked, other.fold.open], ["", "", false, false]);
});

test("what lies outside of the ends leaves legend and caption, and an explanation of two panels is in the first one", async () => {
  const {host, show} = await openForm(), {captionOfViews} = await host.module("browser/picture_form.js");
  const low = {...trace, name: "bound", y: [0, 0.1], line: {dash: "dash"}, fill: "tozeroy"}, dots = {...trace, name: "tails", line: {dash: "dot"}};
  const words = "δ = 1e-6. Dotted: unproved. Grey: none.", views = [chartView("ratio", "σ ÷ σ", [trace, low, dots], words), chartView("sigma", "σ", [trace, low, dots], words)];
  const form = show(views);
  form.set("sigma", true);
  type(form.box.querySelector('[aria-label="y of (a) from"]'), "1");
  form.press("Save picture");
  assert.deepEqual(views.map(({labels}) => labels.hidden), [["bound"], []]);
  assert.deepEqual(views.map(({labels}) => labels.heading), ["δ = 1e-6. Dotted: unproved.", "δ = 1e-6. Grey: none."]);
  const marks = "Solid: Laplace; dashed: bound; dotted: tails.";
  assert.equal(captionOfViews(views, {greySafe: false}), `(a) ratio. δ = 1e-6. (b) sigma. δ = 1e-6. Grey: none. (a, b) Dotted: unproved. ${marks}`);
  views[0].labels.names = {Laplace: "ours"};
  assert.match(captionOfViews(views, {greySafe: false}), /\(a\) ratio\. δ = 1e-6\. Solid: ours; dotted: tails\. \(b\)/);
});

test("the panels of the script and of the CSV are those of the picture, in the order of the page", async () => {
  const {show} = await openForm(), form = show([...CHARTS].reverse());
  assert.deepEqual(form.panels().map(({part}) => part.name), ["profile"]);
  form.set("Ratio", true);
  assert.deepEqual(form.panels().map(({part}) => part.name), ["profile", "ratio"]);
  assert.equal(show(CHARTS.slice(0, 1)).box.querySelector("legend"), null);
});

test("the caption of a grey picture names no colour and gives no line the dash of another meaning", async () => {
  const {host} = await openForm(), {captionOfViews} = await host.module("browser/picture_form.js");
  const line = (name, dash, more = {}) => ({type: "scatter", mode: "lines", name, legendgroup: name.split(":")[0], line: {dash, color: "#0060A0"}, ...more});
  const data = [line("A", "solid"), line("B", "dash"), line("B: unproved", "dot", {showlegend: false}), line("C", "solid"), line("D", "dashdot")];
  const layout = {title: {text: "Noise", subtitle: {text: "Dotted: outside the theorem. Red ×: guarantee violated."}}};
  const views = [{part: {figure: {data, layout}}}], captionAt = (greySafe) => captionOfViews(views, {greySafe, titled: false});
  assert.equal(captionAt(true), "Noise. Dotted: outside the theorem. ×: guarantee violated. Solid: A; dashed: B; long dashes: C; dash-dotted: D.");
  assert.match(captionAt(false), /Red ×: guarantee violated\. Solid: A, C; dashed: B; dash-dotted: D\.$/);
});
