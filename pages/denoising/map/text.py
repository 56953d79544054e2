"""The sentences on a private map: what denoising gains, and what of the map may be published."""

from dataclasses import replace

from dpcore.denoise import ESTIMATORS
from pages.denoising.comparison import ESTIMATOR_PHRASES, recommendation_text, refusal_text
from pages.denoising.map.places import PlaceSource
from pages.denoising.map.results import SLOW_KEYS, MapRelease, map_release, map_source
from pages.denoising.parameters import AT_PLACE, PLACES, TRIPS
from pages.denoising.results import DenoisingResult
from pages.framework.layout.section import Conditions, Field
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    plural,
)
from pages.shared.conditions import Subject, release_conditions
from pages.shared.formulas import in_words

MISSING = (
    "Your own places are missing: a link never contains them.",
    "Upload a file of points, or of roads and counts, below, or choose the car sharing that ships with the page.",
)
REMEDY = "Correct it below, or choose the car sharing that ships with the page."
_LEAST_EXCESS = 1e-5  # a smaller share of the weights is rounding: limits cut them to multiples of 2⁻²⁰
_ZEROS_FACTOR = 0.98  # an error above this part of that of zeros counts as no better
_NEIGHBOUR_PHRASES = {"add_remove": "adding or removing one person", "replace": "replacing one person"}


_SUBJECT = Subject(
    has_limit=True,
    fixed="the places were fixed in advance",
    from_data="the places come from the data",
    question="Were the places or the grid fixed before anybody looked at the data?",
    risk="places that come from the data reveal where somebody was",
    remedy="Take a grid or all junctions of a public map, with those where nobody was. Then:",
)


def places_phrase(release: MapRelease) -> str:
    """Return how many places there are, and of which kind."""
    kind = "cell" if release.source.roads is None else "junction"
    return plural(release.count.size, kind)


def cap_phrase(release: MapRelease) -> str:
    """Return the limits of a person."""
    setting = release.setting
    where = "" if setting.at_place >= setting.trips else f", {format_nearest(setting.at_place)} per place"
    return f"at most {_amount_phrase(release)} per person{where}"


def _amount_phrase(release: MapRelease) -> str:
    """Return the limit L with its unit."""
    unit = unit_phrase(release.source)
    unit = unit.removesuffix("s") if release.setting.trips == 1 and not unit.startswith("of ") else unit
    return f"{format_nearest(release.setting.trips, 7)} {unit}"


def conditions(result: DenoisingResult) -> Conditions | None:
    """Return the conditions of the map, which are asked for with the user's own places; None without places."""
    release = map_release(result)
    if release is None or release.is_drowned:
        return None
    verb = "is" if release.setting.trips == 1 else "are"
    subject = replace(_SUBJECT, limit=f"{cap_phrase(release)} {verb} kept")
    limits, fields, is_own = (TRIPS, AT_PLACE), (Field(PLACES, "Places"),), not release.source.is_sample
    return release_conditions(result.values, subject, limits=limits, data=fields, is_own=is_own)


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return which estimator to use, the noise and the cost, and what has changed since the pinned setting."""
    release, source = map_release(result), map_source(result)
    if release is None:
        return (escape_markdown(source.problem), REMEDY) if source is not None else MISSING
    pinned = None if result.pinned is None else map_release(result.pinned)
    answer = release_answer_text(release)
    return answer if pinned is None else (*answer, comparison_text(release, pinned))


def release_answer_text(release: MapRelease) -> tuple[str, str]:
    """Return the estimator that SURE selects from the release alone, with its RMSE; then the noise and the cost."""
    setting = release.setting
    guarantee = f"ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)}"
    subject = "The" if release.count.size == 1 else "Each of"
    noise = f"{subject} {places_phrase(release)} has noise of σ = {format_up(release.sigma)} ({cap_phrase(release)})"
    if release.is_drowned:
        return (
            f"The noise hides the map: σ = {format_up(release.sigma)} at {guarantee}.",
            f"This page does not denoise so much noise ({cap_phrase(release)}): choose a larger ε.",
        )
    if release.rmse[release.best] >= _ZEROS_FACTOR * release.zeros_rmse:
        noise = f"The noise hides the map: a map of zeros has RMSE {format_nearest(release.zeros_rmse)}"
    cost = "SURE uses the release alone and costs no privacy"
    if not release.source.is_sample:
        cost = "the RMSEs reveal your true counts: choose by older or public places"
    write = recommendation_text if release.comparison.pays else refusal_text
    return write(release.comparison, scope=" in one release"), f"{noise}; {cost}."


def truth_text(release: MapRelease) -> str:
    """Return what only the true counts show: the estimator of least error, and whether SURE could find it."""
    best = release.best
    if best == release.best_by_sure:
        sentence = "**With the true counts:** SURE has selected the estimator with the least RMSE."
    elif best == "none":
        sentence = "**With the true counts:** no estimator reduces the RMSE of this release."
    else:
        computed = " of those computed" if release.pending else ""
        error = format_nearest(release.rmse[best])
        sentence = f"**With the true counts:** {ESTIMATOR_PHRASES[best]} has the least RMSE{computed}, {error}."
    if best != release.best_by_sure and release.rmse[best] < release.sure_resolution:
        least = format_nearest(release.sure_resolution, 2)
        sentence += f" SURE cannot distinguish RMSEs below about {least} here."
    return f"{sentence} Do not choose an estimator by its true RMSE: such a choice reveals data."


def comparison_text(release: MapRelease, pinned: MapRelease) -> str:
    """Return what has changed since the pinned setting."""
    pin = f"ε = {format_input_up(pinned.setting.epsilon)}"
    sigmas = f"σ {format_up(pinned.sigma)} → {format_up(release.sigma)}"
    if release.is_drowned or pinned.is_drowned:
        return pin_sentence(sigmas, pin)
    least = f"{format_nearest(pinned.rmse[pinned.best])} → {format_nearest(release.rmse[release.best])}"
    places = places_phrase(pinned), places_phrase(release)
    with_places = places[0] if places[0] == places[1] else " → ".join(places)
    return pin_sentence(f"{sigmas}, the least RMSE {least}, with {with_places}", pin)


def subtitle(release: MapRelease) -> str:
    """Return the parameters of the maps."""
    setting = release.setting
    guarantee = f"ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)}"
    parameters = f"{guarantee}, Δ₂ = {format_up(release.sensitivity)}"
    unit, other = chart_text(release.source.unit), release.comparison.other
    left = "" if other is None else f"; {in_words(other)} noise as it is: {_undenoised_rmse(release)}"
    return f"{parameters}, {places_phrase(release)}; colours: {unit}; least RMSE in bold{left}"


def _undenoised_rmse(release: MapRelease) -> str:
    return format_nearest(release.comparison.undenoised_rmse, 3)


def alternative_text(release: MapRelease) -> str:
    """Return the text alternative of the maps."""
    keys = release.panel_keys.values()
    errors = ", ".join(f"{ESTIMATOR_PHRASES[key]} {format_nearest(release.rmse[key])}" for key in keys)
    total = f"{format_nearest(float(release.count.sum()), 7)} {release.source.unit} in {places_phrase(release)}"
    rmse = format_nearest(release.rmse["none"])
    other = release.comparison.other
    left = "" if other is None else f" {other.name} noise as it is would have RMSE {_undenoised_rmse(release)}."
    return f"Maps of {total}: the true counts, one release with RMSE {rmse}, and {errors}.{left}"


def meaning_text(release: MapRelease) -> str:
    """Return what is counted, which neighbours the noise covers, and what may be published."""
    sentences = [truth_text(release), _counts_paragraph(release), _neighbours_paragraph(release)]
    if release.pending:
        names = " and ".join(ESTIMATOR_PHRASES[key] for key in release.pending)
        sentences.append(f"With so many junctions, {names} are computed on request only, below.")
    if release.source.box_is_suggested:
        sentences.append(
            "**The box is computed from your points, so it is not private**: it changes when the outermost person "
            "leaves. Before you publish, enter one that is known without the data."
        )
    fixed = "the box, the grid" if release.source.roads is None else "the roads"
    sentences.append(
        "**This is a trial, not a release.** The link and saved files contain the seed of its noise, so whoever has "
        "one of them can subtract the noise. **What you may publish**, once the noise is drawn secretly with a "
        f"floating-point-safe sampler, if {fixed} and the limits on one person were fixed without looking at the data, "
        "and the limits are enforced, is the release and everything computed from it: each denoised map, and SURE’s "
        "choice. The true counts, every true RMSE and the range of the colours are computed from the data without "
        "noise, and so is a choice of an estimator by its true RMSE: do not publish them."
    )
    return "\n\n".join(sentences)


def _counts_paragraph(release: MapRelease) -> str:
    if release.source.is_sample:
        return (
            "**The counts are car-days**: 24 hours in which a shared car was available in one of 249 zones of "
            "Montréal, over a month, at the zone’s centre. The sample names no persons; the trial assumes that one "
            "person contributes at most L car-days. The box has round coordinates around the city."
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
        cause, loss_by = "The cap, with the rows without a person,", "them"
    return (
        f"**Your places.** {escape_markdown(sentence)} {cause} leaves out {format_nearest(excess, 7)} of {total}"
        f" {unit_phrase(release.source)}. The true counts and the RMSE here are those of the rest: they do not include"
        f" the loss by {loss_by}."
    )


def _neighbours_paragraph(release: MapRelease) -> str:
    setting = release.setting
    per_place = "" if setting.at_place >= setting.trips else f", and {format_nearest(setting.at_place)} at one place,"
    limit = f"{_amount_phrase(release)}{per_place}"
    neighbours = f"The noise is for {_NEIGHBOUR_PHRASES[setting.neighbours]}"
    if release.source.is_sample:
        return f"{neighbours}."
    if release.source.has_persons:
        return f"{neighbours}. What a person has beyond {limit} was left out before counting; the first rows stay in."
    return (
        f"{neighbours}, **if nobody has more than {limit}**: no column of a file says whose trips they are, so "
        "you must have enforced the limit before. Counts of starts and ends of the same trips together need L and c "
        "twice as large."
    )


def table_alternative_text(release: MapRelease) -> str:
    """Return the text alternative of the table."""
    pairs = ", ".join(f"{ESTIMATORS[key].name} {format_nearest(error)}" for key, error in release.rmse.items())
    return f"RMSE of each estimator on this release: {pairs}."


def progress_text(share: float) -> str:
    """Return what is being computed in the background."""
    n_finished = sum(share >= (place + 1) / len(SLOW_KEYS) for place in range(len(SLOW_KEYS)))
    name = ESTIMATOR_PHRASES[SLOW_KEYS[min(n_finished, len(SLOW_KEYS) - 1)]]
    return f"Computing {name}"


def unit_phrase(source: PlaceSource) -> str:
    """Return what is counted, in Markdown."""
    return f"of {escape_markdown(source.unit)}" if source.unit.startswith("“") else source.unit
