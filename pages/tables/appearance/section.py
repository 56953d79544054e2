"""The section on the groups that appear where categories come from the data; statements have nothing of the table."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore import unknown_groups, verify
from dpcore.mechanism import NoiseDistribution
from dpcore.rounding import round_up
from dpcore.unknown_groups import ThresholdRelease
from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section, Snippet
from pages.framework.parameters.number_format import chart_text, exact_text, format_input_up, format_up, rounded_up
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.table import PER_CELL, TABLE_FIELD, contribution_fields, limit_text, table_conditions
from pages.shared.looks import Look, family_look
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.release_program.program import (
    Statistic,
    UnknownGroups,
    groups_note,
    level_text,
    noise_facts,
    release_downloads,
)
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE
from pages.shared.statements import Release, off_by, release_statements
from pages.tables.appearance import text
from pages.tables.appearance.results import ONLY_NAMES
from pages.tables.appearance.text import NAMES, NOTE, noise_text
from pages.tables.parameters import APPEARING, CASES, CELLS, THRESHOLD, THRESHOLD_NOISES, WANTED
from pages.tables.results import TablesResult
from pages.tables.text import sample_text, section_answer_text

_HEIGHT = 400
_TICKS_AT = -0.04  # below the probabilities
_LOOKS = {key: family_look(key) for key in THRESHOLD_NOISES} | {ONLY_NAMES: Look("green", dash="dot")}
_MARKERS = dict(zip(_LOOKS, ("square", "circle", "diamond", "triangle-up"), strict=True))  # no two alike
GROUPS_NAME = "your groups"


def size_chart(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the probability over the size, with the groups as ticks below; nothing without an answer."""
    appearance = result.appearance
    if result.is_missing or appearance.problem:
        return None
    frame = appearance.over_size
    sizes = frame["size"].to_numpy()
    unit = text.counted_unit(appearance)
    x = {"range": [0, sizes[-1]], "title": {"text": f"{unit} in the group"}} | hover_head(unit)
    y = {"range": [-0.08, 1.03], "title": {"text": "probability of appearing"}, "tickformat": ",~%"}
    y |= {"tickvals": [0, 0.25, 0.5, 0.75, 1]}
    subtitle = chart_text(text.subtitle(result))
    figure = layout(colours, "Which groups appear, by size", subtitle, x, y) | {"height": _HEIGHT}
    traces = [
        line(sizes, frame[key], NAMES[key], colours[_LOOKS[key].colour], _LOOKS[key].dash, hovertemplate="%{y:.4~%}")
        for key in appearance.ways
    ]
    threshold = float(appearance.shown_release.threshold)
    handle = "" if appearance.is_own_too_low else "threshold"  # which would stand at what was entered
    hairline(figure, colours, threshold, f"threshold {format_up(threshold)}", handle)
    ticks = appearance.groups[0]
    ticks = ticks[ticks <= sizes[-1]]
    if ticks.size:
        marker = {"symbol": "line-ns-open", "size": 10, "color": colours["quiet"]}
        style = {"mode": "markers", "marker": marker, "hoverinfo": "skip"}
        traces.append(line(ticks, np.full(ticks.size, _TICKS_AT), GROUPS_NAME, colours["quiet"], "solid", **style))
    return Exhibit(
        *("over_size", {"data": traces, "layout": figure}, text.size_alternative(appearance), frame, header(result)),
        confidential=result.confidential_note(CONFIDENTIAL_PICTURE),
    )


def _over(result: TablesResult, colours: Colours, *, along: str, column: str) -> Exhibit | None:
    """Return how many groups appear by each way, or their share of the cases, over k or ε; nothing without groups."""
    appearance, is_share = result.appearance, column == "share"
    if result.is_missing or appearance.problem or not appearance.n_groups:
        return None
    if along == "k":
        frame, k = appearance.over_groups, appearance.groups_per_person
        last = int(np.ceil(np.log10(frame["groups_per_person"].max()) + 0.1))
        x = log_axis("groups per person k", 0, last) | {"range": [-0.08, last]}
        symbol, handle = "k", (k, f"k = {k:,.0f}", "per_person")
    else:
        frame, epsilon = appearance.over_epsilon, appearance.epsilon
        x = log_axis("ε (nats)", *decades(-1, 1, *frame["epsilon"]))
        symbol, handle = "ε", (epsilon, f"ε = {format_input_up(epsilon)}", "epsilon")
    y: dict[str, Any] = {"title": {"text": "cases in groups that appear" if is_share else "groups that appear"}}
    y |= {"range": [0, 1.03], "tickformat": ",~%"} if is_share else {"rangemode": "tozero"}
    title = f"{'Share of the cases in these groups' if is_share else 'Groups that appear'}, over {symbol}"
    figure = layout(colours, title, chart_text(text.subtitle(result)), x | hover_head(symbol), y) | {"height": _HEIGHT}
    traces, hover = [], "%{y:.1~%} of the total" if is_share else "%{y:,.4~g} groups"
    for key in dict.fromkeys(frame["way"]):
        rows, shade, dash = frame[frame["way"] == key], colours[_LOOKS[key].colour], _LOOKS[key].dash
        style = {"mode": "markers", "marker": {"color": shade, "symbol": _MARKERS[key], "size": 9}}
        traces.append(line(rows.iloc[:, 0], rows[column], NAMES[key], shade, dash, hovertemplate=hover, **style))
    hairline(figure, colours, *handle)
    return Exhibit(
        f"{'cases' if is_share else 'groups'}_over_{along}",
        {"data": traces, "layout": figure},
        text.alternative_text(appearance, frame, column, symbol),
        frame,
        header(result),
        confidential=result.confidential_note(CONFIDENTIAL_PICTURE),
    )


groups_chart, cases_chart = partial(_over, along="k", column="groups"), partial(_over, along="k", column="share")
epsilon_chart = partial(_over, along="epsilon", column="groups")
cases_epsilon_chart = partial(_over, along="epsilon", column="share")


def chances_table(result: TablesResult, _: Colours) -> Exhibit | None:
    """Return the largest groups with their probability; nothing without an answer or without groups."""
    appearance = result.appearance
    if result.is_missing or appearance.problem or not appearance.n_groups:
        return None
    html, alternative = text.chances_html(result), text.chances_alternative(appearance)
    about, confidential = (partial(chances_frame, result), header(result)), result.confidential_note(CONFIDENTIAL_TABLE)
    return Exhibit("appear_table", html, alternative, *about, confidential=confidential)


def chances_frame(result: TablesResult) -> pd.DataFrame:
    """Return the groups with their probability, as a data frame."""
    counts = result.appearance.counts
    names = pd.Series([f"group {place}" for place in range(1, counts.size + 1)])
    cells = names if result.table is None else result.table.frame["cell"]
    return pd.DataFrame({"cell": cells.to_numpy(), "count": counts, "probability": result.appearance.chances})


def header(result: TablesResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    appearance = result.appearance
    entries = {key: exact_text(getattr(appearance, key)) for key in ("epsilon", "delta", "groups_per_person", "c")}
    release = appearance.shown_release
    noise = {key: exact_text(float(getattr(release, key))) for key in ("scale", "threshold")}
    list_of = {"cases": exact_text(float(appearance.counts.sum()))} if result.table is None else {}
    units = {"units": "sizes and thresholds in counts; epsilon in nats; probabilities; share of the total count"}
    return entries | {"noise": release.noise} | noise | {"wanted": exact_text(appearance.probability)} | list_of | units


_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and has no threshold.",
    DIFFPRIVLIB: "It has no threshold for groups.",
    OPACUS: "It trains models, and publishes no groups.",
}


_NEAR_IT = "Counts near the least that is published tend to be too high"
_ABOVE = (
    "On whole numbers it publishes counts at its threshold too, and its map states the δ of those above: enter there a "
    "threshold that is 1 greater than the map needs."
)


def _squares_of(release: ThresholdRelease) -> int:
    """Return the sum of the squares of what a person adds to the groups, where it is the most."""
    k, c = int(release.groups_per_person), int(release.contributions)
    full, rest = divmod(int(min(float(release.total), k * c)), c)
    return full * c**2 + rest**2


def _opendp_snippet(release: ThresholdRelease, epsilon: float, delta: float) -> Snippet:
    """Return the δ that OpenDP's own map states of the noise and the threshold, beside the exact one."""
    if release.noise == "truncated_geometric":
        return Snippet(OPENDP, "", f"It has no geometric noise that ends at ±N. {_ABOVE}")
    groups, c = int(release.groups_per_person), number(float(release.contributions))
    values = release.scale, release.threshold, groups, release.noise, release.contributions
    exact = float(unknown_groups.delta_from_threshold(epsilon, *values, total=release.total))
    is_gaussian, is_capped = release.noise == "gaussian", release.total < groups * release.contributions
    metric, moved = ("l02inf", f"{groups}**0.5 * {c}") if is_gaussian else ("l01inf", f"{groups} * {c}")
    if is_capped:
        moved = f"{_squares_of(release)}**0.5" if is_gaussian else number(float(release.total))
    place = f"{number(float(release.scale))}, {number(float(release.threshold))}"
    start = (
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "of_names, of_counts = dp.atom_domain(T=str), dp.atom_domain(T=float, nan=False)",
        f"space = dp.map_domain(of_names, of_counts), dp.{metric}_distance(dp.absolute_distance(T=float))",
        f"release = dp.m.make_{release.noise}_threshold(*space, {place})",
    )
    if is_gaussian:
        code = program(
            *start,
            "release = dp.c.make_zCDP_to_approxDP(release)",
            f"profile, delta = release.map(({groups}, {moved}, {c}))",
            f"print(profile.delta({number(epsilon)}) + delta)",
        )
        note = "The δ at this ε of ρ-zCDP, with that of its threshold added: above the exact δ, which adds neither."
        snippet = Snippet(OPENDP, code, f"{note} {_ABOVE}", (exact,), 1.0, 30.0)
    else:
        code = program(*start, f"epsilon, delta = release.map(({groups}, {moved}, {c}))", "print(delta)")
        snippet = Snippet(
            OPENDP,
            code,
            f"The δ of its threshold, at ε = {'N' if is_capped else 'kc'}/b. {_ABOVE}",
            (exact,),
            1 - 1e-9,
            1 + 1e-3,
        )
    return within(snippet, Limit("ε", epsilon, 0.1, 10), Limit("δ", delta, 1e-10, 0.1), Limit("k", groups, 1, 100))


def snippets(result: TablesResult) -> tuple[Snippet, ...]:
    """Return the programs of the threshold; nothing without an answer."""
    appearance = result.appearance
    if result.is_missing or appearance.problem:
        return ()
    release, probability = appearance.shown_release, number(appearance.probability)
    arguments = f"{number(appearance.epsilon)}, {number(appearance.delta)}, {int(appearance.groups_per_person)}"
    call = f"{arguments}, {release.noise!r}, {appearance.c}"
    total = "" if math.isinf(appearance.total) else number(appearance.total)
    is_least = float(release.threshold) == appearance.least_threshold
    if release.noise == "truncated_geometric" and is_least:
        capped = f", total={total}" if total else ""
        lines = (f"release = unknown_groups.threshold({call}, probability={probability}{capped})",)
    else:
        scale, threshold = number(float(release.scale)), number(float(release.threshold))
        limits = f'{int(appearance.groups_per_person)}, {appearance.c}, "at_least"{f", total={total}" if total else ""}'
        end = "math.inf" if np.isinf(release.bound) else number(float(release.bound))
        lines = (
            f"noise = {release.noise!r}, {scale}, {threshold}, {end}",
            f"release = unknown_groups.ThresholdRelease(*noise, {limits})",
        )
    code = program(
        *(("import math", "") if "math.inf" in lines[0] else ()),
        "from dpcore import unknown_groups",
        "",
        *lines,
        "print(release.scale)",
        "print(release.threshold)",
        f"print(unknown_groups.least_size(release, {probability}))",
    )
    values = float(release.scale), float(release.threshold), appearance.least_size(appearance.key)
    note = "Its scale, its threshold, and from which count on a group appears with the wanted probability."
    opendp = _opendp_snippet(release, appearance.epsilon, appearance.delta)
    return Snippet(DPCORE, code, note, values), opendp, *unavailable(_OTHERS)


def has_statements(result: TablesResult) -> bool:
    """Return whether there is an answer, and its noise is enough."""
    return not result.is_missing and not result.appearance.problem and result.least_per_cell <= result.setting.per_cell


def statements(result: TablesResult) -> Statements | None:
    """Return the statements on the groups that appear; None without an answer."""
    if not has_statements(result):
        return None
    appearance = result.appearance
    threshold_release, noise = appearance.shown_release, noise_text(appearance.shown_release, exact=True)
    limit = limit_text(result.values)
    size = appearance.count_half_width(result.setting.significance)
    public, numbers = off_by("the noisy count of a group", size, result.setting.significance)
    release = Release(
        noise="Random noise is added to the count of each group, and only groups whose noisy count is at least "
        f"{format_up(float(threshold_release.threshold))} are published",
        error=(f"{public}. {_NEAR_IT}", f"{numbers}. {_NEAR_IT}"),
        mechanism=f"{noise} (at least), drawn anew for each group that somebody is in; {limit}",
        proof="the exact joint δ of noise and threshold, after Wilkins, Kifer, Zhang & Karrer 2024",
        epsilon=format_input_up(appearance.epsilon),
        delta=format_input_up(appearance.delta),
    )
    return release_statements(release, table_conditions(result.values, counts=result.table, note_from_data=NOTE))


def downloads(result: TablesResult) -> Downloads | None:
    """Return the program that publishes the groups that appear; None without an answer."""
    appearance, setting = result.appearance, result.setting
    if not has_statements(result):
        return None
    release = appearance.shown_release
    k, c = int(release.groups_per_person), int(min(appearance.contributions, appearance.total))
    in_all, n_periods = int(min(k * c, appearance.total)), int(setting.n_periods)
    is_truncated = release.noise == "truncated_geometric"
    scale, level = float(release.scale), setting.significance
    noise = NoiseDistribution(release.noise, (scale,), scale)
    statistic = Statistic(
        name="Groups",
        kind="groups",
        **noise_facts(noise),
        l1=float(min(k * int(release.contributions), appearance.total)),
        l2=round_up(math.sqrt(_squares_of(release))),
        half_width=appearance.count_half_width(level),
        level=level_text(level),
        unit="people" if c == 1 else "records",
        max_cells=k,
        max_in_cell=c,
        max_in_all=in_all,
        n_periods=n_periods,
        max_in_period=in_all if n_periods == 1 else int(setting.per_total),
        has_periods_of_rows=n_periods > 1,
        note=groups_note(rounded_up(float(release.threshold))),
        groups=UnknownGroups(
            threshold=float(release.threshold),
            stated=rounded_up(float(release.threshold)),
            epsilon=appearance.epsilon,
            delta=appearance.delta,
            bound=int(release.bound) if is_truncated else None,
        ),
    )
    guarantee = appearance.epsilon, appearance.delta
    return release_downloads(
        (statistic,), guarantee, "add_remove", appearance_conditions(result), lambda: statements(result)
    )


_MOST_PROVED = 200  # groups of a person, whose proof takes less than a second


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the table, the groups of a person, ε and δ; without a table only its choice."""
    if result.is_missing:
        return (TABLE_FIELD,)
    size = (CELLS, CASES) if result.setting.table == "size" else ()
    return TABLE_FIELD, *size, *contribution_fields(result.values)[:1], EPSILON, DELTA


def more_settings(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the other limits of a person, the wanted probability, the confidence of ±, and the noise."""
    if result.is_missing:
        return ()
    limits = contribution_fields(result.values)
    per_cell = () if not limits or PER_CELL in limits else (PER_CELL,)
    appearance = result.appearance
    least = None if appearance.problem else appearance.least_threshold
    entered = f"{format_input_up(appearance.own_threshold)} was entered"
    instead = "" if least is None or not appearance.is_own_too_low else f"{format_up(least)} ({entered})"
    noise = Field(APPEARING, "Noise"), Field(THRESHOLD, value=least, instead=instead)
    return *limits[1:], *per_cell, WANTED, SIGNIFICANCE, *noise


def appearance_conditions(result: TablesResult) -> Conditions | None:
    """Return the conditions of the answer: nothing about the groups needs to be fixed in advance."""
    if result.is_missing:
        return None
    about = {"is_own": result.is_own, "counts": result.table, "note_from_data": NOTE}
    return table_conditions(result.values, (TABLE_FIELD,), **about)


def claims(result: TablesResult) -> Iterator[Claim]:
    """Yield the guarantee of the noise with the threshold, in the digits that are shown."""
    appearance = result.appearance
    if result.is_missing or appearance.problem:
        return
    release, k = appearance.shown_release, int(appearance.groups_per_person)
    total = {} if math.isinf(appearance.total) else {"total": int(appearance.total)}
    subject = f"δ({format_input_up(appearance.epsilon)}) of {text.noise_text(release, exact=True)}"
    if k > _MOST_PROVED or float(release.threshold) > 1e6:
        reason = f"The proof takes too long for a person in {k:,} groups, or for thresholds above 1e6."
        yield Claim(subject, reason=reason)
        return
    numbers = {"epsilon": Decimal(format_input_up(appearance.epsilon).replace(",", ""))}
    numbers |= {key: Decimal(exact_text(float(getattr(release, key)))) for key in ("scale", "threshold")}
    arguments = {"groups_per_person": k, "noise": release.noise, "contributions": appearance.c, "rule": release.rule}
    bound = {"bound": int(release.bound)} if np.isfinite(release.bound) else {}
    yield Claim(
        subject, Decimal(format_input_up(appearance.delta)), verify.threshold_delta, numbers | arguments | bound | total
    )


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield the probability over the size, the warning, the groups over k, and each group in numbers."""
    if result.is_missing or result.appearance.problem:
        return
    yield size_chart(result, colours)
    yield text.FIXED_MINIMUM
    yield sample_text(result)
    yield text.steps_text(result) if has_statements(result) else None
    yield text.names_text(result.appearance) or None
    over_k = "How many groups and cases, over k"
    yield Fold(lambda: (groups_chart(result, colours), cases_chart(result, colours)), over_k)
    over_epsilon = "How many groups and cases, over ε"
    yield Fold(lambda: (epsilon_chart(result, colours), cases_epsilon_chart(result, colours)), over_epsilon)
    yield Fold(lambda: (chances_table(result, colours),), "The groups in numbers")
    yield Fold((text.OTHER,), "What is dropped")


SECTION = Section[TablesResult](
    key="appear",
    name="Unknown groups",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=lambda result: section_answer_text(result, text.answer_text, text.comparison_text),
    explanation=lambda _: text.EXPLANATION,
    conditions=appearance_conditions,
    exhibits=(size_chart, groups_chart, cases_chart, epsilon_chart, cases_epsilon_chart, chances_table),
    claims=claims,
    snippets=snippets,
    statements=statements,
    has_statements=has_statements,
    downloads=downloads,
)
