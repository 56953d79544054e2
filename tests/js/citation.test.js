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
