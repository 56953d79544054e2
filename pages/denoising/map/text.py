"""The sentences on a private map: what denoising gains, and what of the map may be published."""

from dpcore.denoise import ESTIMATORS
from pages.denoising.map.places import PlaceSource
from pages.denoising.map.results import SLOW_KEYS, MapRelease, map_release, map_source
from pages.denoising.results import DenoisingResult
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
REMEDY = "Go on below, or choose the car sharing that ships with the page."
_LEAST_EXCESS = 1e-5  # a smaller share of the weights is rounding: limits cut them to multiples of 2⁻²⁰
_ZEROS_FACTOR = 0.98  # an error above this part of that of zeros counts as no better
_NEIGHBOUR_PHRASES = {"add_remove": "one person more or less", "replace": "one person replaced by another"}
ESTIMATOR_PHRASES = {
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


def places_phrase(release: MapRelease) -> str:
    """Return how many places there are, and of which kind."""
    kind = "cell" if release.source.roads is None else "junction"
    return f"{release.count.size:,} {kind}{'' if release.count.size == 1 else 's'}"


def cap_phrase(release: MapRelease) -> str:
    """Return the limits of a person, with the sensitivity that follows."""
    setting = release.setting
    where = "" if setting.at_place >= setting.trips else f", {format_nearest(setting.at_place)} at one place"
    unit = unit_phrase(release.source)
    unit = "car-day" if release.source.is_sample and setting.trips == 1 else unit
    return f"at most {format_nearest(setting.trips, 7)} {unit} a person{where} (Δ₂ = {format_up(release.sensitivity)})"


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return the noise of the map, the gain of denoising, and what has changed since the pinned setting."""
    release, source = map_release(result), map_source(result)
    if release is None:
        return (escape_markdown(source.problem), REMEDY) if source is not None else MISSING
    pinned = None if result.pinned is None else map_release(result.pinned)
    answer = release_answer_text(release)
    return answer if pinned is None else (*answer, comparison_text(release, pinned))


def release_answer_text(release: MapRelease) -> tuple[str, ...]:
    """Return the noise and the gain of the best estimator; then SURE's choice, and what denoising costs."""
    setting = release.setting
    each_of = "" if release.count.size == 1 else "each of "
    head = f"At ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)} and {cap_phrase(release)}"
    head += f": {each_of}{places_phrase(release)} has noise of σ = {format_up(release.sigma)}"
    if release.is_drowned:
        return f"{head}.", "That is more noise than this page denoises: nothing of the map is left. Take a larger ε."
    raw, least = release.rmse["none"], release.rmse[release.best]
    if release.best == "none":
        first = f"{head}; no denoising gets below the RMSE of this release, {format_nearest(raw)}."
    else:
        name = f"the best denoising{' made so far' if release.pending else ''}, {ESTIMATOR_PHRASES[release.best]}"
        first = f"{head}; {name}, cuts the RMSE of this release from {format_nearest(raw)} to {format_nearest(least)}."
    return first, f"{_sure_sentence(release)} Denoising costs no privacy.{_zeros_sentence(release)}"


def _zeros_sentence(release: MapRelease) -> str:
    if release.rmse[release.best] < _ZEROS_FACTOR * release.zeros_rmse:
        return ""
    zeros = format_nearest(release.zeros_rmse)
    return f" A map of zeros has the RMSE {zeros}: at this noise next to nothing of the map is left."


def _sure_sentence(release: MapRelease) -> str:
    if release.best_by_sure == release.best:
        return "SURE, computed from the release alone, chooses the same."
    chosen = f"{ESTIMATOR_PHRASES[release.best_by_sure]} (RMSE {format_nearest(release.rmse[release.best_by_sure])})"
    blurred = ""
    if release.rmse[release.best] < release.sure_resolution:
        blurred = f"; it can’t tell RMSEs below some {format_nearest(release.sure_resolution, 2)} apart"
    return f"SURE, computed from the release alone, chooses {chosen}{blurred}."


def comparison_text(release: MapRelease, pinned: MapRelease) -> str:
    """Return what has changed since the pinned setting."""
    sigmas = f"Since the pinned setting: σ {format_up(pinned.sigma)} → {format_up(release.sigma)}"
    if release.is_drowned or pinned.is_drowned:
        return f"{sigmas}."
    least = f"{format_nearest(pinned.rmse[pinned.best])} → {format_nearest(release.rmse[release.best])}"
    return f"{sigmas}, the least RMSE {least}, with {places_phrase(pinned)} → {places_phrase(release)}."


def title(release: MapRelease) -> str:
    """Return the title of the maps."""
    return f"{release.source.name}: one release, denoised"


def subtitle(release: MapRelease) -> str:
    """Return the parameters of the maps."""
    setting = release.setting
    guarantee = f"ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)}"
    parameters = f"{guarantee}, Δ₂ = {format_up(release.sensitivity)}"
    unit = chart_text(release.source.unit)
    return f"{parameters}, {places_phrase(release)}; colours in {unit}, the least RMSE in bold"


def alternative_text(release: MapRelease) -> str:
    """Return the text alternative of the maps."""
    keys = release.panel_keys.values()
    errors = ", ".join(f"{ESTIMATOR_PHRASES[key]} {format_nearest(release.rmse[key])}" for key in keys)
    total = f"{format_nearest(float(release.count.sum()), 7)} {release.source.unit} in {places_phrase(release)}"
    rmse = format_nearest(release.rmse["none"])
    return f"Maps of {total}: the true counts, one release with RMSE {rmse}, and {errors}."


def meaning_text(release: MapRelease) -> str:
    """Return what is counted, which neighbours the noise covers, and what may be published."""
    sentences = [_counts_paragraph(release), _neighbours_paragraph(release)]
    if release.pending:
        names = " and ".join(ESTIMATOR_PHRASES[key] for key in release.pending)
        sentences.append(f"With so many junctions, {names} are made only when you ask for it, below.")
    if release.source.box_is_suggested:
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


def _counts_paragraph(release: MapRelease) -> str:
    if release.source.is_sample:
        return (
            "**Counted are car-days**: 24 hours in which a shared car stood free in one of 249 zones of Montréal, over "
            "a month, at the zone’s centre. The sample names no persons. That one person moves the counts by at most "
            "L car-days in all is supposed here, for the trial; the box is made of round numbers around the city."
        )
    sentence, excess = release.place_counts.sentence, release.place_counts.excess
    if not sentence:
        return "**Your places**, with the counts that you gave."
    if excess < _LEAST_EXCESS * float(release.count.sum()):
        return f"**Your places.** {escape_markdown(sentence)}"
    total = format_nearest(excess + float(release.count.sum()), 7)
    points = release.source.points
    has_nameless_rows = points is not None and bool((points.person < 0).any())
    cause, loss_by = "The cap", "the cap"
    if has_nameless_rows:
        cause, loss_by = "The cap, with the rows that name nobody,", "them"
    return (
        f"**Your places.** {escape_markdown(sentence)} {cause} leaves out {format_nearest(excess, 7)} of {total}"
        f" {unit_phrase(release.source)}; the true counts and the RMSE here are of what it leaves in, and don’t tell"
        f" how much the map loses by {loss_by}."
    )


def _neighbours_paragraph(release: MapRelease) -> str:
    setting = release.setting
    per_place = "" if setting.at_place >= setting.trips else f", and {format_nearest(setting.at_place)} at one place,"
    limit = f"{format_nearest(setting.trips, 7)} {unit_phrase(release.source)}{per_place}"
    neighbours = f"The noise covers {_NEIGHBOUR_PHRASES[setting.neighbours]}"
    if release.source.is_sample:
        return f"{neighbours}."
    if release.source.has_persons:
        return f"{neighbours}. What a person has beyond {limit} was left out before counting, the first rows kept."
    return (
        f"{neighbours}, **if nobody has more than {limit}**: no column of a file tells whose trips they are, so "
        "you must have enforced it before. Counts of starts and ends of the same trips together need L and c "
        "twice as large."
    )


def table_alternative_text(release: MapRelease) -> str:
    """Return the text alternative of the table."""
    pairs = ", ".join(f"{ESTIMATORS[key].name} {format_nearest(error)}" for key, error in release.rmse.items())
    return f"RMSE of each estimator on this release: {pairs}."


def progress_text(share: float) -> str:
    """Return what is being computed in the background."""
    done = sum(share >= (place + 1) / len(SLOW_KEYS) for place in range(len(SLOW_KEYS)))
    return f"{ESTIMATOR_PHRASES[SLOW_KEYS[min(done, len(SLOW_KEYS) - 1)]]} is being made"


def unit_phrase(source: PlaceSource) -> str:
    """Return what is counted, in Markdown."""
    return f"of {escape_markdown(source.unit)}" if source.unit.startswith("“") else source.unit
