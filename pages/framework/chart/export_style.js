// Saved figures: the type and the distances that all parts of a drawing share.
import {required} from "../browser/required.js";

export const TYPE_SIZE = 13; // px of the words of a figure on a page: theme.TYPE
/** The fonts that go with a file, and those that a program takes which reads no font from a file. */
const TYPEFACES = {
  sans: {family: "Figure Sans", others: "'Source Sans 3', Arial, Helvetica, 'Liberation Sans', sans-serif"},
  serif: {family: "Figure Serif", others: "'Source Serif 4', 'Times New Roman', 'Liberation Serif', serif"},
  modern: {family: "Figure Modern", others: "'CMU Serif', 'Latin Modern Roman', 'Times New Roman', 'Liberation Serif', serif"},
};
/** @typedef {keyof typeof TYPEFACES} Typeface */
/** @param {Typeface} typeface */
export const familyOf = (typeface) => TYPEFACES[typeface].family;
/** @param {Typeface} typeface */
export const familiesOf = (typeface) => `'${TYPEFACES[typeface].family}', ${TYPEFACES[typeface].others}`;
export const GAP = 6; // px between tick labels, an axis' title and the legend
export const EDGE = 3; // px kept free at the edges of the picture
export const FONT_ALLOWANCE = 1.15; // words in Arial to those in the figure's font: room is left for a program that takes no font from a file
export const TITLE_SCALE = 1.25; // the size of the title to that of other words
export const ruler = required(document.createElement("canvas").getContext("2d"));
