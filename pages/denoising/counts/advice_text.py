"""The advice on which estimator to use on counts, and how good that advice is."""

import math

from dpcore.denoise import ESTIMATORS
from pages.denoising.counts.results import MOST_RANKED_COUNTS, MOST_TREND_COUNTS, CountsRelease
from pages.denoising.counts.text import EQUAL_SHARE, ESTIMATOR_PHRASES, EXTRA_NOISE_PERCENT, TRIAL_WARNING
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest


def advice_texts(release: CountsRelease) -> tuple[str, str]:
    """Return which estimator to use and how good that advice is, and what else matters; both in Markdown."""
    use = (
        f"**Which one should I use?** What the ranking puts first: here {ESTIMATOR_PHRASES[release.first_in_ranking]}."
        " The ranking is made of the release and σ alone, so it works on a real release, without the true counts and"
        " without any privacy budget: it splits the release into two of independent noise, denoises one, and judges"
        f" the result by the other (coupled bootstrap, {2 * release.n_pairs} splits, at {EXTRA_NOISE_PERCENT} % more"
        " noise than σ)."
    )
    bars = (
        "**Don’t choose by the bars.** They are made of the true counts: a choice by them, like every true error here, "
        f"tells about people beyond what ε and δ promise. {TRIAL_WARNING}"
    )
    advice = _joined_paragraphs(public_total_text(release), use, _sure_paragraph(release))
    return advice, _joined_paragraphs(_trial_paragraph(release), _trend_paragraph(release), bars)


def _joined_paragraphs(*paragraphs: str) -> str:
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _sure_paragraph(release: CountsRelease) -> str:
    flattered = [ESTIMATOR_PHRASES[key] for key in release.rivals if ESTIMATORS[key].tuned]
    return (
        "**SURE flatters.** Stein’s estimate is right on average for what is fixed beforehand. It is too low where it"
        f" chose the tuning on the same release ({_enumeration(flattered)}), and for the least of several. The ranking"
        " has only the second fault."
    )


def _trend_paragraph(release: CountsRelease) -> str:
    if not release.is_series or release.size > MOST_TREND_COUNTS:
        return ""
    return (
        "**Graph trend filtering** is too slow to be ranked here; draw it below. Where a series stays the same over "
        "stretches it is often better than all of these."
    )


def _enumeration(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _trial_paragraph(release: CountsRelease) -> str:
    """Return how often the ranking is right on these counts, and what following it costs."""
    repeats = release.ranking_repeats
    if repeats is None or repeats.by_coupled is None:
        return (
            f"Of more than {MOST_RANKED_COUNTS:,} counts the ranking is not tried again and again here; over so many, "
            "what it is made of varies little from release to release."
        )
    ours, sure, own, n = repeats.by_coupled, repeats.by_sure, repeats.release_error, repeats.n_repeats
    promised = "an error below 0" if sure.promised < 0 else _error_percent(sure.promised, own)
    hurt = " **So here following it makes the error larger.**" if ours.error > own * (1 + EQUAL_SHARE) else ""
    return (
        f"**How good is that?** Tried on {n} releases of these counts: what the ranking put first was truly the best in"
        f" {_out_of(ours.right, n)} and better than the release itself in {_out_of(ours.better, n)}. Its RMSE was"
        f" {_error_percent(ours.error, own)} of the release’s; the truly best of each release, which nobody can choose"
        f" without the true counts, had {_error_percent(repeats.least, own)}.{hurt} SURE’s first was truly the best in"
        f" {_out_of(sure.right, n)}: RMSE {_error_percent(sure.error, own)} of the release’s, where SURE had promised"
        f" {promised}."
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
    sentence = f"**The total of {total} is taken as public**, as if everybody knew it already."
    if release.neighbours == "replace":
        return f"{sentence} The promise covers that where every person adds as much to the counts as every other."
    return (
        f"⚠ {sentence} The promise does not cover that: with one person added or removed the total is another, so what "
        "you publish would tell it. Keep the release’s own total, or choose to replace one person."
    )
