// Which folds are open, for Python: the content of one that holds a chart or a table is made when it is opened.
import {stage} from "./current_stage.js";
import {head} from "./page_state.js";

/** Return the page, its section, and the names of those open folds whose content is made late; nothing without one. */
export function openFolds() {
  const names = [...stage.node.querySelectorAll(".dp-late[open] > summary")].map(({textContent}) => textContent);
  return names.length ? {folds: [head.page, head.section, ...names]} : {};
}
