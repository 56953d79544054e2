import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost, pack, until, wait} from "./fake_host.js";

async function openTransport() {
  const host = await new FakeHost().open();
  return {host, transport: await host.module("browser/transport.js")};
}

test("a request is sent under the trigger that Python reads, with the next number", async () => {
  const {host, transport} = await openTransport();
  transport.send({set: {epsilon: "2"}});
  assert.deepEqual(host.requests, [{trigger: "request", n: 1, set: {epsilon: "2"}, how: "push"}]);
  host.answer();
  await until(transport.isIdle);
  transport.send({csv: "ratio"});
  assert.equal(host.lastRequest.n, 2);
  assert.equal(host.lastRequest.how, "none");
});

test("a request that Streamlit drops is sent again until it is answered", async () => {
  const {host, transport} = await openTransport();
  transport.send({set: {epsilon: "2"}});
  await until(() => host.requests.length === 2);
  assert.equal(host.requests[1].n, 1);
  host.answer();
  await until(transport.isIdle);
  assert.equal(host.requests.length, 2);
});

test("a request is not sent again while a long run is going on", async () => {
  const {host, transport} = await openTransport();
  transport.send({set: {epsilon: "2"}});
  host.isRunning = true;
  await wait(2000);
  assert.equal(host.requests.length, 1);
  host.answer();
  host.isRunning = false;
  await until(transport.isIdle);
  assert.equal(host.requests.length, 1);
});

test("requests that are made while one is out go together, the newest texts first", async () => {
  const {host, transport} = await openTransport();
  transport.send({set: {epsilon: "2"}});
  transport.send({set: {epsilon: "4"}});
  transport.send({set: {delta: "0.1"}, how: "replace"});
  transport.send({csv: "ratio"});
  assert.equal(host.requests.length, 1);
  assert.deepEqual(transport.pendingTexts(), {epsilon: "4", delta: "0.1"});
  host.answer();
  await until(() => host.requests.length === 2);
  assert.deepEqual(host.lastRequest.set, {epsilon: "4", delta: "0.1"});
  assert.equal(host.lastRequest.csv, "ratio");
});

test("an edit that waits keeps its entry in the history when a request of the page itself joins it", async () => {
  const {host, transport} = await openTransport();
  const before = history.length;
  transport.send({csv: "ratio"});
  transport.send({set: {epsilon: "4"}});
  transport.send({prefetch: [{epsilon: "5"}], how: "none"});
  host.answer();
  await until(() => host.requests.length === 2);
  assert.equal(host.lastRequest.how, "push");
  host.answer({link: "./Gaussian_bounds?epsilon=4"});
  await until(transport.isIdle);
  assert.equal(history.length, before + 1);
  assert.equal(location.search, "?epsilon=4");
});

test("files that are asked for together change no address", async () => {
  const {host, transport} = await openTransport();
  for (const name of ["ratio", "sigma", "bounds"]) transport.send({csv: name});
  host.answer();
  await until(() => host.requests.length === 2);
  assert.equal(host.lastRequest.how, "none");
});

test("what is ordered quickly one after the other is delivered in that order, each at the setting that was seen", async () => {
  const {host, transport} = await openTransport();
  for (const add of ["one", "two", "three"]) transport.send({add, how: "none"});
  transport.send({set: {epsilon: "2"}});
  transport.send({set: {delta: "0.1"}});
  assert.deepEqual(transport.pendingTexts(), {epsilon: "2", delta: "0.1"});
  host.answer();
  await until(() => host.requests.length === 2);
  transport.send({add: "four", how: "none"});
  for (let n = 2; n <= 4; n++) {
    await until(() => host.requests.length === n);
    host.answer();
  }
  await until(transport.isIdle);
  assert.deepEqual(host.requests.map(({add, set}) => [add, set]), [
    ["one", undefined], ["two", undefined], ["three", undefined], ["four", {epsilon: "2", delta: "0.1"}],
  ]);
});

test("a step back replaces the edits that wait, and the orders before it are delivered first", async () => {
  const {host, transport} = await openTransport();
  transport.send({set: {epsilon: "2"}});
  transport.send({set: {epsilon: "3"}, csv: "ratio"});
  transport.send({set: {epsilon: "4"}});
  transport.send({link: "?epsilon=1"});
  for (let n = 1; n <= 3; n++) {
    await until(() => host.requests.length === n);
    host.answer();
  }
  await until(transport.isIdle);
  assert.deepEqual(host.requests.map(({csv, set, link}) => [csv, set, link]), [
    [undefined, {epsilon: "2"}, undefined], ["ratio", {epsilon: "3"}, undefined], [undefined, undefined, "?epsilon=1"],
  ]);
});

test("a new session gets its link with the edits that wait before the orders", async () => {
  const {host, transport} = await openTransport();
  transport.send({csv: "ratio"});
  transport.send({add: "one", how: "none"});
  transport.send({set: {epsilon: "2"}});
  transport.sendLinkFirst({link: "?epsilon=1", set: transport.queuedTexts()});
  for (let n = 1; n <= 3; n++) {
    await until(() => host.requests.length === n);
    host.answer();
  }
  await until(transport.isIdle);
  assert.deepEqual(host.requests.map(({csv, add, set, link, how}) => [csv ?? add ?? link, set, how]), [
    ["ratio", undefined, "none"], ["?epsilon=1", {epsilon: "2"}, "replace"], ["one", undefined, "none"],
  ]);
});

test("the answer to an older request ends no wait", async () => {
  const {host, transport} = await openTransport();
  transport.send({set: {epsilon: "2"}});
  host.answer();
  await until(transport.isIdle);
  transport.send({set: {epsilon: "4"}});
  host.respond({n: 1, link: "./Gaussian_bounds?epsilon=2"});
  await wait(50);
  assert.ok(transport.isBusy());
  host.answer();
  await until(transport.isIdle);
});

test("a file that two runs bring to one request is saved once, for two requests twice", async () => {
  const {host, transport} = await openTransport();
  const bodies = [[["csv", "ratio"], pack({file: "ratio_eps1.csv", text: "x,y"})]];
  transport.send({csv: "ratio"});
  host.answer({bodies});
  host.answer({bodies});
  await until(transport.isIdle);
  assert.deepEqual(host.files, ["ratio_eps1.csv"]);
  transport.send({csv: "ratio"});
  host.answer({bodies});
  assert.deepEqual(host.files, ["ratio_eps1.csv", "ratio_eps1.csv"]);
});

test("a run that comes after a later one still delivers its file, and draws nothing", async () => {
  const {host, transport} = await openTransport();
  transport.send({csv: "ratio"});
  host.respond({n: 1, run: 7, link: "./Gaussian_bounds?epsilon=2"});
  host.respond({n: 1, run: 6, bodies: [[["csv", "ratio"], pack({file: "ratio_eps1.csv", text: "x,y"})]]});
  assert.deepEqual(host.files, ["ratio_eps1.csv"]);
  assert.equal(document.querySelector(".dp-answer-text").textContent, "At ε = 2");
  await until(transport.isIdle);
});

test("what the user asks of a page that waits to be left is not dropped", async () => {
  const {host, transport} = await openTransport();
  const {goTo} = await host.module("browser/history.js");
  transport.send({set: {epsilon: "2"}});
  const leaving = goTo("./Accuracy?epsilon=1");
  transport.send({prefetch: [{epsilon: "4"}], how: "none"});
  transport.send({csv: "ratio"});
  host.answer();
  await until(() => host.requests.length === 2);
  assert.equal(host.lastRequest.csv, "ratio");
  assert.equal(host.lastRequest.prefetch, undefined);
  host.answer({link: "./Gaussian_bounds?epsilon=2", bodies: [[["csv", "ratio"], pack({file: "ratio_eps1.csv", text: "x,y"})]]});
  await leaving;
  assert.deepEqual(host.files, ["ratio_eps1.csv"]);
  assert.equal(location.pathname, "/Accuracy");
});

test("a stage that the browser has is drawn before Python answers", async () => {
  const {host, transport} = await openTransport();
  const {setParameters} = await host.module("browser/parameters.js");
  setParameters({epsilon: "2"});
  host.answer();
  await until(transport.isIdle);
  setParameters({epsilon: "1"});
  assert.equal(document.querySelector(".dp-answer-text").textContent, "At ε = 1");
  assert.equal(host.lastRequest.view, "./Gaussian_bounds?epsilon=1");
});

test("a server that was started again gets the link and what was not answered", async () => {
  const {host, transport} = await openTransport();
  transport.send({set: {epsilon: "2"}});
  host.respond({n: 0, session: "two"});
  assert.ok(transport.hasQueuedLink());
  assert.deepEqual(transport.queuedTexts(), {epsilon: "2"});
});
