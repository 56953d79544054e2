// Whole numbers of at least five digits stand in a field as in the sentences: 146,000, or ≈146,000 where suggested.

/** @param {string} text */
export const groupedText = (text) => (/^≈?\d{5,15}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text);

/** @param {string} text */
export const ungroupedText = (text) => (/^≈?\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(",", "") : text);
