"""The statements on a plan, its errors and the guarantee of all of it, and the program that releases it."""

from dataclasses import replace

from dpcore.plan import Quantile
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_up,
    format_nearest,
    format_up,
    plural,
)
from pages.plan.conditions import conditions, releases_words
from pages.plan.figures import scale_text
from pages.plan.programs import Released
from pages.plan.quantities import LENGTH, NOISE_NAMES
from pages.plan.query_kinds import KINDS
from pages.plan.results import PlannedQuery, PlanResult, bound_of_share
from pages.shared.formulas import share, within
from pages.shared.release_program.program import (
    HEADING,
    Statistic,
    release_downloads,
)
from pages.shared.statements import Release, in_full, public_size, release_statements

_CUT = "Values are cut to fixed ranges"
_PROOFS = {
    "certified": "accountant: all queries together, a certified upper bound",
    "estimate": "accountant: all queries together, computed to nine digits and rounded up, not proved",
}


def has_statements(result: PlanResult) -> bool:
    """Return whether there is a plan, with an ε that means anything."""
    return result.plan is not None and result.epsilon <= 1e6


def statements(result: PlanResult) -> Statements | None:
    """Return the statements on the queries that are planned; None without a plan."""
    if result.plan is None or not has_statements(result):
        return None
    setting = result.setting
    items = [part.row.item for part in result.planned_queries]
    is_cut = any(KINDS[item.kind].is_clipped for item in items)
    left_out = [row.name for row in result.rows if row.query is None]
    is_within_budget = result.is_epsilon_set and result.epsilon <= setting.epsilon  # which is then guaranteed too
    release = Release(
        published=f"{_published(result)}{f'. {_CUT}' * is_cut}",
        noise=f"{f'{_CUT}. ' * is_cut}{_randomness(result, '')} before publication{_anew(result)}",
        error=_errors(result),
        mechanism="independent for each query, as named with its error",
        proof=_PROOFS[str(result.plan.total.kind)],
        counted=releases_words(setting.periods),
        epsilon=format_input_up(setting.epsilon) if is_within_budget else format_up(result.epsilon),
        delta="" if setting.plan_delta == 0 else format_input_up(setting.delta),
        neighbours=setting.neighbours,
        caution=f"Not counted here: {', '.join(left_out)}." if left_out else "",
    )
    return release_statements(release, conditions(result))


def _anew(result: PlanResult) -> str:
    """Return how often all is released, after a comma; empty for once."""
    periods = result.setting.periods
    return "" if periods == 1 else f", anew each of {format_nearest(periods, 7)} times"


def _randomness(result: PlanResult, published: str) -> str:
    """Return how many `published` statistics have noise, and how many are drawn; which noise is with each error."""
    n_drawn = sum(part.is_choice for part in result.planned_queries)
    n_noisy = len(result.planned_queries) - n_drawn
    noisy = f"Random noise is added to {plural(n_noisy, f'{published}statistic')}"
    drawn = f"{plural(n_drawn, f'{published}statistic')} {'is' if n_drawn == 1 else 'are'} drawn at random near what"
    parts = [*([noisy] if n_noisy else []), *([f"{drawn} is counted"] if n_drawn else [])]
    return " and ".join(parts)


def _query_description(part: PlannedQuery) -> str:
    """Return the name of a query with what it is, and its limits."""
    return f"{part.row.name} ({part.row.item.summary.replace(' · ', ', ')})"


def _errors(result: PlanResult) -> tuple[str, str]:
    """Return the error of every query, each as it is meant, for the public and in numbers."""
    significance = result.setting.significance
    sizes = "; ".join(
        f"{_query_description(part)}: {part.error_words} ({NOISE_NAMES[part.noise.family]}, {scale_text(part)})"
        for part in result.planned_queries
    )
    releases = within(significance).rsplit(" ", 1)[0]
    public = f"Each number alone is within its margin of what is counted in {releases}"
    numbers = (
        f"Taken alone, each number is in {share(significance)} of releases within this of the number that is counted so"
    )
    assumed = [f"of {part.row.name} only for {text}" for part in result.planned_queries if (text := assumed_text(part))]
    but = f". That holds {', and '.join(assumed)}" if assumed else ""
    return f"{public}{but}", f"{numbers}: {sizes}{but}"


def assumed_text(part: PlannedQuery) -> str:
    """Return what the ± of a query is for, where it depends on the values or on their number; else nothing."""
    numbers = dict(zip(KINDS[part.row.item.kind].numbers, part.row.item.numbers, strict=True))
    if part.row.item.is_hidden:
        return f"at least {numbers['n_records']} records"
    if isinstance(part.query.statistic, Quantile):
        median, p90, n = (numbers[name] for name in ("median", "p90", "n_records"))
        return f"values as assumed (median about {median}, 90th percentile about {p90}, n = {n})"
    return ""


def _published(result: PlanResult) -> str:
    """Return what is published, each statistic by its name with its margin of error, for the public."""
    listed = "; ".join(f"{part.row.name} {_stated(part, result)}" for part in result.planned_queries)
    return f"{_randomness(result, 'published ')}{_anew(result)}: {listed}"


def _stated(part: PlannedQuery, result: PlanResult) -> str:
    """Return what the statement has behind the name of a query."""
    return f"({_size_in_words(part, result.setting.significance)})"


def _size_in_words(part: PlannedQuery, significance: float) -> str:
    """Return the ± of a query as its margin, with how many numbers it is that of, and what it assumes."""
    item, size = part.row.item, f"margin {public_size(part.half_width)}"
    if part.threshold is not None:
        least, count = format_up(part.threshold), in_full(part.count_size)
        often = within(significance).rsplit(" ", 1)[0]
        appears = f"a group counted as {public_size(part.half_width)} appears in {often}"
        return f"groups whose noisy count reaches {least}, each with margin {count}; {appears}"
    if not part.error_words.startswith("±"):
        return part.error_words
    length = {quantity.key: text for quantity, text in item.fields}.get(LENGTH.key, "1")
    n = item.n_cells if KINDS[item.kind].has_cells else int(LENGTH.read(length))
    if assumed_text(part):
        return f"{size} for {assumed_text(part).partition(' (')[0]}"
    return size if n == 1 else f"{n:,} numbers, {size} {'all at once' if item.has_joint_error() else 'each'}"


def downloads(result: PlanResult) -> Downloads | None:
    """Return the program that releases a plan, or why there is none (`_obstacle`); None where nothing is released."""
    if not has_statements(result):
        return None
    if reason := _obstacle(result):
        return Downloads(HEADING, f"There is no program: {escape_markdown(reason)}.", ())
    statistics = [_statistic(part, result) for part in result.planned_queries]
    guarantee = result.epsilon, result.setting.plan_delta
    notes = [_ONE_RUN] if any(statistic.n_releases > 1 for statistic in statistics) else []
    notes += [_OWN_ROWS] if any(statistic.group for statistic in statistics) else []
    notes += [_COMPUTED] if any(statistic.kind == "own" for statistic in statistics) else []
    notes += [_FOLDER]
    neighbours, said = result.setting.neighbours, conditions(result)
    return release_downloads(statistics, guarantee, neighbours, said, lambda: statements(result), " ".join(notes))


_ONE_RUN = (
    "A run makes one of the releases, `--for` the month that you name. It says its share of the total, and refuses the "
    "same month twice."
)
_OWN_ROWS = "Say with `--where` which rows each query of a group is about; a person counts in one of them only."
_FOLDER = "The numbers go to the folder `release`, or to the one that you name with `--out`."
_COMPUTED = (
    "Numbers that you compute are in a file that you name with `--own`. The program adds their noise; it can’t check "
    "how far a person moves them, and says so."
)
_MOST_RELEASES = 1000


def _obstacle(result: PlanResult) -> str:
    """Return why no program can release the plan safely; empty where one can."""
    left_out = [row for row in result.rows if row.query is None]
    own = [part for part in result.planned_queries if KINDS[part.row.item.kind].is_computed]
    grouped = [part.row.name for part in own if part.query.group]
    anew = [part.row.name for part in result.planned_queries if part.query.group and part.query.n_releases > 1]
    if left_out:
        return f"the plan leaves out “{left_out[0].name}”, since {left_out[0].reason}"
    if len(own) == len(result.planned_queries):
        return "all queries are of numbers that you compute, so that there is nothing to count in a file"
    if grouped:
        return f"“{grouped[0]}” is of a group, and no program can check whom numbers that you compute are about"
    if anew:
        return (
            f"“{anew[0]}” is of a group and released several times, and a later run can’t know in which query of the "
            "group a person was before"
        )
    if sum(part.query.n_releases for part in result.planned_queries) > _MOST_RELEASES:
        return f"it would have to be run more than {_MOST_RELEASES:,} times"
    return ""


def _statistic(part: PlannedQuery, result: PlanResult) -> Statistic:
    """Return a query for the program."""
    query, errors = part.query, (part.half_width, part.error_words, result.setting.significance)
    released = Released(part.row.name, query, *errors, result.epsilon, assumed_text(part), part.threshold or 0.0)
    statistic = KINDS[part.row.item.kind].program(query.statistic, part.noise, released)
    stated = _stated(part, result)
    adds = bound_of_share(part.cost, result.epsilon)
    return replace(statistic, n_releases=query.n_releases, group=query.group, adds=adds, stated=stated)
