// A presentation: larger type and charts, and keys that go through the sections and move the first parameter.
import {redrawAll} from "../chart/chart.js";
import {keyStep} from "../chart/steps.js";
import {stage} from "./current_stage.js";
import {closeRound} from "./invitation.js";
import {isForField} from "./keyboard.js";
import {head} from "./page_state.js";
import {moveParameter, setParameters, valueOf} from "./parameters.js";
import {nextParameter, releaseParameter} from "./prefetch.js";
import {isRoomTab, showLecture} from "./room_votes.js";

/** @type {WeakMap<Element, boolean>} Whether each stage is drawn as in a presentation. */
const modes = new WeakMap();

const isPresented = () => Boolean(stage && modes.get(stage.node));

/** @param {boolean} present */
export function markPresentation(present) {
  document.documentElement.classList.toggle("dp-presenting", present);
  stage.node.classList.toggle("dp-present", present);
}

/** @param {boolean} present */
export function showPresentation(present) {
  markPresentation(present);
  if (modes.get(stage.node) === present) return;
  modes.set(stage.node, present);
  redrawAll((chart) => Boolean(chart.figure));
}

/**
 * Go through the pictures of a section and then the sections by the page keys, from the sliders too; in a demonstration they step.
 * @param {KeyboardEvent} event
 */
function goToSection(event) {
  const by = {PageDown: 1, PageUp: -1}[event.key];
  if (!by || !isPresented() || head?.demo || isForField(event)) return;
  const [show, picture] = Object.entries(stage.fields).find(([key, {label}]) => label === "Show" && stage.controls.querySelector(`[data-key="${key}"]`)) ?? [];
  const options = Object.keys(picture?.options ?? {}), next = options[options.indexOf(picture?.used ?? "") + by];
  const links = stage.sections.links(), current = links.findIndex((link) => link.hasAttribute("aria-current"));
  event.preventDefault();
  event.stopImmediatePropagation();
  if (show && next) setParameters({[show]: next});
  else links[current + by]?.click();
}

/**
 * Move the first parameter by the arrow keys, close a round by C, go back from a room to its demonstration by P, and end the presentation by Escape.
 * @param {KeyboardEvent} event
 */
function moveFirstParameter(event) {
  if (!isPresented() || isForField(event)) return;
  if (event.key === "p" && isRoomTab()) return showLecture();
  if (event.key === "c") closeRound();
  if (event.key === "Escape") return setParameters({present: "off"});
  const key = Object.keys(stage.fields).find((name) => stage.fields[name].steps?.length && stage.controls.querySelector(`[data-key="${name}"]`));
  const step = key && event.key.startsWith("Arrow") && keyStep(event, stage.fields[key].steps ?? [], valueOf(key));
  if (step) moveParameter(key, step);
}

export function startPresentation() {
  addEventListener("keydown", goToSection, true);
  addEventListener("keydown", moveFirstParameter);
  addEventListener("keyup", (event) => {
    const key = nextParameter();
    if (key !== null && isPresented() && event.key.startsWith("Arrow")) releaseParameter(key);
  });
}
