"""How the section on where each estimator wins is computed."""

from dpcore import denoise
from pages.denoising.estimator_risk.results import EstimatorRisk
from pages.denoising.results import DenoisingResult
from pages.framework.parameters.number_format import format_nearest, tex

_JAMES_STEIN = (
    r"**James–Stein** (Balle & Wang 2018, Theorem 11; James & Stein 1961). With $K\sim\text{Poisson}"
    r"(\|y\|^2/2\sigma^2)$ and $x=(d-2)/2$ the plain form has the risk $\sigma^2(2+2x\,E[K/(x+K)])$ (own derivation "
    r"from Stein 1981), and the positive part less; both are exact, and below $d\sigma^2$ for every $y$."
)
_POSTERIOR = (
    r"**Posterior mean** (§4, after Theorem 10). $f\hat y$ with $f=w^2/(w^2+\sigma^2)$ has the risk "
    r"$f^2d\sigma^2+(1-f)^2\|y\|^2$; with $w=\|y\|/\sqrt d$ that is the least of any factor. Reading this $w$ from the "
    "data would cost privacy."
)
_OTHERS = (
    r"**Clipping at 0.** $\max(0,\hat y_i)$ has the risk $\sigma^2/2$ for a number that is 0; exact for each.",
    "**Privacy.** Denoising costs none, except for the oracle’s w: each estimate is a function of the release and of "
    "σ, which is public (post-processing). The noise is Gaussian with this σ, independent in each number.",
)


def explanation_text(result: DenoisingResult) -> str:
    """Return how the risks are computed, in Markdown with TeX."""
    risk = result.risk
    return "\n\n".join(
        [
            _vector_paragraph(risk),
            _JAMES_STEIN,
            _POSTERIOR,
            _fixed_threshold_paragraph(risk),
            _sure_threshold_paragraph(risk),
            *_OTHERS,
        ]
    )


def _vector_paragraph(risk: EstimatorRisk) -> str:
    return (
        rf"**The numbers.** $\hat y=y+N(0,\sigma^2I_d)$ with $d={risk.dimension}$, $k={risk.n_nonzero}$ of the $y_i$ "
        rf"equal to $a\sigma$ with $a={_tex_number(risk.nonzero_size)}$, the others 0: $\|y\|=a\sigma\sqrt"
        rf" k={_tex_number(risk.norm)}\,"
        r"\sigma\sqrt d$. Shown is $E\|\text{estimate}-y\|^2/(d\sigma^2)$: the release has 1. RMSE is its root."
    )


def _fixed_threshold_paragraph(risk: EstimatorRisk) -> str:
    threshold = float(denoise.universal_threshold(1, risk.dimension))
    return (
        rf"**Soft threshold** (equation 8 and Theorem 12; Donoho & Johnstone 1994). $T=\sigma\sqrt{{2\ln d}}="
        rf"{_tex_number(threshold)}\,\sigma$. The risk of each number is exact. Their sum is never above $(2\ln"
        r" d+1)(\sigma^2+"
        r"\sum_i\min(y_i^2,\sigma^2))$, the dotted line: Donoho & Johnstone’s oracle inequality, from which Theorem 12 "
        "follows."
    )


def _sure_threshold_paragraph(risk: EstimatorRisk) -> str:
    error = format_nearest(100 * risk.sure.standard_error, 2)
    return (
        r"**Soft threshold by SURE** (Donoho & Johnstone 1995). The $T\le\sigma\sqrt{2\ln d}$ of least "
        r"$d\sigma^2+\sum_i\min(\hat y_i^2,T^2)-2\sigma^2\,\#\{|\hat y_i|\le T\}$. It has no closed form and is "
        f"simulated from the seed, with {risk.sure_releases:,} releases at the setting (standard error {error} "
        "percentage points), fewer for the curve and for places of the map, between which it is interpolated. The "
        "answer adds two standard errors."
    )


def _tex_number(value: float) -> str:
    return tex(format_nearest(value, 4))
