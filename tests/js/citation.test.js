import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost} from "./fake_host.js";

test("a page that its user gives a title is cited by it, and any other one by its question", async () => {
  const host = await new FakeHost().open(), {bibtexCitation, commentCitation, plainCitation} = await host.module("browser/citation.js");
  assert.match(plainCitation(), /“How much\?” At ε = 1 /);
  assert.match(bibtexCitation(), /note = \{Version [^]*At \$\\varepsilon\$ = 1\}/); // a letter that pdfLaTeX refuses is a symbol
  const title = (used) => ({title: {label: "Title", symbol: "Title", used, value: 0}});
  const page = (used, answer) => ({page: "Report", link: "./Report?a=1", view: used, stage: {controls: [], fields: title(used), answer: [answer, "<p>Whoever opens it sees it.</p>"]}});
  host.respond(page("Noise: a survey", "<p>Noise: a survey: 2 items from 2 pages.</p>"));
  assert.match(plainCitation(), /“Noise: a survey” 2 items from 2 pages\. /);
  host.respond(page("", "<p>Report: 1 item from one page.</p>"));
  assert.match(plainCitation(), /“Report” 1 item from one page\. /);
  assert.match(commentCitation(), /“Report” 1 item from one page\.$/); // readers cannot open the address of this computer
});

test("a report without a title is cited by its charts, and its address stands where plain.bst reads it", async () => {
  const host = await new FakeHost().open(), {bibtexCitation} = await host.module("browser/citation.js");
  const chart = (name) => ({kind: "chart", name, figure: {data: [], layout: {shapes: [], annotations: []}}, title: "", subtitle: "", picks: [], marks: []});
  const item = (place, heading, parts) => ({kind: "item", heading, source: "A table", note: "", link: "/Tables", place, of: 3, parts});
  const parts = [item(0, "Noise", [chart("a")]), item(1, "An answer", [{kind: "words", html: "x"}]), item(2, "Noise &amp; cost", [chart("b")])];
  const title = {label: "Title", symbol: "Title", used: "", value: 0};
  host.respond({page: "Report", link: "./Report?a=1", stage: {controls: [], fields: {title}, answer: ["<p>Report: 3 items from one page.</p>"], parts}});
  assert.match(bibtexCitation(), /title = \{\{Report: Noise; Noise \\& cost\}\}/);
  const [, url] = bibtexCitation().match(/ url = \{(.*)\}/);
  assert.ok(bibtexCitation().includes(` howpublished = {\\url{${url}}}`));
});
