// The data of figures: equality, old arrays in the place of unchanged ones, and copies for Plotly.

/**
 * Return whether two values, such as figures, have the same content.
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function isSame(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || a.constructor !== b.constructor) return false;
  if (ArrayBuffer.isView(a)) {
    const array = /** @type {Float64Array} */ (a);
    return array.length === b.length && array.every((value, place) => Object.is(value, b[place]));
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]));
}

/**
 * Put the arrays of an old value, where they are the same, in the place of those of a new one: Plotly.react takes an array
 * for unchanged only if it is the very same object.
 * @param {any} value
 * @param {any} old
 */
export function shareArrays(value, old) {
  if (old === undefined || value === null || typeof value !== "object") return value;
  if (ArrayBuffer.isView(value) || (Array.isArray(value) && typeof value[0] !== "object")) return isSame(value, old) ? old : value;
  for (const key in value) value[key] = shareArrays(value[key], old?.[key]);
  return value;
}

/**
 * Return a copy for Plotly, which writes into the objects that it gets, and into the short lists of a layout, but not into
 * those of a trace.
 * @param {any} value
 * @param {boolean} [isLayout]
 * @returns {any}
 */
export function copyForPlotly(value, isLayout = false) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return isLayout || value[0]?.constructor === Object ? value.map((part) => copyForPlotly(part, isLayout)) : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyForPlotly(part, isLayout)]));
}
