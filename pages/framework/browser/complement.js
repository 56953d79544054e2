// The texts of a parameter q whose field shows 1 − q: a significance level of 0.05 is entered as a confidence of 0.95.

/**
 * Return the text of the complement of a field's or a link's text. A text that is no plain
 * number between 0 and 1, with at most 15 decimals, is wrapped in 1-( ), and unwrapped again.
 * @param {string} text
 */
export function complementText(text) {
  const [, inner] = /^1-\((.*)\)$/.exec(text) ?? [];
  if (inner !== undefined) return inner;
  const share = percentAsShare(text.trim()), [, digits] = /^0?[.,](\d{1,15})$/.exec(share) ?? [];
  if (!digits || /^0+$/.test(digits)) return `1-(${share})`;
  const rest = (10n ** BigInt(digits.length) - BigInt(digits)).toString().padStart(digits.length, "0");
  return `0.${rest.replace(/0+$/, "")}`;
}

/** @param {string} text a number, perhaps with a percent sign */
function percentAsShare(text) {
  const [, whole, decimals] = /^(\d{1,2})(?:[.,](\d{1,13}))?\s*%$/.exec(text) ?? [];
  return whole ? `0.${whole.padStart(2, "0")}${decimals ?? ""}` : text;
}
