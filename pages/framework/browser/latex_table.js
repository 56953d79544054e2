// A table as LaTeX, for a paper: what the page shows, in the columns' alignment, with rules of the package booktabs.

const TEX_MARKS = /** @type {Record<string, string>} */ ({"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"});
const TEX_SYMBOLS = /** @type {Record<string, string>} */ ({
  ε: "$\\varepsilon$", δ: "$\\delta$", σ: "$\\sigma$", μ: "$\\mu$", α: "$\\alpha$", γ: "$\\gamma$", ρ: "$\\rho$", Δ: "$\\Delta$",
  "₀": "$_0$", "₁": "$_1$", "₂": "$_2$", ℓ: "$\\ell$", "±": "$\\pm$", "−": "$-$", "÷": "$\\div$", "×": "$\\times$", "≥": "$\\ge$",
  "≤": "$\\le$", "≈": "$\\approx$", "∞": "$\\infty$", "√": "$\\surd$", "→": "$\\to$", "|": "$|$", "–": "--", "…": "\\ldots{}",
  "“": "``", "”": "''", "’": "'", "\u00a0": "~", "✓": "$\\checkmark$", "✗": "$\\times$", "\u2060": "",
});
const SYMBOLS = new RegExp(`[${Object.keys(TEX_SYMBOLS).join("")}]`, "g");

/** @param {string} text */
const escapeTex = (text) => text.replace(/[\\~^{}%&_#$]/g, (mark) => TEX_MARKS[mark] ?? `\\${mark}`);

/**
 * Return a text of the page as LaTeX, the letters and marks that TeX has no type for as its symbols, an index with its symbol,
 * and 1e-6 as a power of ten.
 * @param {string} text
 */
export function texOf(text) {
  const symbols = escapeTex(text.replace(/\s*\n\s*/g, " ")).replace(SYMBOLS, (mark) => TEX_SYMBOLS[mark]).replace(/(?<!\\)\$\$_/g, "_").trim();
  return symbols.replace(/(?<![\w.])(\d+(?:\.\d+)?)e(-?\d+)(?!\w)/g, (_, digits, power) => `$${digits === "1" ? "" : `${digits}\\cdot `}10^{${power}}$`);
}

/**
 * Return rows of texts as a table of LaTeX; the first row has the heads, and `columns` is a letter l or r for each column.
 * @param {string[][]} rows
 * @param {string} columns
 * @param {string} note what the comment above it says
 */
export function latexOf(rows, columns, note) {
  const [heads, ...body] = rows.map((row) => `  ${row.map(texOf).join(" & ")} \\\\`);
  const lines = [`\\begin{tabular}{${columns}}`, "  \\toprule", heads, "  \\midrule", ...body, "  \\bottomrule", "\\end{tabular}"];
  return `% ${note}\n% It needs \\usepackage{booktabs,amssymb}.\n${lines.join("\n")}\n`;
}

/**
 * Return a table of the page as LaTeX.
 * @param {HTMLTableElement} table
 * @param {string} note
 */
export function latexTable(table, note) {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const isRight = rows.at(-1)?.map((cell) => /right|end/.test(getComputedStyle(cell).textAlign)) ?? [];
  return latexOf(rows.map((row) => row.map((cell) => cell.innerText)), isRight.map((right) => right ? "r" : "l").join(""), note);
}
