// The entry of the bundle: the component of the page passes each response of Python to `drawStage`.
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
import {background, closeNavigation, connect, keepStyle, noteScrolling, reloadAfterFailure, reopenAfterReconnection} from "./streamlit_host.js";
import {send} from "./transport.js";
import {startUploads} from "./uploads.js";

/** @typedef {import("./current_stage.js").Stage} Stage */

/** @type {Map<HTMLElement, Stage>} The stages by the element in which Streamlit mounts them. */
const stages = new Map();

/** @type {WeakMap<Stage, Uint8Array<ArrayBuffer> | undefined>} The last response of each stage. */
const responses = new WeakMap();

/** @type {string | undefined} The theme that was sent to Python and the page of the request, until it is answered. */
let requestedTheme;

/**
 * Draw a stage: start() makes it known as `globalThis.dpStage`, for which the component waits.
 * @param {import("./types").Component} component
 */
function drawStage({data, parentElement, setTriggerValue}) {
  let stage = stages.get(parentElement);
  if (!stage) {
    for (const [element, old] of stages) if (!element.isConnected) remove(element, old); // the stage of a page that was left
    stages.set(parentElement, (stage = newStage(parentElement)));
  }
  connect(setTriggerValue);
  setStage(stage);
  takeResponse(stage, data);
  followTheme();
  noteScrolling();
}

/**
 * Handle a response, unless the stage has handled it already.
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

/**
 * Request one run in the colours of another theme, which Python learns only at its next run: one on each page, since the
 * request of a page that is left is dropped.
 */
function followTheme() {
  const [red, green, blue] = required(background().match(/\d+/g)).map(Number);
  const dark = red + green + blue < 384, theme = `${dark} ${head?.page}`;
  if (!head || dark === head.dark) requestedTheme = undefined;
  else if (requestedTheme !== theme) {
    requestedTheme = theme;
    send({theme: dark});
  }
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
  addEventListener("click", closeNavigation);
  startUploads(uploadSentences);
  startPresentation();
  startAnswerButtons();
  startReport(reportLimits);
  startClassroom();
  keepStyle();
  (globalThis.dpStage ??= Promise.withResolvers()).resolve(drawStage);
  loadPlotly().catch(() => {}); // Plotly loads while Python computes
}
