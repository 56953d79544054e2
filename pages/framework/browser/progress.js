// The progress of a long computation, and a button that stops it.
import {addButton} from "./buttons.js";
import {stage} from "./current_stage.js";
import {element} from "./dom.js";
import {send} from "./transport.js";

/** @param {Element} host */
export function newProgress(host) {
  const node = element("div", "dp-working", host, {role: "group", "aria-label": "Computation"});
  node.hidden = true;
  const text = element("span", "", node, {role: "status"});
  const bar = element("progress", "", node, {max: 1, "aria-label": "Processor time taken, of the most there is"});
  addButton(node, "Cancel", () => send({stop: true, how: "none"}));
  return {node, text, bar};
}

/** @param {import("./types").Head["working"]} working */
export function showProgress(working) {
  const {node, text, bar} = stage.progress;
  node.hidden = !working;
  stage.node.classList.toggle("dp-waiting", Boolean(working));
  text.textContent = working ? `Computing, for at most ${working[1]} s of processor time` : "";
  if (working) bar.value = Math.min(working[0] / working[1], 1);
}
