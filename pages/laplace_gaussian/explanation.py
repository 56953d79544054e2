"""How each number of the page is computed: formula with the user's numbers, source, notion, norm and range."""

from dpcore import laplace
from dpcore.calibrations import LAPLACE, PDP
from dpcore.laplace_gaussian import NoisePair
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, tex
from pages.laplace_gaussian.parameters import LaplaceGaussianSetting
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.text import no_answer_text
from pages.shared.formulas import LEAST_HALF_WIDTH_TEXT, LEAST_NOISE_TEXT, TRUNCATED_LAPLACE_TEXT
from pages.shared.laplace_query import sensitivity_text
from pages.shared.looks import LOOKS


def explanation_text(result: LaplaceGaussianResult) -> str:
    """Return how each number is computed: formula with the user's numbers, source, notion, norm and range."""
    if not result.has_answer:
        return no_answer_text(result.setting)[1]
    setting, noises = result.setting, result.noises
    single = () if result.truncated is None else (TRUNCATED_LAPLACE_TEXT, LEAST_HALF_WIDTH_TEXT, LEAST_NOISE_TEXT)
    return "\n\n".join((_laplace_text(setting, noises), _gaussian_text(setting, noises), *_COMPARISON, *single))


def _laplace_text(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    l1, e, b = (
        tex(sensitivity_text(setting, setting.l1)),
        tex(format_input_up(setting.epsilon)),
        tex(format_up(noises.laplace.scale)),
    )
    return (
        f"**Laplace noise**, pure ε-DP for every ε > 0 ({LAPLACE.theorem}): "
        rf"$b=\Delta_1/\varepsilon={l1}/{e}={b}$. Its tail is $p_1=\Pr(|e|>t)=e^{{-t/b}}$, its variance $2b^2$, its "
        r"mean error $b$, and $1-\alpha$ of its releases fall within $\pm b\ln(1/\alpha)$."
    )


def _gaussian_text(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    calibration, sigma, epsilon = (
        setting.calibration,
        tex(format_up(noises.gaussian.scale)),
        tex(format_up(noises.gaussian.epsilon)),
    )
    tail = tex(format_nearest(float(laplace.tail(setting.t, noises.laplace.scale))))
    equation = {
        "epsilon": (
            rf"\varepsilon={tex(format_input_up(setting.epsilon))},\ \delta={tex(format_input_up(setting.delta))},\ "
            rf"\Delta_2={tex(sensitivity_text(setting, setting.l2))}\ \Rightarrow\ \sigma={sigma}"
        ),
        "variance": rf"\sigma=\sqrt2\,b={sigma}\ \Rightarrow\ \varepsilon={epsilon}",
        "tail": rf"2\Phi(-t/\sigma)=e^{{-t/b}}={tail}\ \Rightarrow\ \sigma={sigma},\ \varepsilon={epsilon}",
    }[setting.hold]
    notion = "; probabilistic DP, Pr(|privacy loss| > ε) ≤ δ" if calibration is PDP else ""
    return (
        f"**{calibration.name}** ({calibration.theorem}; {LOOKS[calibration.key].proved_for.rstrip('.').lower()}"
        f"{notion}): $${LOOKS[calibration.key].equation}$$ $${equation}$$ Its tail is $p_2=2\\Phi(-t/\\sigma)$, its "
        r"variance $\sigma^2$, its mean error $\sigma\sqrt{2/\pi}$, and $1-\alpha$ of its releases fall within "
        r"$\pm\sigma\,(-\Phi^{-1}(\alpha/2))$."
    )


_COMPARISON = (
    "**Privacy cost of the same tail** (Liu 2019, Fig. 5, in closed form): the σ with Laplace’s tail at t is "
    r"$\sigma=t/q$ with $q=-\Phi^{-1}(p_1/2)$; the formula of the Gaussian, solved for ε at that σ, gives ε₂. "
    r"For pDP $\varepsilon_2=\Delta_2\,(-\Phi^{-1}(\delta/2)+\Delta_2/(2\sigma))/\sigma$.",
    "**Crossover and frontier.** The σ as large as Laplace’s noise is √2 b by the variance, √(π/2) b by the mean "
    "error, b ln(1/α)/(−Φ⁻¹(α/2)) by the error at level α. The δ of that σ, by the Gaussian’s own formula, is the "
    "frontier. By the variance, for one statistic and pDP, it starts at δ = 2Φ(−√2) ≈ 0.157 (Liu 2019, Proposition 12, "
    "whose text prints 2Φ(√2)).",
    "**Sensitivity and neighbours.** Δ₁ is the largest ℓ₁ distance, Δ₂ the largest ℓ₂ distance by which the query "
    "moves between neighbouring data sets. For the counts, the person who is added or removed is in each of them; for "
    "the histogram, the person has a single record. Only the noise of one number is compared, without sampling error.",
)
