"""The sentences on a plan: the total or the errors that it has, the noise, what costs most, and what to do."""

from collections import Counter

from pages.framework.parameters import list_parameter, number_format
from pages.framework.parameters.number_format import (
    capitalized,
    escape_markdown,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    uncapitalized,
)
from pages.plan.conditions import public_beside
from pages.plan.links import composition_link, preset_links, query_link, unlisted_text
from pages.plan.quantities import NOISE_NAMES, noise_words
from pages.plan.query_kinds import KINDS
from pages.plan.results import EDITOR_KEY, PlannedQuery, PlanResult
from pages.shared import statements
from pages.shared.formulas import LARGE_EPSILON, LITTLE, share

EDIT_LINK = f"[Edit the queries](#{EDITOR_KEY})"
_RELATIONS = {"add_remove": "add/remove-one", "replace": "replace-one"}


def answer_text(result: PlanResult) -> tuple[str, ...]:
    """Return the total or the factor with its assumption; then the noise, basic composition, and what costs most."""
    if result.plan is None:
        return f"There is no plan: {result.problem}.", "Change the errors, the fixed noise or the total."
    sentences = _first_sentence(result), _second_sentence(result)
    if result.pinned is None:
        return sentences
    return *sentences, pin_sentence(f"{_total_text(result.pinned)} → {_total_text(result)}")


def _first_sentence(result: PlanResult) -> str:
    setting = result.setting
    under = f"under {_RELATIONS[setting.neighbours]} neighbours"
    delta = "without δ" if setting.plan_delta == 0 else f"at δ = {format_input_up(setting.delta)}"
    if not result.is_epsilon_set:
        subject = _subject(result)
        verb = "requires" if subject.startswith("This") else "together require"
        return f"{subject} {verb} ε = {format_up(result.epsilon)} {delta}, {under}."
    if all(part.row.item.is_fixed for part in result.planned_queries):
        return f"The noise of every query is fixed: together ε = {format_up(result.epsilon)} {delta}, {under}."
    subject, factor = _subject(result), f"{format_up(result.factor)} times the wanted ±"
    start, (name, error) = f"With ε = {format_input_up(setting.epsilon)} {delta}", _largest_error(result)
    if len(result.planned_rows) == len(result.rows) == 1:
        times = "" if setting.periods == 1 else f", released {format_nearest(setting.periods, 7)} times,"
        return f"{start}, {name}{times} has {error}, {factor}."
    verb = "reaches" if len(result.planned_rows) == 1 else "reach"
    return f"{start}, {uncapitalized(subject)} {verb} {format_up(result.factor)} times each wanted ±: {name} {error}."


def _largest_error(result: PlanResult) -> tuple[str, str]:
    """Return the name and the error of the query whose error is the largest multiple of what is wanted."""
    free = [part for part in result.planned_queries if not part.row.item.is_fixed]
    worst = max(free, key=lambda part: part.half_width / part.row.item.target)
    error = worst.error_words if worst.threshold is None else f"groups from {format_up(worst.half_width)} on"
    return escape_markdown(worst.row.name), error


def _subject(result: PlanResult) -> str:
    n, all_rows, times = len(result.planned_rows), len(result.rows), int(result.setting.periods)
    subject = f"{n} of {all_rows} queries" if n < all_rows else "This query" if n == 1 else f"These {n} queries"
    return subject if times == 1 else f"{subject}, released {format_nearest(times, 7)} times,"


def _second_sentence(result: PlanResult) -> str:
    parts = [_noise_text(result)]
    if result.plan is not None and result.epsilon > LARGE_EPSILON:
        parts.append(f"⚠ the plan {LITTLE}")
    if result.plan is not None and len(result.planned_rows) > 1:
        if result.is_epsilon_set:
            parts.append(f"the plan uses ε = {format_up(result.epsilon)}")
        elif (basic := format_up(float(result.plan.basic.value))) != format_up(result.epsilon):
            parts.append(f"basic composition would give {basic}")
        costliest = max(result.planned_queries, key=lambda part: part.cost)
        parts.append(f"{escape_markdown(costliest.row.name)} adds most, about {costliest.share}")
    parts += filter(None, [_once_text(result), _with_delta_text(result)])
    sentence = "; ".join(parts)
    return f"{capitalized(sentence)}."


def _once_text(result: PlanResult) -> str:
    """Return what ε counts where all is released several times, and that of one time; empty where it is once."""
    if result.plan is None or result.setting.periods == 1:
        return ""
    times, once = format_nearest(result.setting.periods, 7), format_up(float(result.plan.once.value))
    return f"ε is of all {times} times together, at most {once} each time"


def _noise_text(result: PlanResult) -> str:
    """Return which noise the queries have, in a few words."""
    counts = Counter(part.noise.family for part in result.planned_queries)
    if len(counts) == 1:
        words = noise_words(next(iter(counts)))
        return f"use {words}" if len(result.planned_rows) == 1 else f"use {words} for all"
    (first, n_first), *others = counts.most_common()
    listed = (f"{NOISE_NAMES[key]} for {number}" for key, number in others)
    return ", ".join((f"use {noise_words(first)} for {n_first}", *listed))


def _with_delta_text(result: PlanResult) -> str:
    """Return what (ε, δ)-DP would save where pure ε-DP is wanted, as a clause; empty where it saves nothing."""
    other = result.with_delta
    if result.setting.plan_delta == result.setting.delta or len(other.planned_rows) != len(result.planned_rows):
        return ""
    is_factor = result.is_epsilon_set and not all(part.row.item.is_fixed for part in result.planned_queries)
    pure, approximate = (part.factor if is_factor else part.epsilon for part in (result, other))
    if not approximate < pure or format_up(approximate) == format_up(pure):
        return ""
    gain = f"{format_up(approximate)} times the wanted ±" if is_factor else f"ε = {format_up(approximate)}"
    return f"δ = {format_input_up(result.setting.delta)} gives {gain}"


def _total_text(result: PlanResult) -> str:
    if result.plan is None:
        return "no plan"
    if not result.is_epsilon_set:
        return f"ε = {format_up(result.epsilon)}"
    return f"{format_up(result.factor)} times the errors at ε = {format_up(result.epsilon)}"


def exclusions_text(result: PlanResult) -> str:
    """Return which rows are left out of the total, and why; empty if none is."""
    reasons = [f"{escape_markdown(row.name)} ({escape_markdown(row.reason)})" for row in result.rows if row.reason]
    return f"**Left out of the total:** {'; '.join(reasons)}." if reasons else ""


def subtitle(result: PlanResult) -> str:
    """Return the parameters of the picture."""
    setting = result.setting
    guarantee = "pure ε-DP" if setting.plan_delta == 0 else f"δ = {format_input_up(setting.delta)}"
    budget = f"ε = {format_input_up(setting.epsilon)} in total, " if result.is_epsilon_set else ""
    times = "" if setting.periods == 1 else f", released {format_nearest(setting.periods, 7)} times"
    level = f"confidence {share(setting.significance)}"
    relation = f", {_RELATIONS[setting.neighbours]} neighbours" if result.is_epsilon_set else ""
    return f"{budget}{guarantee}, {level}{times}{relation}"


def alternative_text(result: PlanResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    lines = "; ".join(
        f"{part.row.name}: {part.error_words} with {noise_words(part.noise.family)}, adds about ε = {part.share}"
        for part in result.shown_queries
    )
    return f"{number_format.without_markdown(' '.join(answer_text(result)[:2]))} {lines}."


def csv_header(result: PlanResult) -> dict[str, str]:
    """Return the parameters, totals and units for the top of a CSV."""
    setting = result.setting
    total = {} if result.plan is None else {"total epsilon": repr(result.epsilon), "factor": repr(result.factor)}
    kind = {} if result.plan is None else {"total is": str(result.plan.total.kind)}
    kind |= {"scale of a mean with n not public": _SCALE_OF_TWO} if _has_hidden_number(result) else {}
    pinned = {} if result.pinned is None else {"pinned": list_parameter.list_text(result.pinned.setting.queries)}
    return {
        "queries in the link": list_parameter.list_text(setting.queries),
        **setting.texts("direction", "promise", "neighbours", "periods"),
        **{key: repr(getattr(setting, key)) for key in ("epsilon", "delta", "significance")},
        **total,
        **kind,
        "units": "errors and scales in the unit of each query; epsilon in nats; significance is a probability",
        **pinned,
    }


def rounding_text(result: PlanResult) -> str:
    """Return why queries with whole answers have continuous noise, where it was chosen; empty if none has."""
    parts = [part for part in result.planned_queries if part.query.whole and not part.noise.whole]
    names = ", ".join(escape_markdown(part.row.name) for part in parts if not part.row.item.lock)
    return f"**Continuous noise for whole numbers:** {names}. {_CONTINUOUS}" if names else ""


def meaning_text(result: PlanResult) -> str:
    """Return what the numbers mean, and what is assumed; empty without a plan."""
    if result.plan is None:
        return ""
    hidden = f" {_OF_TWO}" if _has_hidden_number(result) else ""
    return f"{_KINDS[str(result.plan.total.kind)]} {_ADDED}{hidden}\n\n{_ASSUMED}"


def steps_text(result: PlanResult) -> str:
    """Return what to do in three steps; empty without a plan."""
    if result.plan is None:
        return ""
    return statements.steps_text(
        f"Fix the queries, ranges, cells and limits per person, and enforce them.{_public_number_note(result)}",
        _added_text(result),
        "Publish the answers with the total ε, its δ if it has one, the unit of privacy and the conditions. To spend "
        "less, allow the query that adds most a larger error.",
    )


def _public_number_note(result: PlanResult) -> str:
    """Return that a count gets noise while a mean takes its number of records as public; empty where none does."""
    counts = (row for row in result.planned_rows if row.item.kind == "count")
    count, name = public_beside(result, counts)
    if not name:
        return ""
    return (
        f" “{count}” gets noise, but “{name}” takes its number of records as public: if that is not public, "
        "edit the query."
    )


def _added_text(result: PlanResult) -> str:
    """Return how each answer is made."""
    sentences = ["**Add to each query the noise of its row in the table**, drawn by a safe sampler."]
    if _has_hidden_number(result):
        sentences.append(
            "A mean or share whose number of records is not public gets none itself. Add it to that number and to the "
            "sum, each by its scale, and publish the middle of the range plus noisy sum ÷ noisy number."
        )
        sentences += _numbers_again(result)
    if any(part.is_choice for part in result.planned_queries):
        sentences.append("Medians and the largest of several get no noise: draw them with the ε of their row.")
    if any(part.threshold is not None for part in result.planned_queries):
        sentences.append("Of unknown groups publish those whose noisy count is at least τ.")
    if any(KINDS[part.row.item.kind].published for part in result.planned_queries):
        sentences.append("The noise of a series is added to the sums of its strategy, as A series has it.")
    return " ".join(sentences)


def _numbers_again(result: PlanResult) -> list[str]:
    """Return for each count that a mean publishes the same number, if it does: of the same people and their limits."""
    sentences = []
    for count in result.planned_queries:
        same = [
            part
            for part in result.planned_queries
            if part.hidden_sum is not None and count.row.item.kind == "count" and _people_of(part) == _people_of(count)
        ]
        if same:
            mean = min(same, key=lambda part: part.noise.half_width(part.query.significance))
            size = format_up(mean.noise.half_width(mean.query.significance))
            sentences.append(
                f"“{escape_markdown(mean.row.name)}” publishes its number of records too, within ±{size}: if everybody "
                f"has a value, leave out “{escape_markdown(count.row.name)}”, which adds about ε = {count.share}."
            )
    return sentences


def _people_of(part: PlannedQuery) -> tuple[str, int, int, int]:
    """Return whose records a query is of, within which limits, and how often: its number is then that of another."""
    item = part.row.item
    return item.group, item.records_of_year, item.n_years, part.query.n_releases


def _has_hidden_number(result: PlanResult) -> bool:
    return any(part.hidden_sum is not None for part in result.planned_queries)


def links_text(result: PlanResult) -> str:
    """Return where to go on; empty without a plan."""
    if result.plan is None:
        return ""
    further = [link for link in (composition_link(result), query_link(result)) if link]
    go_on = f"**Go on:** {'; '.join(further)}." if further else ""
    return " ".join(filter(None, [go_on, unlisted_text(result)]))


def presets_text(result: PlanResult) -> str:
    """Return the lists to begin with."""
    return f"**Begin with** {', '.join(preset_links(result.setting))}."


_CONTINUOUS = (
    "It costs less here than noise on whole numbers, whose error is a whole number too. You may round the noisy "
    "answers, which costs nothing. To have noise on whole numbers, choose it under “Noise” of the query."
)
_KINDS = {
    "certified": "The total is a certified upper bound.",
    "estimate": "The total is exact to nine digits and rounded up: computed, not proved.",
}
_ADDED = (
    "What a query adds is its share of the total, in proportion to what leaving it out would save. It is close to two "
    "digits, and depends on the other queries. Each is rounded up: they can add up to a little more than the total."
)
_SCALE_OF_TWO = "that of the noise on n, and on the sum of (value − middle of the range) ÷ (half its width)"
_OF_TWO = (
    "A mean whose number of records is not public is made of two numbers with noise, that number and the sum of "
    "distances from the middle of the range. Its row has the scale of each; noise on the mean itself is no release of "
    "this plan. Its ± holds for a mean anywhere in its range; near the middle the error is smaller."
)
_ASSUMED = (
    "**What is assumed.** The sensitivities are right: values are clipped to their range, and the limits per person "
    "are enforced. The values of a sum are whole numbers where its noise is. Noise is independent, and everything in "
    "the list is about the same unit of privacy. Queries of one group are about disjoint people, so that only the most "
    "expensive of them counts (parallel composition). The list is fixed before anything is released."
)
