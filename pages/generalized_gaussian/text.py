"""The words of the page on generalized Gaussian noise: its answer, the table of shapes, how it computes."""

from typing import Any

import numpy as np

from dpcore.calibrations import GENERALIZED_DISJOINT, GENERALIZED_EXACT_PDP
from dpcore.checks import POSITIVE_EPSILON_RANGE, ends
from dpcore.generalized_gaussian import pure_scale
from dpcore.mechanism import Mechanism
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    share,
    tex,
)
from pages.generalized_gaussian import best_text
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult

ROUNDING = (
    "To four digits, all rounded up. “The paper's b” is Corollary 9, its bound for one statistic, at the same ε and δ: "
    "it keeps probabilistic DP (pDP: the privacy loss stays within ε but with probability δ), which implies "
    "(ε, δ)-DP. “Its variance” is beside that of the noise of the chosen promise."
)
PROMISE_HELP = (
    "(ε, δ)-DP: no set of outcomes has a probability that exceeds e^ε times its probability under a neighbouring data "
    "set by more than δ. pDP, probabilistic DP: the privacy loss stays within ε except with probability δ. "
    "Corollary 9: the paper's bound for pDP, which requires more noise than pDP does unless p = 1."
)
_TEX_SHAPE = r"\frac{p}{2b\,\Gamma(1/p)}\,e^{-(|x|/b)^p}"


def shape_name(p: float) -> str:
    """A shape, with its own name if it has one.

    >>> shape_name(1), shape_name(2), shape_name(2.5)
    ('p = 1, Laplace noise', 'p = 2, Gaussian noise', 'p = 2.5')
    """
    return f"p = {format_input_up(p)}" + {1.0: ", Laplace noise", 2.0: ", Gaussian noise"}.get(p, "")


def place(setting: GeneralizedGaussianSetting, *, without: str = "") -> str:
    """The parameters in a line, but for those that a picture varies."""
    parts = {
        "epsilon": f"ε = {format_input_up(setting.epsilon)}",
        "delta": f"δ = {format_input_up(setting.delta)}",
        "p": f"p = {format_input_up(setting.p)}",
        "sensitivity": f"Δ = {format_input_down(setting.l2_sensitivity)}",
    }
    return ", ".join(part for key, part in parts.items() if key not in without.split())


def answer(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """The noise at the chosen p, what the paper's bound costs, the error, and the best p; what a kept setting had."""
    setting, noise, best = result.setting, result.noise, result.best
    if noise is None or best is None:
        return no_answer(setting)
    rival = result.rival_scale
    if rival is None:
        compared = "the paper’s bound has no answer at this ε"
    else:
        change = number_format.variance_comparison(float(np.square(rival / np.float64(noise.scale))))
        compared = f"{'exact pDP' if setting.promise is GENERALIZED_DISJOINT else 'the paper’s bound'} would {change}"
        compared += " than needed" if "more" in change else ""
    reach, half_width = share(setting.significance), format_up(noise.half_width(setting.significance))
    return (
        (
            f"At {place(setting, without='sensitivity')}: b = {format_up(noise.scale)}, standard deviation"
            f" {format_up(noise.deviation)}; {compared}."
        ),
        (
            f"{reach[0].upper()}{reach[1:]} of releases fall within ±{half_width} of the truth. "
            f"{best_text.beside(setting, best)}"
        ),
        *compared_noise(result),
    )


def compared_noise(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """What has become of the noise of the kept setting, if there is one and both have an answer."""
    noise, before = result.noise, result.pinned and result.pinned.noise
    if noise is None or result.pinned is None:
        return ()
    if before is None:
        return (f"Pinned: {kept(result.pinned.setting)} has no answer.",)
    half_widths = before.half_width(result.pinned.setting.significance), noise.half_width(result.setting.significance)
    changes = (
        f"b {format_up(before.scale)} → {format_up(noise.scale)}, "
        f"standard deviation {format_up(before.deviation)} → {format_up(noise.deviation)}, "
        f"±{format_up(half_widths[0])} → {format_up(half_widths[1])}"
    )
    return (f"Pinned ({kept(result.pinned.setting)}) → now: {changes}.",)


def kept(setting: GeneralizedGaussianSetting) -> str:
    """What tells a kept setting from others."""
    return f"{place(setting)}, {setting.promise.name}"


def no_answer(setting: GeneralizedGaussianSetting) -> tuple[str, str]:
    """What is said where ε is too small for pDP."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} probabilistic DP has no answer.",
        (
            f"Choose an ε of at least {format_nearest(setting.promise.least_epsilon)}, or (ε, δ)-DP, which has one at"
            " every ε ≥ 0."
        ),
    )


def pure_words(setting: GeneralizedGaussianSetting) -> str:
    """Whether the chosen shape can do without δ ([Liu19] Claim 4), for those who ask."""
    least = ends(POSITIVE_EPSILON_RANGE)[0]
    if setting.p != 1:
        return (
            f"**Without δ** p = {format_input_up(setting.p)} has no answer: {pure_scale(1, setting.p).reason} (Liu"
            " 2019, Claim 4)."
        )
    if setting.epsilon < least:
        return f"**Without δ:** p = 1 alone keeps pure ε-DP, with b = Δ₁/ε, here from ε = {format_nearest(least)} on."
    pure = pure_scale(setting.epsilon, 1, setting.l2_sensitivity)
    return f"**Without δ:** p = 1 keeps pure ε-DP with b = Δ₁/ε = {format_up(pure.scale)}; no other shape can."


def densities_subtitle(setting: GeneralizedGaussianSetting) -> str:
    """The parameters of the densities, and what they share."""
    how = {GENERALIZED_DISJOINT.key: " by Corollary 9", GENERALIZED_EXACT_PDP.key: ", exact"}
    shared = {
        "scale": f"the scale b of p = {format_input_up(setting.p)}",
        "variance": f"the variance of p = {format_input_up(setting.p)}",
        "guarantee": setting.promise.promise + how.get(setting.guarantee, ""),
    }
    return f"{place(setting, without='p')}; all with {shared[setting.match]}"


def densities_alt(result: GeneralizedGaussianResult) -> str:
    """What the picture of densities shows."""
    peaks = (
        f"p = {format_input_up(p)} with b = {format_up(b)}"
        for p, b in zip(result.setting.every_shape, result.matched.tolist(), strict=True)
    )
    return f"Densities of noise, more flat at the top and with shorter tails the larger p is: {', '.join(peaks)}."


def table_html(result: GeneralizedGaussianResult) -> str:
    """The noise of every p in numbers, as an accessible HTML table; with a kept setting, over its noise."""
    heads = ["Shape", "Scale b, query units", "Standard deviation", "Mean |error|"]
    heads += [f"± for <span>{share(result.setting.significance)}</span> of releases", "The paper's b", "Its variance"]
    heads += [] if result.pinned is None else ["Standard deviation ÷ pinned"]
    body = []
    for at, (p, noise) in enumerate(result.noises.items()):
        half_width = noise.half_width(result.setting.significance)
        cells = [format_up(size) for size in (noise.scale, noise.deviation, noise.mean_absolute_error, half_width)]
        paper = None if result.paper_scales is None else float(result.paper_scales[at])
        body.append([shape_name(p).removesuffix(" noise"), *cells, *_beside(noise, paper), *_over_pinned(result, p)])
    return number_format.table_html("The noise of each shape in numbers", "numbers", heads, body)


def _over_pinned(result: GeneralizedGaussianResult, p: float) -> list[str]:
    """How large the deviation of a shape is beside that of the kept setting, where that has the shape."""
    if result.pinned is None:
        return []
    before = result.pinned.noises.get(p)
    return ["–" if before is None else format_nearest(result.noises[p].deviation / before.deviation)]


def _beside(noise: Mechanism, paper: float | None) -> list[str]:
    """The paper's b, and its variance over that of the noise."""
    if paper is None:
        return ["–", "–"]
    ratio = float(np.square(paper / np.float64(noise.scale)))
    return [
        format_up(paper),
        f"{format_nearest(ratio, 3)} times" if ratio >= 10 else f"{100 * max(ratio - 1, 0):.1f} % more",
    ]


def table_words(setting: GeneralizedGaussianSetting) -> str:
    """How the table of shapes is rounded, where there is one."""
    return ROUNDING if setting.has_answer else ""


def table_alt(result: GeneralizedGaussianResult) -> str:
    """What the table of shapes shows."""
    rows = (
        f"{shape_name(p)} has a standard deviation of {format_up(noise.deviation)}"
        for p, noise in result.noises.items()
    )
    return f"At {place(result.setting, without='p')}: {'; '.join(rows)}."


def csv_header(result: GeneralizedGaussianResult, **more: object) -> dict[str, Any]:
    """The parameters and units for the top of a CSV, with the kept setting's, if there is one."""
    setting = result.setting
    units = "epsilon in nats; scale, deviation, mean_error and accuracy in query units; p is a pure number"
    own = {"p": repr(setting.p), "guarantee": f"{setting.promise.promise}, {setting.promise.theorem}", "units": units}
    pinned = {} if result.pinned is None else {"pinned": kept(result.pinned.setting)}
    return setting.header | own | more | pinned


def explanation(result: GeneralizedGaussianResult) -> str:
    """How each number is computed: formula with the user's numbers, source, notion, norm and range."""
    setting, noise = result.setting, result.noise
    e, d, p = (tex(format_input_up(each)) for each in (setting.epsilon, setting.delta, setting.p))
    if noise is None:
        used = escape_markdown(" ".join(no_answer(setting)))
    else:
        used = (
            rf"Here $\varepsilon={e}$, $\delta={d}$, $p={p}$, $\Delta={tex(format_input_down(setting.l2_sensitivity))}$"
            r" give "
            rf"$b={tex(format_up(noise.scale))}$ for {escape_markdown(setting.promise.promise)}"
            rf" ({setting.promise.theorem})."
        )
    return "\n\n".join(
        (
            rf"**The noise** has the density ${_TEX_SHAPE}$, variance "
            r"$b^2\,\Gamma(3/p)/\Gamma(1/p)$ and mean error $b\,\Gamma(2/p)/\Gamma(1/p)$ (Liu 2019, §2.3); a share "
            r"$1-\alpha$ of releases falls within $\pm a$, $\Gamma(1/p,(a/b)^p)/\Gamma(1/p)=\alpha$. " + used,
            "**Exact (ε, δ)-DP** (own): the privacy loss at x is $(|x-\\Delta|^p-|x|^p)/b^p$, which never rises as "
            r"x grows. It is ε at one point $x^*$, so $\delta=F(x^*)-e^{\varepsilon}F(x^*-\Delta)$; b solves that. At "
            r"$p=1$ it is Laplace's $\Delta/(\varepsilon-2\ln(1-\delta))$, at $p=2$ the analytic Gaussian (Balle & "
            "Wang 2018, Theorem 8) with $b=\\sqrt2\\,\\sigma$. For every ε ≥ 0, one statistic.",
            "**Exact pDP** (own): probabilistic DP asks that Pr(|privacy loss| > ε) ≤ δ, the mass beyond $x^*$ and its "
            "mirrored point. Its δ is another quantity than that of (ε, δ)-DP, which it implies. For every ε > 0.",
            r"**Corollary 9** (Liu 2019, own form): $(ub+\Delta)^p-(ub)^p=b^p\varepsilon$ with u the upper δ-quantile "
            r"of |x|/b. No Monte Carlo is needed, and p may be any real number from 1 on; at $p=2$ it is Proposition "
            "11, Eq. 17. The paper's text drops the exponent j on Δ.",
            r"**Proposition 8** (Liu 2019, own form), several statistics: $\Pr(\sum_k[(|e_k|+\Delta_k)^p-|e_k|^p]>"
            r"b^p\varepsilon)\le\delta$, by a deterministic convolution, never below the b that this asks for; the "
            "paper draws it by Monte Carlo (Fig. 2).",
            "**The best p** (own) is searched for in [1, 64] on a grid and refined; the optimum is flat, so p itself "
            "is known to about 1e-4, its noise to a relative 1e-8. Beyond 64 the noise is nearly uniform.",
            "**Sensitivity and neighbours.** For one statistic every ℓ_p sensitivity is the same number, so Δ₂ is used "
            "for each p; neighbours are whatever pairs of data sets it was computed for.",
            pure_words(setting),
            "**The map of the best p.** Under (ε, δ)-DP log b is interpolated by cubic splines in log ε and log δ from "
            "17 · 36 places for each of 41 shapes: beside a full search at random places the noise of the shown p was "
            "above the least by less than a relative 1e-3, and p itself off by less than 3 % at 98 of 100. Under pDP, "
            "where p jumps, it is searched for.",
        )
    )
