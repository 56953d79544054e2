"""How the numbers of the section on counts are computed: the noise, the estimators, the two estimates of the error."""

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.counts.release_results import sensitivity_of
from pages.denoising.counts.results import CountsRelease
from pages.denoising.results import DenoisingResult
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, plural, tex
from pages.shared.looks import LOOKS

_SOURCES = {
    "posterior_mean": "Bayes’ rule; Balle & Wang 2018, §4",
    "james_stein": "James & Stein 1961; Balle & Wang 2018, Thm 11",
    "james_stein_plus": "Baranchik 1964; its expected error is never above James–Stein’s own",
    "soft_universal": "Donoho & Johnstone 1994; Balle & Wang 2018, Thm 12",
    "soft_sure": "Donoho & Johnstone 1995",
    "non_negative": "The nearest point without negative numbers",
    "with_total": "The nearest point without negative numbers that has this total",
    "wavelet_universal": "Donoho & Johnstone 1994, Haar’s wavelets",
    "wavelet_sure": "Donoho & Johnstone 1995, Haar’s wavelets",
    "laplacian": "Ridge regression on a path, L its Laplacian",
}
_PRIVACY_PARAGRAPH = (
    "**Privacy.** Denoising costs none: what is computed from a release without the data satisfies the guarantee of "
    "the release (post-processing). That holds for every estimator here, for SURE and for the ranking; σ is public. "
    "It does not hold for a w or a total that is read from the data, nor for a choice by the true errors."
)


def explanation_text(result: DenoisingResult) -> str:
    """Return how the numbers are computed, in Markdown with TeX and the user's numbers."""
    release = result.denoisable_release
    if release is None:
        return ""
    basis = _noise_paragraph(result, release), _PRIVACY_PARAGRAPH, _estimators_list(release)
    return "\n\n".join((*basis, _sure_paragraph(release), _ranking_paragraph(release), _errors_paragraph(release)))


def _noise_paragraph(result: DenoisingResult, release: CountsRelease) -> str:
    setting = result.setting
    sensitivity = sensitivity_of(result.values, release.size)
    numbers = {
        "s": format_up(float(sensitivity.l2)),
        "e": format_input_up(setting.epsilon),
        "d": format_input_up(setting.delta),
        "value": format_up(release.sigma),
    }
    filled = LOOKS["analytic"].scale.format(**{name: tex(number) for name, number in numbers.items()})
    return (
        rf"**The noise.** Each of the $d={tex(f'{release.size:,}')}$ counts $y_i$ gets independent noise, "
        r"$\hat y=y+N(0,\sigma^2I)$, with the analytic Gaussian’s σ for the sensitivity to one person, "
        f"Δ₂ = {format_up(float(sensitivity.l2))} (Balle & Wang 2018, Thm 8).\n\n$${filled}$$"
    )


def _estimators_list(release: CountsRelease) -> str:
    rows = [_estimator_item(key) for key in release.table_keys if key != "none"]
    rows.append("\nGraph trend filtering takes far longer: it is not ranked, and can be shown for a series.")
    return "\n".join(["**The estimators.** d numbers, σ known:\n", *rows])


def _estimator_item(key: str) -> str:
    estimator = ESTIMATORS[key]
    words = f"Assumption: {estimator.assumption} When it does harm: {estimator.hurts}"
    return f"- *{estimator.name}*: {estimator.formula}. {_SOURCES[key]}. {words}"


def _sure_paragraph(release: CountsRelease) -> str:
    first = release.first_in_ranking
    share = tex(format_nearest(release.outcomes[first].rmse_by_sure))
    chosen = f"Here for {ESTIMATORS[first].name}: $\\sqrt{{\\text{{SURE}}/d}}={share}$." if share != "–" else ""
    return (
        "**SURE**, Stein’s unbiased risk estimate (Stein 1981), needs σ and the release alone. On average over "
        r"releases it is the squared error of $g(\hat y)$, if $g$ was fixed beforehand:"
        "\n\n"
        r"$$\text{SURE}=-d\sigma^2+\|g(\hat y)-\hat y\|^2+2\sigma^2\sum_i\partial g_i/\partial\hat y_i,\qquad"
        r"\mathbb E\,\text{SURE}=\mathbb E\|g(\hat y)-y\|^2$$"
        f"\n\n{chosen}"
    )


def _ranking_paragraph(release: CountsRelease) -> str:
    alpha = format_nearest(EXTRA_VARIANCE)
    return (
        "**The ranking** is the coupled bootstrap of Oliveira, Lei & Tibshirani (2022). With ω ~ N(0, I) and "
        rf"$\alpha={alpha}$ the two parts $\hat y^+$ and $\hat y^-$ have independent noises, so $g$ is tested on noise "
        "that it did not use, however it was tuned:"
        "\n\n"
        r"$$\hat y^+=\hat y+\sqrt\alpha\,\sigma\omega,\quad\hat y^-=\hat y-\sigma\omega/\sqrt\alpha,\qquad"
        r"\mathbb E\left[\|\hat y^--g(\hat y^+)\|^2-\|\sigma\omega\|^2/\alpha-d\sigma^2\right]"
        r"=\mathbb E\|g(\hat y^+)-y\|^2$$"
        "\n\n"
        rf"That is the error at noise $\sqrt{{1+\alpha}}\,\sigma$, a little more than the release has. It is the mean "
        f"over {plural(release.n_pairs, 'draw')} of ω from the seed, each with its opposite."
    )


def _errors_paragraph(release: CountsRelease) -> str:
    return (
        "**The errors** are root mean squares over the counts, "
        r"$\sqrt{\|g(\hat y)-y\|^2/d}$, and the mean is that of the squares, over "
        f"{release.n_repeats} releases of the true counts, the same for all estimators. A percentage by which the "
        "error is reduced is such a mean, two standard errors on the safe side and rounded down; in one release it may "
        "be less. A range of percentages ends two standard errors above and below, and ± is two standard errors. The "
        "noise that “A table” recommends, left as it is, has its standard deviation as its RMSE; denoising is "
        "recommended where the whole range is a gain of 1 % or more. A series of more than 100,000 counts is not "
        "smoothed."
    )
