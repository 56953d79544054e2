// The statements of the panel "Say it": one of three lengths is shown, which the user chooses once for all pages.
import {stage} from "./current_stage.js";
import {addToReport} from "./report.js";
import {required} from "./required.js";

let chosen = "public";

/**
 * Show the statement of the chosen length in a panel that has statements.
 * @param {HTMLElement} panel
 */
export function showStatement(panel) {
  for (const text of /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll(".dp-statement"))) text.hidden = text.dataset.length !== chosen;
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (panel.querySelectorAll(".dp-lengths input"))) input.checked = input.value === chosen;
}

/**
 * Let the switch of a panel choose the length, and its button add the statement to the report.
 * @param {HTMLElement} panel
 */
export function startStatements(panel) {
  panel.addEventListener("change", ({target}) => {
    chosen = /** @type {HTMLInputElement} */ (target).value;
    showStatement(panel);
  });
  panel.addEventListener("click", ({target}) => {
    /** @type {HTMLElement | null} */
    const button = /** @type {Element} */ (target).closest("[data-add]");
    if (button) addToReport(button.dataset.add ?? "", required(stage.answerText.parentElement)); // the panel is drawn anew at another setting
  });
}
