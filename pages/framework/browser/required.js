// The check of a value that is always present, for a reason that the type checker cannot see.

/**
 * Return a required value; throw an error if it is missing.
 * @template T
 * @param {T} value
 * @returns {NonNullable<T>}
 */
export function required(value) {
  if (value === null || value === undefined) throw new Error("A value that the page needs is missing.");
  return value;
}
