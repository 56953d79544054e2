// The steps of a slider, which a handle in a chart and the keys of both share.

/** @type {Record<string, number>} */
const KEY_STEPS = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9};

/**
 * Return the step to which a key moves a slider, from a value that may lie between steps; undefined for another key.
 * @param {KeyboardEvent} event
 * @param {string[]} steps
 * @param {number} value
 * @param {1 | -1} [direction] -1 where the slider shows the first step on the right
 */
export function keyStep(event, steps, value, direction = 1) {
  const by = direction * KEY_STEPS[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  event.preventDefault();
  const below = steps.filter((step) => Number(step) < value).length, isStep = Number(steps[below]) === value;
  const from = isStep || by < 0 ? below : below - 1; // from between two steps the next one counts as one
  return steps[Math.max(0, Math.min(steps.length - 1, from + by))];
}

/**
 * Return the place of the step nearest to a value: by ratio where it can be, since scales are logarithmic.
 * @param {string[]} steps
 * @param {number} value
 */
export function stepIndex(steps, value) {
  /** @param {number} step */
  const distance = (step) => (value > 0 && step > 0 ? Math.abs(Math.log(step / value)) : Math.abs(step - value));
  let nearest = 0;
  steps.forEach((step, place) => {
    if (distance(Number(step)) < distance(Number(steps[nearest]))) nearest = place;
  });
  return nearest;
}
