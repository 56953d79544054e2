"""How Experiment 5.2 is done."""

from dpcore import denoise
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.papers.balle_means.parameters import MEAN_RECORDS, MEAN_REPEATS
from pages.papers.balle_means.results import PAPER_DELTA
from pages.papers.results import PapersResult


def explanation_text(result: PapersResult) -> str:
    """Return how the experiment is done, in Markdown with TeX and the user's numbers."""
    setting = result.mean_experiment.setting
    sensitivity = denoise.mean_sensitivity(setting.dimension, setting.n_records)
    return _TEMPLATE.format(
        d=f"{setting.dimension:,}".replace(",", "{,}"),
        n=f"{setting.n_records:,}".replace(",", "{,}"),
        l2=number_format.tex(format_up(float(sensitivity.l2))),
        l1=number_format.tex(format_up(float(sensitivity.l1))),
        paper_n=MEAN_RECORDS.default,
        paper_delta=format_input_up(PAPER_DELTA),
        paper_repeats=MEAN_REPEATS.default,
    )


_TEMPLATE = r"""
**What is done** (Balle & Wang 2018, §5.2). Each data set draws a centre $v\sim N(0,I_d)$ and $n={n}$ records
$v+U[-\tfrac12,\tfrac12]^d$; $y$ is their mean. One record replaced by another of the same box moves it by at most

$$\Delta_2=\frac{{\sqrt d}}n={l2},\qquad \Delta_1=\frac dn={l1}\qquad(d={d}).$$

**Mechanisms.** The classical σ (Dwork & Roth 2014, Theorem A.1) and the analytic σ (Theorem 8) for (ε, δ) and
$\Delta_2$; Laplace noise of scale $\Delta_1/\varepsilon$. From the analytic release $\hat y$, James–Stein (Theorem 11)
and the soft threshold (Theorem 12):

$$\left(1-\frac{{(d-2)\sigma^2}}{{\lVert\hat y\rVert^2}}\right)\hat y,\qquad
\operatorname{{sign}}(\hat y_i)\max\!\left(0,|\hat y_i|-\sigma\sqrt{{2\ln d}}\right).$$

James–Stein is drawn as published. The table also has its positive part, which never reverses the sign of the release.
Denoising uses the release and σ alone, so it costs no privacy.

**The error** is the Euclidean distance $\lVert\text{{released}}-y\rVert_2$; divide by $\sqrt d$ for the root mean
square of a coordinate. All ε and mechanisms meet the same data sets, and the Gaussian releases the same standard noise,
so that chance affects them alike; the seed of the link draws them again. The sweep over 8 d from 10 to 2,000
and 7 ε from 0.01 to 1 is this page’s. n = {paper_n}, δ = {paper_delta} and {paper_repeats} data sets for each point
are the published paper’s (Figure 1 and its text).
""".strip()
