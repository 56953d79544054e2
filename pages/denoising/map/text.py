"""The words on a private map: what it keeps, what denoising wins back, and what may be published of it."""

from dpcore.denoise import ESTIMATORS
from pages.denoising.map.places import Source
from pages.denoising.map.results import SLOW, MapRelease, map_release, map_source
from pages.denoising.results import DenoisingResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_input_up,
    format_nearest,
    format_up,
)

MISSING = (
    "Your own places are missing: a link never contains them.",
    "Bring a file of points, or of roads and counts, below, or choose the car sharing that ships with the page.",
)
MENDING = "Go on below, or choose the car sharing that ships with the page."
_ROUNDING = 1e-5  # of weights, which are cut to multiples of 2⁻²⁰ where a cap applies
_AS_GOOD = 0.98  # of the error of a map of zeros: no better than that
_ADDED = {"add_remove": "one person more or less", "replace": "one person replaced by another"}
SHORT = {
    "none": "no denoising",
    "james_stein_plus": "James–Stein’s positive part",
    "soft_universal": "the soft threshold σ√(2 ln d)",
    "soft_sure": "the soft threshold of least SURE",
    "non_negative": "negative numbers set to 0",
    "with_total": "no negative numbers with the release’s total kept",
    "wavelet_universal": "wavelets with the threshold σ√(2 ln m)",
    "wavelet_sure": "wavelets with thresholds of least SURE",
    "graph_wavelet": "graph wavelets",
    "laplacian": "Laplacian smoothing",
    "trend_filtering": "graph trend filtering",
}
_TUNING = {
    "james_stein_plus": "factor {}",
    "soft_universal": "T = {}",
    "soft_sure": "T = {}",
    "wavelet_universal": "T = {}",
    "graph_wavelet": "T = {}",
    "laplacian": "λ = {}",
    "trend_filtering": "λ = {}",
}


def places_said(made: MapRelease) -> str:
    """How many places there are, and of which kind."""
    kind = "cell" if made.source.roads is None else "junction"
    return f"{made.count.size:,} {kind}{'' if made.count.size == 1 else 's'}"


def cap(made: MapRelease) -> str:
    """The cap in words, with the sensitivity that follows from it."""
    asked = made.asked
    where = "" if asked.at_place >= asked.trips else f", {format_nearest(asked.at_place)} at one place"
    unit = _unit(made.source)
    unit = "car-day" if made.source.sample and asked.trips == 1 else unit
    return f"at most {format_nearest(asked.trips, 7)} {unit} a person{where} (Δ₂ = {format_up(made.sensitivity)})"


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return what the map keeps, what denoising wins back, and what has changed since the pinned setting."""
    release, source = map_release(result), map_source(result)
    if release is None:
        return (escape_markdown(source.problem), MENDING) if source is not None else MISSING
    pinned = None if result.pinned is None else map_release(result.pinned)
    return release_answer(release) if pinned is None else (*release_answer(release), compared(release, pinned))


def release_answer(made: MapRelease) -> tuple[str, ...]:
    """The noise and what the best denoising wins back; then what SURE chooses, and what it costs."""
    asked = made.asked
    each = "" if made.count.size == 1 else "each of "
    head = (
        f"At ε = {format_input_up(asked.epsilon)}, δ = {format_input_up(asked.delta)} and {cap(made)}:"
        f" {each}{places_said(made)} "
    )
    head += f"has noise of σ = {format_up(made.sigma)}"
    if made.drowned:
        return f"{head}.", "That is more noise than this page denoises: nothing of the map is left. Take a larger ε."
    raw, least = made.rmse["none"], made.rmse[made.best]
    if made.best == "none":
        first = f"{head}; no denoising gets below the RMSE of this release, {format_nearest(raw)}."
    else:
        name = f"the best denoising{' made so far' if made.waiting else ''}, {SHORT[made.best]}"
        first = f"{head}; {name}, cuts the RMSE of this release from {format_nearest(raw)} to {format_nearest(least)}."
    return first, f"{_chosen(made)} Denoising costs no privacy.{_nothing_left(made)}"


def _nothing_left(made: MapRelease) -> str:
    if made.rmse[made.best] < _AS_GOOD * made.blank:
        return ""
    return (
        f" A map of zeros has the RMSE {format_nearest(made.blank)}: at this noise next to nothing of the map is left."
    )


def _chosen(made: MapRelease) -> str:
    if made.chosen == made.best:
        return "SURE, computed from the release alone, chooses the same."
    chosen = f"{SHORT[made.chosen]} (RMSE {format_nearest(made.rmse[made.chosen])})"
    blurred = ""
    if made.rmse[made.best] < made.blur:
        blurred = f"; it can’t tell RMSEs below some {format_nearest(made.blur, 2)} apart"
    return f"SURE, computed from the release alone, chooses {chosen}{blurred}."


def compared(made: MapRelease, kept: MapRelease) -> str:
    """What changed against a kept setting."""
    said = f"Since the pinned setting: σ {format_up(kept.sigma)} → {format_up(made.sigma)}"
    if made.drowned or kept.drowned:
        return f"{said}."
    least = f"{format_nearest(kept.rmse[kept.best])} → {format_nearest(made.rmse[made.best])}"
    return f"{said}, the least RMSE {least}, with {places_said(kept)} → {places_said(made)}."


def title(made: MapRelease) -> str:
    """What is seen."""
    return f"{made.source.name}: one release, denoised"


def subtitle(made: MapRelease) -> str:
    """The parameters."""
    asked = made.asked
    promise = (
        f"ε = {format_input_up(asked.epsilon)}, δ = {format_input_up(asked.delta)}, Δ₂ = {format_up(made.sensitivity)}"
    )
    return f"{promise}, {places_said(made)}; colours in {chart_text(made.source.unit)}, the least RMSE in bold"


def alternative(made: MapRelease) -> str:
    """The maps for those who can't see them."""
    errors = ", ".join(f"{SHORT[key]} {format_nearest(made.rmse[key])}" for key in made.drawn.values())
    total = f"{format_nearest(float(made.count.sum()), 7)} {made.source.unit} in {places_said(made)}"
    return f"Maps of {total}: the true counts, one release with RMSE {format_nearest(made.rmse['none'])}, and {errors}."


def meaning(made: MapRelease) -> str:
    """What is counted, whom the cap covers, and what may be published."""
    sentences = [_counted(made), _covers(made)]
    if made.waiting:
        names = " and ".join(SHORT[key] for key in made.waiting)
        sentences.append(f"With so many junctions, {names} are made only when you ask for it, below.")
    if made.source.suggested:
        sentences.append(
            "**The box is taken from your points, so it is not private**: it moves when the outermost person leaves. "
            "Type one that is known without them before you publish anything."
        )
    sentences.append(
        "**This is a trial and no release.** Its noise comes from a seed that stands in the link and in saved files, "
        "so whoever has one of them can take it off again. **What you may publish**, once the noise is drawn where "
        "nobody can draw it again, is the release and whatever is computed from it: each denoised map, and SURE’s "
        "choice. The true counts, every true RMSE and the end of the colours are computed from the data without "
        "noise: they are for you, and so is the choice of an estimator by its true RMSE, as of those drawn here."
    )
    return "\n\n".join(sentences)


def _counted(made: MapRelease) -> str:
    if made.source.sample:
        return (
            "**Counted are car-days**: 24 hours in which a shared car stood free in one of 249 zones of Montréal, over "
            "a month, at the zone’s centre. The sample names no persons. That one person moves the counts by at most "
            "T car-days in all is supposed here, for the trial; the box is made of round numbers around the city."
        )
    said, lost = made.counted.said, made.counted.lost
    if not said:
        return "**Your places**, with the counts that you gave."
    if lost < _ROUNDING * float(made.count.sum()):
        return f"**Your places.** {escape_markdown(said)}"
    whole = format_nearest(lost + float(made.count.sum()), 7)
    points = made.source.points
    nobody = points is not None and bool((points.person < 0).any())
    why, its = ("The cap, with the rows that name nobody,", "them") if nobody else ("The cap", "the cap")
    return (
        f"**Your places.** {escape_markdown(said)} {why} leaves out {format_nearest(lost, 7)} of {whole}"
        f" {_unit(made.source)}; the true counts and the RMSE here are of what it leaves in, and don’t tell how much"
        f" the map loses by {its}."
    )


def _covers(made: MapRelease) -> str:
    asked = made.asked
    per_place = "" if asked.at_place >= asked.trips else f", and {format_nearest(asked.at_place)} at one place,"
    limit = f"{format_nearest(asked.trips, 7)} {_unit(made.source)}{per_place}"
    neighbours = f"The noise covers {_ADDED[asked.neighbours]}"
    if made.source.sample:
        return f"{neighbours}."
    if made.source.persons:
        return f"{neighbours}. What a person has beyond {limit} was left out before counting, the first rows kept."
    return (
        f"{neighbours}, **if nobody has more than {limit}**: no column of a file tells whose trips they are, so "
        "you must have enforced it before. Counts of starts and ends of the same trips together need T and c "
        "twice as large."
    )


def table(made: MapRelease) -> str:
    """Every estimator with its errors, in HTML."""
    heads = ["Estimator", "RMSE of<br>this release", "RMSE expected<br>by SURE", "Tuning", "Note"]
    rows = []
    for key, found in made.estimates.items():
        tuning = _TUNING.get(key, "–").format(format_nearest(float(found.tuning)))
        said = [format_nearest(made.rmse[key]), _expected(made, key), tuning, _note(made, key)]
        rows.append([ESTIMATORS[key].name, *said])
    return number_format.table_html("RMSE of each estimator", "errors", heads, rows)


def _note(made: MapRelease, key: str) -> str:
    least = [mark for mark, place in (("in truth", made.best), ("by SURE", made.chosen)) if place == key]
    worse = ["✗ worse than released"] if made.rmse[key] > made.rmse["none"] else []
    return ", ".join([*([f"least {' and '.join(least)}"] if least else []), *worse])


def _expected(made: MapRelease, key: str) -> str:
    return "near 0" if made.expected[key] == 0 < made.sigma else format_nearest(made.expected[key])


def table_alternative(made: MapRelease) -> str:
    """The table in a sentence."""
    pairs = ", ".join(f"{ESTIMATORS[key].name} {format_nearest(error)}" for key, error in made.rmse.items())
    return f"RMSE of each estimator on this release: {pairs}."


def working(share: float) -> str:
    """What is being made in the background."""
    done = sum(share >= (place + 1) / len(SLOW) for place in range(len(SLOW)))
    return f"{SHORT[SLOW[min(done, len(SLOW) - 1)]]} is being made"


def _unit(source: Source) -> str:
    return f"of {escape_markdown(source.unit)}" if source.unit.startswith("“") else source.unit
