"""The sentences and names that several sections share, and how the numbers are computed."""

from typing import Any

from dpcore.checks import POSITIVE_EPSILON_RANGE, interval_bounds
from dpcore.generalized_gaussian import pure_scale
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    tex,
)
from pages.generalized_gaussian.bounded import text
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.formulas import LEAST_NOISE_TEXT, TRUNCATED_LAPLACE_TEXT
from pages.shared.shared_parameters import more_text

GUARANTEE_HELP = (
    "(ε, δ)-DP: no set of outcomes has a probability that exceeds e^ε times its probability under a neighbouring data "
    "set by more than δ. pDP, probabilistic DP: the privacy loss exceeds ε with probability at most δ. "
    "Corollary 9: the paper’s bound for pDP, which requires more noise than pDP does unless p = 1."
    + more_text("pdp", "probabilistic DP")
)


def shape_name(p: float) -> str:
    """Return the name of a shape.

    >>> shape_name(1), shape_name(2), shape_name(2.5)
    ('p = 1, Laplace noise', 'p = 2, Gaussian noise', 'p = 2.5')
    """
    return f"p = {format_input_up(p)}" + {1.0: ", Laplace noise", 2.0: ", Gaussian noise"}.get(p, "")


def parameters_text(setting: GeneralizedGaussianSetting, *, without: str = "") -> str:
    """Return the parameters in one line, without those that a picture varies."""
    parts = {
        "epsilon": f"ε = {format_input_up(setting.epsilon)}",
        "delta": f"δ = {format_input_up(setting.delta)}",
        "p": f"p = {format_input_up(setting.p)}",
        "sensitivity": f"Δ = {format_input_down(setting.l2_sensitivity)}",
    }
    return ", ".join(part for key, part in parts.items() if key not in without.split())


def setting_text(setting: GeneralizedGaussianSetting) -> str:
    """Return a pinned setting in one line."""
    return f"{parameters_text(setting)}, {setting.calibration.name}"


def no_answer_text(setting: GeneralizedGaussianSetting) -> tuple[str, str]:
    """Return the sentences for an ε that is too small for pDP."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} probabilistic DP has no answer.",
        (
            f"Choose an ε of at least {format_nearest(setting.calibration.least_epsilon)}, or (ε, δ)-DP, which has one"
            " at every ε ≥ 0."
        ),
    )


def csv_header(result: GeneralizedGaussianResult, **more: object) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with the kept setting's, if there is one."""
    setting = result.setting
    units = "epsilon in nats; scale, deviation, mean_error and accuracy in query units; p is a pure number"
    page_parameters = {
        "p": repr(setting.p),
        "guarantee": f"{setting.calibration.guarantee}, {setting.calibration.theorem}",
        "units": units,
    }
    pinned = {} if result.pinned is None else {"pinned": setting_text(result.pinned.setting)}
    return setting.csv_header | page_parameters | more | pinned


_TEX_SHAPE = r"\frac{p}{2b\,\Gamma(1/p)}\,e^{-(|x|/b)^p}"


def pure_dp_text(setting: GeneralizedGaussianSetting) -> str:
    """Return whether the chosen shape has an answer without δ ([Liu19] Claim 4)."""
    least = interval_bounds(POSITIVE_EPSILON_RANGE)[0]
    if setting.p != 1:
        return (
            f"**Without δ** p = {format_input_up(setting.p)} has no answer: {pure_scale(1, setting.p).reason} (Liu"
            " 2019, Claim 4)."
        )
    if setting.epsilon < least:
        return (
            f"**Without δ:** only p = 1 satisfies pure ε-DP, with b = Δ₁/ε, here from ε = {format_nearest(least)} on."
        )
    pure = pure_scale(setting.epsilon, 1, setting.l2_sensitivity)
    return f"**Without δ:** p = 1 satisfies pure ε-DP with b = Δ₁/ε = {format_up(pure.scale)}; no other shape can."


def explanation_text(result: GeneralizedGaussianResult) -> str:
    """Return how each number is computed: formula with the user's numbers, source, notion, norm and range."""
    return f"{noise_explanation_text(result)}\n\n{text.explanation_text(result)}"


def noise_explanation_text(result: GeneralizedGaussianResult) -> str:
    """Return how the numbers of the noise of each shape are computed, without bounds."""
    setting, noise = result.setting, result.noise
    e, d, p = (tex(format_input_up(parameter)) for parameter in (setting.epsilon, setting.delta, setting.p))
    if noise is None:
        example = escape_markdown(" ".join(no_answer_text(setting)))
    else:
        example = (
            rf"Here $\varepsilon={e}$, $\delta={d}$, $p={p}$, $\Delta={tex(format_input_down(setting.l2_sensitivity))}$"
            r" give "
            rf"$b={tex(format_up(noise.scale))}$ for {escape_markdown(setting.calibration.guarantee)}"
            rf" ({setting.calibration.theorem})."
        )
    return "\n\n".join(
        (
            rf"**The noise** has the density ${_TEX_SHAPE}$, variance "
            r"$b^2\,\Gamma(3/p)/\Gamma(1/p)$ and mean error $b\,\Gamma(2/p)/\Gamma(1/p)$ (Liu 2019, §2.3); a share "
            r"$1-\alpha$ of releases falls within $\pm a$, $\Gamma(1/p,(a/b)^p)/\Gamma(1/p)=\alpha$. " + example,
            "**Exact (ε, δ)-DP** (own derivation): the privacy loss at x is $(|x-\\Delta|^p-|x|^p)/b^p$, which never "
            "rises as "
            r"x grows. It is ε at one point $x^*$, so $\delta=F(x^*)-e^{\varepsilon}F(x^*-\Delta)$; b solves that. At "
            r"$p=1$ it is Laplace’s $\Delta/(\varepsilon-2\ln(1-\delta))$, at $p=2$ the analytic Gaussian (Balle & "
            "Wang 2018, Theorem 8) with $b=\\sqrt2\\,\\sigma$. For every ε ≥ 0, one statistic.",
            "**Exact pDP** (own derivation): probabilistic DP means Pr(|privacy loss| > ε) ≤ δ, the mass beyond $x^*$ "
            "and its mirrored point. Its δ is another quantity than that of (ε, δ)-DP, which it implies. For every "
            "ε > 0.",
            r"**Corollary 9** (Liu 2019, own form): $(ub+\Delta)^p-(ub)^p=b^p\varepsilon$ with u the upper δ-quantile "
            r"of |x|/b. No Monte Carlo is needed, and p may be any real number from 1 on; at $p=2$ it is Proposition "
            "11, Eq. 17. The paper’s text drops the exponent j on Δ.",
            r"**Proposition 8** (Liu 2019, own form), several statistics: $\Pr(\sum_k[(|e_k|+\Delta_k)^p-|e_k|^p]>"
            r"b^p\varepsilon)\le\delta$, by a deterministic convolution, never below the b that this requires; the "
            "paper draws it by Monte Carlo (Fig. 2).",
            "**The best p** (own search) is searched for in [1, 64] on a grid and refined; the optimum is flat, so p "
            "itself is known to about 1e-4, its noise to a relative 1e-8. Beyond 64 the noise is nearly uniform.",
            LEAST_NOISE_TEXT,
            TRUNCATED_LAPLACE_TEXT,
            "**Sensitivity and neighbours.** For one statistic every ℓ_p sensitivity is the same number, so Δ₂ is used "
            "for each p; neighbours are the pairs of data sets for which it was computed.",
            pure_dp_text(setting),
            "**The map of the best p.** Under (ε, δ)-DP log b is interpolated by cubic splines in log ε and log δ from "
            "17 · 36 places for each of 41 shapes. Compared with a full search at 100 random places, the noise of the "
            "shown p was at most a relative 1e-3 above the least, and p itself was within 3 % at 98 of them. Under "
            "pDP, where p jumps, it is searched for.",
        )
    )
