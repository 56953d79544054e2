// What draws a page: Streamlit hands each response of Python to `drawStage`, which the component of the page calls.
import {loadPlotly, startCharts} from "../chart/chart.js";
import {startAnswerButtons} from "./answer_buttons.js";
import {startClassroom} from "./classroom.js";
import {setStage} from "./current_stage.js";
import {startFieldLinks} from "./field_links.js";
import {startHistory} from "./history.js";
import {head} from "./page_state.js";
import {whenCached} from "./parameters.js";
import {startPresentation} from "./presentation.js";
import {startReport} from "./report.js";
import {required} from "./required.js";
import {receive} from "./response.js";
import {closeStage, newStage, showStage} from "./stage.js";
import {background, connect, keepStyle, noteScrolling, reloadAfterFailure, reopenAfterReconnection} from "./streamlit_host.js";
import {send} from "./transport.js";
import {startUploads} from "./uploads.js";

/** @typedef {import("./current_stage.js").Stage} Stage */

/** @type {Map<HTMLElement, Stage>} By the element that Streamlit gives a stage. */
const stages = new Map();

/** @type {WeakMap<Stage, Uint8Array<ArrayBuffer> | undefined>} The response that each stage has taken last. */
const responses = new WeakMap();

/** @type {boolean | undefined} The theme that Python was told of, until it has answered. */
let requestedDark;

/**
 * Draw a stage: start() makes it known as `globalThis.dpStage`, for which the component waits.
 * @param {import("./types").Component} component
 */
function drawStage({data, parentElement, setTriggerValue}) {
  let stage = stages.get(parentElement);
  if (!stage) {
    for (const [element, old] of stages) if (!element.isConnected) remove(element, old); // that of a page that was left
    stages.set(parentElement, (stage = newStage(parentElement)));
  }
  connect(setTriggerValue);
  setStage(stage);
  takeResponse(stage, data);
  followTheme();
  noteScrolling();
}

/**
 * Take a response, unless it is the one that the stage has taken last.
 * @param {Stage} stage
 * @param {Uint8Array<ArrayBuffer>} data
 */
function takeResponse(stage, data) {
  const last = responses.get(stage);
  if (last === data) return;
  responses.set(stage, data);
  if (!receive(data)) responses.set(stage, last);
}

/**
 * @param {HTMLElement} element
 * @param {Stage} stage
 */
function remove(element, stage) {
  closeStage(stage);
  stages.delete(element);
}

/** Ask once for a run in the colours of another theme: they come from Python, which learns of it at its next run only. */
function followTheme() {
  const [red, green, blue] = required(background().match(/\d+/g)).map(Number);
  const dark = red + green + blue < 384;
  if (!head || dark === head.dark) requestedDark = undefined;
  else if (requestedDark !== dark) send({theme: (requestedDark = dark)});
}

/**
 * Start the engine.
 * @param {import("./types").Settings} settings
 */
export function start({plotlyPath, reportLimits, uploadSentences}) {
  whenCached(showStage);
  startCharts(plotlyPath);
  startHistory();
  startFieldLinks();
  reopenAfterReconnection();
  reloadAfterFailure();
  addEventListener("scroll", noteScrolling, {capture: true, passive: true});
  startUploads(uploadSentences);
  startPresentation();
  startAnswerButtons();
  startReport(reportLimits);
  startClassroom();
  keepStyle();
  (globalThis.dpStage ??= Promise.withResolvers()).resolve(drawStage);
  loadPlotly().catch(() => {}); // Plotly comes while Python still computes
}
