import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost} from "./fake_host.js";

const layout = {title: {text: ""}, shapes: [], annotations: [], xaxis: {}, yaxis: {}};
const chart = (name) => ({kind: "chart", name, title: name, subtitle: "", alt: name, picks: [], marks: [], figure: {data: [], layout}});
const words = {kind: "words", html: "<p>Words</p>"};

async function namesOfLead(parts) {
  const host = await new FakeHost().open();
  host.respond({stage: {parts}});
  return [...document.querySelectorAll(".dp-first figure")].map((frame) => frame.dataset.chart);
}

test("the first chart, or a row that begins with one, stands beside the parameters; what else comes first does not", async () => {
  assert.deepEqual(await namesOfLead([chart("error"), chart("values")]), ["error"]);
  assert.deepEqual(await namesOfLead([{kind: "side-by-side", parts: [words, chart("error")]}]), []);
  assert.deepEqual(await namesOfLead([{kind: "side-by-side", parts: [chart("error"), chart("values")]}, words]), ["error", "values"]);
  const heights = [...document.querySelectorAll(".dp-first .dp-plot > div:first-child")].map((plot) => plot.style.height);
  assert.match(heights[0], /^\d+px$/);
  assert.equal(heights[1], heights[0]);
});
