"""The section on the user's own counts: which estimator to use, and how good that advice is."""

import math
from collections.abc import Iterator, Sequence

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.code import counts_claims, counts_snippets
from pages.denoising.comparison import ESTIMATOR_PHRASES
from pages.denoising.counts.figures import errors, errors_exhibit, values
from pages.denoising.counts.results import MOST_RANKED_COUNTS, MOST_TREND_COUNTS, CountsRelease
from pages.denoising.counts.text import (
    EQUAL_SHARE,
    EXTRA_NOISE_PERCENT,
    TRIAL_WARNING,
    answer_text,
    conditions,
    true_best_text,
)
from pages.denoising.parameters import ESTIMATOR, ORDER, PRIOR_SD, SIGNAL, TABLE, TOTAL
from pages.denoising.results import DenoisingResult, sensitivity_of
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Fold, Part, Row, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, listed, plural, tex
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION, LIMITED
from pages.shared.counts.table import NEIGHBOURS, PER_CELL, TABLE_LINK, contribution_fields
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE

_TUNING_FORMS = {
    "posterior_mean": "w = {}",
    "james_stein": "× {}",
    "james_stein_plus": "× {}",
    "soft_universal": "T = {}",
    "soft_sure": "T = {}",
    "wavelet_universal": "T = {}",
    "laplacian": "λ = {}",
}
_ASSUMPTIONS = {
    "none": "nothing",
    "posterior_mean": "w is known; harm far above w",
    "james_stein": "3 or more; may flip signs",
    "james_stein_plus": "3 or more; no harm on average",
    "soft_universal": "most are near 0; else harm",
    "soft_sure": "some are near 0; else little gain",
    "non_negative": "none below 0; no harm, raises sums",
    "with_total": "none below 0; else harm",
    "wavelet_universal": "neighbours similar; else harm",
    "wavelet_sure": "neighbours similar; else little gain",
    "laplacian": "neighbours similar; flattens peaks",
}


def table_html(release: CountsRelease) -> str:
    """Return the RMSE of every estimator, estimated and true, as HTML."""
    heads = [
        "Estimator",
        "Rank",
        "Tuning",
        f"Ranking, <span>at +{EXTRA_NOISE_PERCENT} % noise</span>",
        "SURE",
        "True, <span>this release</span>",
        f"Mean, <span>{release.n_repeats} releases</span>",
        "Assumption; when it does harm",
    ]
    rows = [_estimator_row(release, key) for key in release.table_keys]
    return number_format.table_html("RMSE of every estimator", "verdicts cells", heads, rows)


def _estimator_row(release: CountsRelease, key: str) -> list[str]:
    outcome, words = release.outcomes[key], ESTIMATORS[key]
    rank = str(release.ranking.index(key) + 1) if key in release.ranking else "–"
    tuning = _TUNING_FORMS[key].format(format_nearest(outcome.tuning)) if key in _TUNING_FORMS else "–"
    bias = ", too optimistic" if words.tuned else ""
    ranked_by = _rmse_cell(release.ranking_rmse[key]) if key in release.ranking_rmse else "–"
    numbers = [ranked_by, f"{_rmse_cell(outcome.rmse_by_sure)}{bias}"]
    numbers += [_rmse_cell(outcome.rmse), _rmse_cell(release.mean_rmse(key))]
    takes = "the total is true; else harm" if key == "with_total" and release.public_total else _ASSUMPTIONS[key]
    return [words.name, rank, "–" if math.isnan(outcome.tuning) else tuning, *numbers, takes]


def _rmse_cell(value: float) -> str:
    return "below 0" if math.isnan(value) else format_nearest(value)


def table(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """Return the table of all estimators."""
    release = result.denoisable_release
    if release is None:
        return None
    return errors_exhibit("estimators", table_html(release), result, release)


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
    rows = [_estimator_item(key) for key in release.table_keys if key != "none"]
    rows.append("\nGraph trend filtering takes far longer: it is not ranked, and can be shown for a series.")
    estimators = "\n".join(["**The estimators.** d numbers, σ known:\n", *rows])
    basis = _noise_paragraph(result, release), _PRIVACY_PARAGRAPH, estimators
    return "\n\n".join((*basis, _sure_formula(release), _ranking_paragraph(release), _errors_paragraph(release)))


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


def _estimator_item(key: str) -> str:
    estimator = ESTIMATORS[key]
    words = f"Assumption: {estimator.assumption} When it does harm: {estimator.hurts}"
    return f"- *{estimator.name}*: {estimator.formula}. {_SOURCES[key]}. {words}"


def _sure_formula(release: CountsRelease) -> str:
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


def advice_texts(release: CountsRelease) -> tuple[str, str]:
    """Return why this estimator is recommended and how good that choice is; and what else matters. Both in Markdown."""
    choice = (
        f"**Why {ESTIMATOR_PHRASES[release.first_in_ranking]}?** It ranks first. The ranking uses the release and σ"
        " alone, at no privacy cost: it denoises one of two parts with independent noise and measures the error on the"
        f" other (coupled bootstrap, {2 * release.n_pairs} splits, at {EXTRA_NOISE_PERCENT} % more noise than σ)."
    )
    truth = (
        f"**With the true counts** one sees more: {true_best_text(release)}. A choice by these true errors or by the "
        f"bars, which show them, reveals data beyond what ε and δ allow. {TRIAL_WARNING}"
    )
    advice = _joined_paragraphs(public_total_text(release), choice, _trial_paragraph(release))
    return advice, _joined_paragraphs(_sure_paragraph(release), _trend_paragraph(release), truth)


def _joined_paragraphs(*paragraphs: str) -> str:
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _sure_paragraph(release: CountsRelease) -> str:
    tuned = [ESTIMATOR_PHRASES[key] for key in release.rivals if ESTIMATORS[key].tuned]
    by_sure = min(release.ranked_keys, key=lambda key: release.outcomes[key].sure)
    choice = "the same estimator" if by_sure == release.first_in_ranking else ESTIMATOR_PHRASES[by_sure]
    return (
        "**SURE** (Stein’s unbiased risk estimate) estimates the squared error of an estimator from the release and σ"
        f" alone; here it selects {choice}. **SURE is too optimistic after selection**: it is unbiased for an estimator"
        f" that was fixed in advance, and too low where it tuned the estimator itself ({listed(tuned)}) or"
        " selected the best of several. **James–Stein** shrinks all numbers by one factor, estimated from the release."
    )


def _trend_paragraph(release: CountsRelease) -> str:
    if not release.is_series or release.size > MOST_TREND_COUNTS:
        return ""
    return (
        "**Graph trend filtering** is too slow to be ranked here; select it below. For a series that is constant over "
        "stretches it is often better than all others."
    )


def _trial_paragraph(release: CountsRelease) -> str:
    """Return how often the ranking is right on these counts, and what following it costs."""
    repeats = release.ranking_repeats
    if repeats is None or repeats.by_coupled is None:
        return (
            f"For more than {MOST_RANKED_COUNTS:,} counts the ranking is not tested on further releases here; with so "
            "many counts it varies little from release to release."
        )
    ours, sure, own, n = repeats.by_coupled, repeats.by_sure, repeats.release_error, repeats.n_repeats
    expected = "an error below 0" if sure.estimated < 0 else _error_percent(sure.estimated, own)
    hurt = " **So here the recommendation increases the error.**" if ours.error > own * (1 + EQUAL_SHARE) else ""
    return (
        f"**How good is the choice?** On {n} releases of these counts the estimator that ranked first was truly the"
        f" best in {_out_of(ours.right, n)} and better than the release itself in {_out_of(ours.better, n)}. Its RMSE"
        f" was {_error_percent(ours.error, own)} of the release’s. The truly best estimator of each release, which"
        f" nobody can select without the true counts, had {_error_percent(repeats.least, own)}.{hurt} SURE selected the"
        f" best in {_out_of(sure.right, n)}, with an RMSE of {_error_percent(sure.error, own)} of the release’s where"
        f" SURE expected {expected}."
    )


def _out_of(share: float, total: int) -> str:
    part = round(share * total)
    return f"all {total}" if part == total else str(part) if part else "none"


def _error_percent(error: float, own: float) -> str:
    share = math.sqrt(error / own)
    return number_format.percent(share, 2 if share < 1 else 3)


def public_total_text(release: CountsRelease) -> str:
    """Return what a public total assumes and whether the guarantee covers it, in Markdown; empty without one."""
    if not release.public_total:
        return ""
    total = format_nearest(release.total or 0.0, 17)
    sentence = f"**The total of {total} is treated as public**, as if everybody knew it in advance."
    if release.neighbours == "replace":
        return f"{sentence} The guarantee covers that if every person adds the same amount to the counts."
    return (
        f"⚠ {sentence} The guarantee does not cover that: adding or removing one person changes the total, so a "
        "publication would reveal it. Use the total of the release, or choose to replace one person."
    )


def controls(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    signal, table = Field(SIGNAL, "Counts"), Field(TABLE, "Table", link=TABLE_LINK)
    if result.release is None:
        return signal, table
    tables, order = ((), ()) if result.release.is_trial else ((table,), (Field(ORDER, "Order"),))
    return signal, *tables, *contribution_fields(result.values), EPSILON, DELTA, *order, SEED


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors, which estimator to use, the counts themselves, and every estimator in numbers."""
    release = result.denoisable_release
    if release is None:
        return
    yield errors(result, colours)
    per_cell = (PER_CELL,) if result.values[CONTRIBUTION.key] not in ("once", *LIMITED) else ()
    knowledge = Field(NEIGHBOURS, "Neighbours"), PRIOR_SD, Field(TOTAL, "Total of the counts")
    yield Fields((*per_cell, *knowledge, SIGNIFICANCE))
    yield Row(advice_texts(release))
    yield Fields((Field(ESTIMATOR, "Denoised by"),))
    yield values(result, colours)
    yield Fold(lambda: (table(result, colours),), "Compare the estimators in numbers")


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="counts",
    name="My counts",
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(errors, values, table),
    claims=counts_claims,
    snippets=counts_snippets,
)
