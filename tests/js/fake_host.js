// A host for the browser code without Streamlit: a document with the elements that the code looks for, the requests that it
// sends, and responses as Python writes them. Each host has modules of its own, so that no test sees the state of another.
import {JSDOM} from "jsdom";
import {register} from "node:module";
import {setTimeout as wait} from "node:timers/promises";

const FRAMEWORK = new URL("../../pages/framework/", import.meta.url);
const GLOBALS = [
  "document", "history", "location", "localStorage", "sessionStorage", "Event", "KeyboardEvent", "MouseEvent", "PointerEvent",
  "PopStateEvent", "MutationObserver", "Element", "Node", "innerWidth", "innerHeight", "getComputedStyle",
];

// A module that a module of one host imports is of the same host: the query of the importer goes along.
register(`data:text/javascript,${encodeURIComponent(`
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context), {search} = new URL(context.parentURL ?? "file:///");
    return specifier.startsWith(".") && search ? {...resolved, url: resolved.url + search} : resolved;
  }`)}`);

Promise.withResolvers ??= () => {
  let resolve, reject;
  const promise = new Promise((...functions) => ([resolve, reject] = functions));
  return {promise, resolve, reject};
};

let hostCount = 0;

export class FakeHost {
  /** The requests that the code has sent to Python. */
  requests = [];

  /** The names of the files that were saved. */
  files = [];

  #run = 0;
  #query = `?host=${++hostCount}`;

  constructor(path = "/Gaussian_bounds?epsilon=1") {
    const dom = new JSDOM(`<!doctype html><div id="root"><div class="stApp" data-testid="stApp" data-test-script-state="notRunning"
      style="background-color: rgb(255, 255, 255)"><nav class="dp-pages" data-shared="epsilon"><a href="./Accuracy?epsilon=1" data-page>Accuracy</a></nav>
      <main class="stMain"><div class="stHtml"><style></style></div><div class="st-stage"></div></main></div></div>`,
      {url: `http://localhost${path}`, pretendToBeVisual: true});
    const {window} = dom;
    this.window = window;
    for (const name of GLOBALS) Object.defineProperty(globalThis, name, {configurable: true, writable: true, value: window[name]});
    for (const name of ["addEventListener", "removeEventListener", "dispatchEvent", "requestAnimationFrame", "cancelAnimationFrame"]) {
      globalThis[name] = window[name].bind(window);
    }
    Object.defineProperty(globalThis, "window", {configurable: true, value: window});
    globalThis.CSS = {escape: (text) => text};
    globalThis.matchMedia = () => ({matches: false});
    globalThis.ResizeObserver = globalThis.IntersectionObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
    globalThis.Plotly = {relayout() {}, react() {}, purge() {}, Fx: {unhover() {}}};
    globalThis.dpStage = undefined;
    window.document.addEventListener("click", (event) => {
      const link = event.target.closest("a[download]");
      if (link) this.files.push(link.download);
      if (link) event.preventDefault();
    });
  }

  /** Import a module, by its path in pages/framework. */
  module(name) {
    return import(new URL(name, FRAMEWORK) + this.#query);
  }

  /** Start the engine, and draw the page for the first time. */
  async open(head = {}) {
    const page = await this.module("browser/page.js");
    page.start({plotlyPath: "static/js/Plotly.js", reportLimits: [20, 8000], uploadSentences: {}});
    this.draw = await globalThis.dpStage.promise;
    this.respond({link: `.${location.pathname}${location.search}`, ...head});
    return this;
  }

  /** Let a run of Python begin or end. */
  set isRunning(value) {
    document.querySelector(".stApp").dataset.testScriptState = value ? "running" : "notRunning";
  }

  get lastRequest() {
    return this.requests.at(-1);
  }

  /** Hand over a response to a request, with the stage at a setting and further bodies, each as [name of it, text or bytes]. */
  respond({n = 0, link = "./Gaussian_bounds?epsilon=1", stage = {}, bodies = [], element = document.querySelector(".st-stage"), ...head} = {}) {
    const all = [[["stage"], stageBytes(stage, link)], ...bodies];
    const page = link.match(/\.\/([^?]*)/)[1];
    const data = pack({
      n, session: "one", run: ++this.#run, page, section: "", link, view: link, dark: false, present: false, pinned: false,
      question: "How much?", version: "1", picture: "svg", notices: [], problems: [], included: "", entered: {}, data: {}, offers: {},
      working: null, demo: null, ...head, bodies: all.map(([[kind, about], content]) => [kind, about ?? null, bytesOf(content)]),
    });
    const setTriggerValue = (name, request) => this.requests.push({...request, trigger: name});
    this.draw({data, parentElement: element, setTriggerValue});
  }

  /** Answer the last request: with what it sets, where the test says nothing else. */
  answer(response = {}) {
    const {n, set = {}} = this.lastRequest, link = new URL(location.href);
    for (const [key, text] of Object.entries(set)) link.searchParams.set(key, text);
    this.respond({n, link: `.${link.pathname}${link.search}`, ...response});
  }
}

const bytesOf = (content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);

/** Pack a message as pages/framework/rendering/stage.py does, with bytes as its only arrays. */
export function pack(message) {
  const arrays = [], parts = [];
  let length = 0;
  const place = (_key, value) => {
    if (!(value instanceof Uint8Array)) return value;
    arrays.push(["u1", length, value.length, null]);
    parts.push(value);
    length += value.length;
    return {$: arrays.length - 1};
  };
  const body = JSON.stringify(message, place);
  const head = bytesOf(`{"arrays":${JSON.stringify(arrays)},${body.slice(1)}`);
  return new Uint8Array(Buffer.concat([new Uint8Array(new Uint32Array([head.length]).buffer), head, ...parts]));
}

/** The bytes of a stage with one parameter. */
export function stageBytes(stage, link) {
  const epsilon = new URLSearchParams(link.slice(link.indexOf("?"))).get("epsilon") ?? "1";
  const field = {label: "Privacy loss", caption: "ε · privacy loss", symbol: "ε", steps: ["0.5", "1", "2", "4"], used: epsilon, value: Number(epsilon)};
  return pack({answer: [`<p>At ε = ${epsilon}</p>`], section: "", tabs: [], controls: ["epsilon"], fields: {epsilon: field}, parts: [], ...stage});
}

/** Wait until something holds, for five seconds at most. */
export async function until(holds) {
  for (let waited = 0; waited < 5000; waited += 5) {
    if (holds()) return;
    await wait(5);
  }
  throw new Error(`After five seconds this does not hold: ${holds}`);
}

export {wait};
