import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost} from "./fake_host.js";

const articles = [
  {key: "audit", name: "Audit of δ", names: ["empirical delta"], html: "<p>A test.</p>", more: ""},
  {key: "delta", name: "δ, the excess probability", names: ["delta"], html: "<p>A small probability.</p>", more: ""},
  {key: "median", name: "Median", names: ["quantile"], html: "<p>The value in the middle.</p>", more: "<p>By Rényi’s student.</p>"},
  {key: "sensitivity", name: "Sensitivity Δ₁, Δ₂", names: [], html: "<p>A change, such as of a median.</p>", more: ""},
];

async function glossary(open = "") {
  const host = await new FakeHost("/?epsilon=1").open();
  const show = (openKey) => host.respond({section: "glossary", page: "", stage: {parts: [{kind: "articles", parameter: "term", open: openKey, articles}]}});
  show(open);
  const search = document.querySelector("[type=search]");
  const type = (text) => {
    search.value = text;
    search.oninput();
    return [...document.querySelectorAll(".dp-article:not([hidden]) h2")].map((name) => name.textContent);
  };
  return {host, show, search, type, note: document.querySelector(".dp-article-search [role=status]")};
}

test("a search finds articles by all typed words, those with the words in a name first, and asks nobody", async () => {
  const {host, type, note} = await glossary(), sent = host.requests.length;
  assert.deepEqual(type("median"), ["Median", "Sensitivity Δ₁, Δ₂"]);
  assert.equal(note.textContent, "2 entries");
  assert.deepEqual(type("delta"), ["δ, the excess probability", "Audit of δ"]); // the first is the one whose key it is
  assert.deepEqual(type("DELTA small"), ["δ, the excess probability"]);
  assert.equal(note.textContent, "1 entry");
  assert.deepEqual(type("Δ2"), ["Sensitivity Δ₁, Δ₂"]);
  assert.deepEqual(type("renyi's quantile"), ["Median"]);
  assert.deepEqual(type("<b>xyz "), []);
  assert.equal(note.textContent, "No entry for “<b>xyz”. Try another word, or the index.");
  assert.deepEqual(type(""), articles.map(({name}) => name));
  assert.equal(note.textContent, "");
  assert.equal(host.requests.length, sent);
});

test("a link opens an article, whose name has the focus; the next one replaces it as the open one", async () => {
  const {show, type} = await glossary("median"), open = () => [...document.querySelectorAll(".dp-open")];
  assert.equal(document.activeElement.textContent, "Median");
  assert.ok(open()[0].querySelector("details").open);
  type("sensitivity");
  show("delta");
  assert.deepEqual(open().map((node) => node.querySelector("h2").textContent), ["δ, the excess probability"]);
  assert.equal(open()[0].hidden, false);
  show("");
  assert.equal(open().length, 0);
});

test("Enter goes to the first article that was found, and Escape empties the search", async () => {
  const {search, type} = await glossary(), clicked = [];
  document.querySelectorAll(".dp-article h2 a").forEach((link) => link.addEventListener("click", (event) => {
    clicked.push(link.getAttribute("href"));
    event.stopPropagation();
    event.preventDefault();
  }));
  const press = (key) => search.onkeydown(new KeyboardEvent("keydown", {key}));
  press("Enter");
  type("median");
  press("Enter");
  assert.deepEqual(clicked, ["./?section=glossary&term=median"]);
  press("Escape");
  assert.equal(search.value, "");
  assert.equal(document.querySelectorAll(".dp-article[hidden]").length, 0);
});

test("what is typed stays when the articles change with the setting", async () => {
  const {host, type} = await glossary();
  type("median");
  const changed = articles.map((article) => ({...article, more: "<p>More.</p>"}));
  host.respond({section: "glossary", page: "", stage: {parts: [{kind: "articles", parameter: "term", open: "", articles: changed}]}});
  assert.equal(document.querySelector("[type=search]").value, "median");
  assert.equal(document.querySelectorAll(".dp-article:not([hidden])").length, 2);
});
