import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost, until, wait} from "./fake_host.js";

async function openHistory(host = new FakeHost()) {
  await host.open();
  const parameters = await host.module("browser/parameters.js"), prefetch = await host.module("browser/prefetch.js");
  const transport = await host.module("browser/transport.js"), {goTo} = await host.module("browser/history.js");
  const entries = history.length;
  return {...parameters, ...prefetch, goTo, host, transport, newEntries: () => history.length - entries};
}

test("a change of the setting is one entry of the history, with the link of its answer", async () => {
  const {host, setParameters, newEntries} = await openHistory();
  setParameters({epsilon: "2"});
  assert.equal(location.search, "?epsilon=1");
  host.answer();
  assert.equal(location.search, "?epsilon=2");
  assert.equal(newEntries(), 1);
});

test("all that a slider changes while it is held is one entry, and the next change another", async () => {
  const {host, transport, moveParameter, releaseParameter, setParameters, newEntries} = await openHistory();
  for (const text of ["2", "4"]) {
    moveParameter("epsilon", text);
    host.answer();
    await until(transport.isIdle);
  }
  assert.equal(location.search, "?epsilon=4");
  assert.equal(newEntries(), 1);
  releaseParameter("epsilon");
  await until(() => host.lastRequest.prefetch);
  host.answer();
  await until(transport.isIdle);
  setParameters({epsilon: "1"});
  host.answer();
  assert.equal(newEntries(), 2);
});

test("the answer to a request that a newer one has overtaken does not write its link", async () => {
  const {host, setParameters} = await openHistory();
  setParameters({epsilon: "2"});
  setParameters({epsilon: "4"});
  const first = {...host.lastRequest};
  host.answer({link: "./Gaussian_bounds?epsilon=2"});
  await until(() => host.requests.length === 2);
  host.respond({n: first.n, link: "./Gaussian_bounds?epsilon=2"});
  host.answer();
  assert.equal(location.search, "?epsilon=4");
});

test("a change by a field of Streamlit that a request has overtaken is in the address with the answer to that", async () => {
  const {host, transport, newEntries} = await openHistory();
  transport.send({prefetch: [], how: "none"});
  const link = "./Gaussian_bounds?epsilon=2";
  host.respond({n: host.lastRequest.n - 1, link});
  assert.equal(location.search, "?epsilon=1");
  host.answer({link});
  assert.equal(location.search, "?epsilon=2");
  assert.equal(newEntries(), 1);
});

test("the link of a new page is written although the page asks for the progress of its computation", async () => {
  const {host, goTo} = await openHistory();
  await goTo("./Accuracy?epsilon=1");
  host.respond({link: "./Accuracy?epsilon=1&term=none", working: [0, 10]});
  assert.equal(host.lastRequest.how, "none");
  assert.equal(location.search, "?epsilon=1&term=none");
});

test("a step back asks Python for the link that the address has then", async () => {
  const {host, transport, setParameters} = await openHistory();
  setParameters({epsilon: "2"});
  host.answer();
  await until(transport.isIdle);
  history.back();
  await until(() => host.requests.length === 2);
  assert.equal(host.lastRequest.link, "?epsilon=1");
  assert.equal(host.lastRequest.how, "replace");
});

test("Streamlit hears of a step to another page, but of none within the page, which it would run a second time", async () => {
  const host = new FakeHost(), heard = [];
  addEventListener("popstate", () => heard.push(location.pathname)); // as Streamlit's own, from before the code of the page
  const {goTo, transport} = await openHistory(host);
  await goTo("./Gaussian_bounds?epsilon=2");
  assert.equal(host.lastRequest.link, "?epsilon=2");
  host.answer();
  await until(transport.isIdle);
  assert.deepEqual(heard, []);
  await goTo("./Accuracy?epsilon=1");
  assert.deepEqual(heard, ["/Accuracy"]);
});

test("a page is left when it has answered, and what was entered goes along", async () => {
  const {host, transport, moveParameter, goTo} = await openHistory();
  moveParameter("epsilon", "2");
  const leaving = goTo("./Accuracy?epsilon=1");
  moveParameter("epsilon", "4");
  assert.equal(location.pathname, "/Gaussian_bounds");
  host.answer();
  await until(() => host.requests.length === 2);
  host.answer();
  await leaving;
  assert.equal(location.pathname + location.search, "/Accuracy?epsilon=4");
  assert.ok(transport.isIdle());
});

test("a page that was left takes no edit and answers nothing until the next one is here", async () => {
  const {host, setParameters, goTo} = await openHistory();
  const stage = document.querySelector(".dp-stage");
  await goTo("./Accuracy?epsilon=1");
  assert.ok(stage.inert);
  setParameters({epsilon: "2"});
  assert.deepEqual(host.requests, []);
  host.respond({link: "./Gaussian_bounds?epsilon=4"}); // a late run of the page that was left
  assert.ok(stage.inert);
  assert.equal(location.pathname + location.search, "/Accuracy?epsilon=1");
  host.respond({link: "./Accuracy?epsilon=1"});
  assert.ok(!stage.inert);
  setParameters({epsilon: "2"});
  assert.equal(host.requests.length, 1);
});

test("the colours of a theme that changes while a page is left are asked for on the next page, once", async () => {
  const {host, goTo} = await openHistory();
  await goTo("./Accuracy?epsilon=1");
  document.querySelector(".stApp").style.backgroundColor = "rgb(10, 10, 10)";
  host.respond({link: "./Gaussian_bounds?epsilon=1"}); // a late run of the page that was left, which asks for nothing
  assert.deepEqual(host.requests, []);
  host.respond({link: "./Accuracy?epsilon=1"});
  assert.equal(host.lastRequest.theme, true);
  host.answer(); // in the colours of before: where Python's theme is another one, it is not asked again
  assert.equal(host.requests.length, 1);
});

test("the address that Streamlit writes late for a page that was left is refused", async () => {
  const {goTo} = await openHistory();
  await goTo("./Accuracy?epsilon=1");
  history.pushState({}, "", "/Gaussian_bounds?epsilon=2");
  assert.equal(location.pathname, "/Accuracy");
  history.pushState({}, "", "/Tables");
  assert.equal(location.pathname, "/Tables");
});

test("where another page is chosen while one waits to be opened, the last one is opened", async () => {
  const {host, setParameters, goTo} = await openHistory();
  setParameters({epsilon: "2"});
  const first = goTo("./Accuracy?epsilon=1"), second = goTo("./Tables?epsilon=1");
  host.answer();
  await Promise.all([first, second]);
  assert.equal(location.pathname, "/Tables");
});

test("a click on a link of the navigation opens its page, but not one that is for a new tab", async () => {
  await openHistory();
  const link = document.querySelector(".dp-pages a");
  link.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, ctrlKey: true}));
  await wait(30);
  assert.equal(location.pathname, "/Gaussian_bounds");
  link.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
  await until(() => location.pathname === "/Accuracy");
});
