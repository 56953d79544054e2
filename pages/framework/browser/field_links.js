// Links to fields of Streamlit around the stage: they unfold them, scroll to them and focus them. And links back. The box of own
// data stands above the stage while it is open and below it when folded: who opens it there is taken along, and who folds it goes
// back to the link, or to the folded box.
import {firstEntry, keyedElement, ownDataBox, scroller, unfold} from "./streamlit_host.js";

const FOLLOWED = 1500; // ms in which fields that have arrived still grow
const AWAITED = 15_000; // ms in which a run of Python draws the content of fields that were unfolded
const LEAVING = ["wheel", "touchmove", "pointerdown", "keydown"]; // who does anything is where it is done

/** End the stay at the fields that were gone to last: later content of theirs no longer scrolls the page. */
let leaveFields = () => {};

/**
 * Unfold and focus the fields of a key, and stay there while their content arrives, also in another place; return whether there
 * are any.
 * @param {string} key
 */
export function goToFields(key) {
  if (!keyedElement(key)) return false;
  unfold(key);
  stayAtFields(key);
  return true;
}

/** @param {string} key */
function stayAtFields(key) {
  /** @type {Element | null} */
  let fields = null;
  const arrive = () => {
    if (!fields) return;
    fields.scrollIntoView({block: "start"});
    const entry = firstEntry(fields), focused = document.activeElement?.closest("textarea, button");
    if (!entry || (focused && fields.contains(focused))) return;
    entry.focus({preventScroll: true});
    clearTimeout(end);
    end = setTimeout(leave, FOLLOWED);
  };
  const sizes = new ResizeObserver(arrive);
  const find = () => {
    const found = keyedElement(key);
    if (found && found !== fields) {
      sizes.disconnect();
      fields = found;
      sizes.observe(found);
    } else if (found && firstEntry(found)) arrive();
  };
  const places = new MutationObserver(find);
  const leave = () => {
    sizes.disconnect();
    places.disconnect();
    clearTimeout(end);
  };
  let end = setTimeout(leave, keyedElement(key)?.querySelector("details") ? AWAITED : FOLLOWED);
  leaveFields();
  leaveFields = leave;
  find();
  places.observe(scroller() ?? document.body, {childList: true, subtree: true});
  for (const name of LEAVING) addEventListener(name, leave, {once: true, passive: true, capture: true});
}

/**
 * Go back to the link to fields that were folded, or to the fields in their place below the stage.
 * @param {string} key
 */
async function leaveFoldedFields(key) {
  leaveFields();
  const open = keyedElement(key);
  await new Promise((resolve) => { // a run of Python draws them below the stage
    const places = new MutationObserver(() => ![null, open].includes(keyedElement(key)) && resolve(places.disconnect()));
    places.observe(scroller() ?? document.body, {childList: true, subtree: true});
    setTimeout(resolve, AWAITED);
  });
  /** @type {NodeListOf<HTMLElement>} */
  const links = document.querySelectorAll(`.dp-stage a[href="#${CSS.escape(key)}"]`);
  const link = [...links].find((one) => !one.closest("details:not([open])")); // what is folded takes no focus
  const target = link ?? /** @type {HTMLElement | null | undefined} */ (keyedElement(key)?.querySelector("summary"));
  target?.focus({preventScroll: true});
  target?.scrollIntoView({block: "nearest"});
}

/** @param {MouseEvent} event */
function followBox(event) {
  const box = ownDataBox(event);
  if (box?.isOpen) void leaveFoldedFields(box.key);
  else if (box) stayAtFields(box.key);
}

/** @param {MouseEvent} event */
function followFieldLink(event) {
  const anchor = /** @type {HTMLAnchorElement | null} */ (
    /** @type {Element} */ (event.target).closest?.(".dp-stage a[href^='#']:not([data-section]), .dp-to-answer"));
  if (anchor && goToFields(anchor.hash.slice(1))) event.preventDefault();
}

export function startFieldLinks() {
  addEventListener("click", followBox, {capture: true}); // before the box unfolds or folds
  addEventListener("click", followFieldLink);
}
