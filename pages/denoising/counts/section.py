"""The section on the user's own counts: which estimator to use, and how good that advice is."""

import math
from collections.abc import Iterator, Sequence

from dpcore.denoise import ESTIMATORS
from pages.denoising.claims import counts_claims
from pages.denoising.code import counts_snippets
from pages.denoising.counts import exhibits
from pages.denoising.counts.explanation import explanation_text
from pages.denoising.counts.parameters import ESTIMATOR, ORDER, PRIOR_SD, SIGNAL, TABLE, TOTAL
from pages.denoising.counts.results import MOST_RANKED_COUNTS, MOST_TREND_COUNTS, CountsRelease
from pages.denoising.counts.text import (
    EQUAL_SHARE,
    EXTRA_NOISE_PERCENT,
    TRIAL_WARNING,
    answer_text,
    conditions,
    true_best_text,
)
from pages.denoising.estimator_phrases import ESTIMATOR_PHRASES
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Row, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.parameters import NEIGHBOURS, PER_CELL, TABLE_LINK
from pages.shared.counts.table import contribution_fields
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE


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
    by_sure = release.first_by_sure
    choice = "the same estimator" if by_sure == release.first_in_ranking else ESTIMATOR_PHRASES[by_sure]
    return (
        "**SURE** (Stein’s unbiased risk estimate) estimates the squared error of an estimator from the release and σ"
        f" alone; here it selects {choice}. **SURE is too optimistic after selection**: it is unbiased for an estimator"
        f" that was fixed in advance, and too low where it tuned the estimator itself ({_enumeration(tuned)}) or"
        " selected the best of several. **James–Stein** shrinks all numbers by one factor, estimated from the release."
    )


def _trend_paragraph(release: CountsRelease) -> str:
    if not release.is_series or release.size > MOST_TREND_COUNTS:
        return ""
    return (
        "**Graph trend filtering** is too slow to be ranked here; select it below. For a series that is constant over "
        "stretches it is often better than all others."
    )


def _enumeration(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
    table_fields = () if result.release.is_trial else (table, Field(ORDER, "Order"))
    return EPSILON, DELTA, *contribution_fields(result.values), signal, *table_fields, SEED


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors, which estimator to use, the counts themselves, and every estimator in numbers."""
    release = result.denoisable_release
    if release is None:
        return
    yield exhibits.errors(result, colours)
    per_cell = (PER_CELL,) if result.values[CONTRIBUTION.key] not in ("once", "limited") else ()
    yield Fields(
        (*per_cell, Field(NEIGHBOURS, "Neighbours"), PRIOR_SD, Field(TOTAL, "Total of the counts"), SIGNIFICANCE)
    )
    yield Row(advice_texts(release))
    yield Fields((Field(ESTIMATOR, "Denoised by"),))
    yield exhibits.values(result, colours)
    yield exhibits.table(result, colours)


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="counts",
    name="My counts",
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(exhibits.errors, exhibits.values, exhibits.table),
    claims=counts_claims,
    snippets=counts_snippets,
)
