import assert from "node:assert/strict";
import {test} from "node:test";
import {latexOf, texOf} from "../../pages/framework/browser/latex_table.js";

test("the letters and marks of a table are symbols of TeX, and no mark is read as a command", () => {
  assert.equal(texOf("(ε, δ)-DP, Δ₂ = 1"), "($\\varepsilon$, $\\delta$)-DP, $\\Delta_2$ = 1");
  assert.equal(texOf("95 % of {a_b} & c#$"), "95 \\% of \\{a\\_b\\} \\& c\\#\\$");
  assert.equal(texOf("a\\b ~ e^x"), "a\\textbackslash{}b \\textasciitilde{} e\\textasciicircum{}x");
  assert.equal(texOf("δ = 1e-6, 2.5e12, x1e3"), "$\\delta$ = $10^{-6}$, $2.5\\cdot 10^{12}$, x1e3");
  assert.equal(texOf("k₁ costs $₂"), "k$_1$ costs \\$$_2$");
  assert.equal(texOf("✓ proved; ±95 % of a_b\nreleases"), "$\\checkmark$ proved; $\\pm$95 \\% of a\\_b releases");
  assert.equal(texOf("b = e^x – “1”"), "b = e\\textasciicircum{}x -- ``1''");
});

test("a table has its rules, the alignment of its columns and a comment on its source", () => {
  const latex = latexOf([["Noise", "σ"], ["Laplace", "2.996"], ["Gaussian", "8.281"]], "lr", "DP Trade-off Explorer");
  assert.equal(latex, `% DP Trade-off Explorer
% It needs \\usepackage{booktabs,amssymb}.
\\begin{tabular}{lr}
  \\toprule
  Noise & $\\sigma$ \\\\
  \\midrule
  Laplace & 2.996 \\\\
  Gaussian & 8.281 \\\\
  \\bottomrule
\\end{tabular}
`);
});
