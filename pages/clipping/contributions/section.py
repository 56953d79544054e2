"""The section on how many records of one person to keep; statements have the limit as entered, and no data."""

from collections.abc import Iterator, Sequence
from functools import partial

import pandas as pd

from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from dpcore.sensitivity import table_sensitivity
from pages.clipping import figures
from pages.clipping.contributions import text
from pages.clipping.parameters import (
    DROPPING,
    EXPONENT,
    LIMIT,
    LIMIT_ERROR,
    MEAN_RECORDS,
    MOST_RECORDS,
    NOISE,
    PEOPLE,
    SPREAD,
)
from pages.clipping.results import ClippingResult, ContributionsResult
from pages.clipping.text import limit_conditions, presets_text
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Field, Fold, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    chart_text,
    exact_text,
    format_input_up,
    format_up,
    percent_up,
    plural,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.table import CELLS
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.guarantee_claims import Target
from pages.shared.looks import guarantee_claim
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.release_program.program import SAMPLED, Statistic, level_text, noise_facts, release_downloads
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE
from pages.shared.statements import Release, off_by, release_statements
from pages.shared.values.parameters import N_RECORDS, SOURCE_FIELD, amount, amount_up

_COMPOSED = "composed over the cells of one person, each step rounded up"


def statements(result: ClippingResult) -> Statements | None:
    """Return the statements at the best limit or, for the user's own data, at the limit that the user enters."""
    limits, setting = result.contributions, result.setting
    if limits is None:
        return None
    limit, error = (setting.limit, limits.yours) if setting.is_own else (limits.best_limit, limits.best)
    cells, family = int(setting.cells), FAMILIES[setting.noise]
    limited = f"Of each person at most {plural(int(limit), 'record counts', 'records count')}, chosen at random"
    if setting.dropping == "weight":
        limited = f"Each person counts as at most {plural(int(limit), 'record')}, by equal weights of the records"
    counts = "the one count before it is" if cells == 1 else f"each of the {cells:,} counts before they are"
    scale, is_apart = float(error.noise_scale), setting.spread == "cells" and limit <= cells
    composed = is_apart and limit > 1 and not family.pure and setting.noise != "gaussian"
    release = Release(
        noise=f"{limited}. Random noise is added to {counts} published",
        error=_error(setting.noise, scale, setting.significance),
        mechanism=f"{family.words} noise, scale {amount_up(scale)}, drawn anew for each cell; one person changes "
        f"{plural(int(limit), 'cell') if is_apart else 'one cell'} by {1 if is_apart else f'{int(limit):,}'} at most",
        proof=f"{family.calibration.theorem}{f', {_COMPOSED}' if composed else ''}",
        epsilon=format_input_up(setting.epsilon),
        delta="" if setting.noise_delta is None else format_input_up(setting.noise_delta),
    )
    return release_statements(release, limit_conditions(result))


def downloads(result: ClippingResult) -> Downloads | None:
    """Return the program that keeps so many records of each person, at random, and publishes all counts.

    There is none by weight, whose counts are not whole, and for noise that the program has no sampler for.
    """
    limits, setting = result.contributions, result.setting
    if limits is None or setting.dropping == "weight":
        return None
    limit, error = (limits.setting.limit, limits.yours) if setting.is_own else (limits.best_limit, limits.best)
    cells, is_apart = limits.setting.n_cells, setting.spread == "cells" and limit <= limits.setting.n_cells
    sensitivity = table_sensitivity(*((limit, 1) if is_apart else (1, limit)))
    scale = float(error.noise_scale)
    noise = NoiseDistribution(setting.noise, (scale,), scale)
    if noise.family not in SAMPLED:
        return None
    statistic = Statistic(
        name="Table",
        kind="table",
        **noise_facts(noise),
        l1=float(sensitivity.l1),
        l2=float(sensitivity.l2),
        half_width=noise.half_width(setting.significance),
        level=level_text(setting.significance),
        unit="records",
        n_cells=cells,
        max_cells=limit if is_apart else cells,
        max_in_cell=1 if is_apart else limit,
        max_in_all=limit,
    )
    guarantee = setting.epsilon, setting.noise_delta or 0.0
    return release_downloads(
        (statistic,), guarantee, "add_remove", limit_conditions(result), lambda: statements(result), _BIAS
    )


_BIAS = "Its ± is that of the noise: records that the limit drops are missing besides."


def _error(family: str, scale: float, significance: float) -> tuple[str, str]:
    """Return the error of the noise alone, which does not depend on the data; none for truncated noise."""
    if FAMILIES[family].truncated:
        return "", ""
    half_width, exact = NoiseDistribution(family, (scale,), scale).half_width(significance), "the count of what is kept"
    return off_by("any one published count", half_width, significance, exact=exact, is_at_least=True)


_NAMES = {"best": "Least error", "yours": "Your limit", "most": "No record dropped"}


def limits_frame(result: ContributionsResult) -> pd.DataFrame:
    """Return the limits that one may choose, and the errors at each."""
    errors = result.choice_errors
    columns = ("dropped", "dropped_share", "noise_scale", "cell_error", "total_error", "cell_half_width")
    frame = {"choice": list(result.choices), "limit": list(result.choices.values())}
    return pd.DataFrame(frame | {name: getattr(errors, name) for name in (*columns, "all_half_width")})


def table_html(result: ContributionsResult) -> str:
    """Return the limits as an accessible HTML table."""
    heads = [
        "Limit",
        "Records per person r",
        "Records dropped",
        "Share dropped",
        "Noise scale",
        "Error of one cell",
        "Error of the total",
        "± of one cell",
        "± of all cells",
    ]
    rows = [
        [
            _NAMES[row["choice"]],
            f"{row['limit']:,}",
            amount(row["dropped"]),
            percent_up(row["dropped_share"]),
            *(
                amount_up(row[name])
                for name in ("noise_scale", "cell_error", "total_error", "cell_half_width", "all_half_width")
            ),
        ]
        for row in limits_frame(result).to_dict("records")
    ]
    return number_format.table_html("Contribution limits and what each costs", "readings", heads, rows)


def error_curve(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over the limit."""
    limits = result.contributions
    if limits is None:
        return None
    pinned = None if result.pinned is None else result.pinned.contributions
    figure = figures.limit_figure(limits, pinned, chart_text(text.noise_words(result)), colours)
    alternative = without_markdown(" ".join(text.answer_sentences(result, limits)))
    about = _header(result), ("limit", ""), result.setting.confidential
    return Exhibit("limit_error", figure, alternative, limits.curve, *about)


def dropped_share(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the share of the records that is dropped."""
    limits = result.contributions
    if limits is None:
        return None
    figure = figures.dropped_figure(limits, chart_text(text.people_words(result)), colours)
    about = _header(result), ("limit", ""), result.setting.confidential
    return Exhibit("dropped", figure, text.dropped_text(limits), limits.curve, *about)


def choices(result: ClippingResult, _: Colours) -> Exhibit | None:
    """Return the table of the limits that one may choose."""
    limits = result.contributions
    if limits is None:
        return None
    about = _header(result), ("", ""), result.setting.confidential
    return Exhibit("limits", table_html(limits), text.table_text(limits), partial(limits_frame, limits), *about)


def _header(result: ClippingResult) -> dict[str, str]:
    setting = result.setting
    keys = ["epsilon", "delta", "significance", "noise", "cells", "limit", "spread", "dropping", "limit_error"]
    if not setting.is_own:
        keys += ["people", "n_records", *text.SHAPE_KEYS[setting.people]]
    entries = setting.texts(*keys)
    return entries | {"units": "limits, errors and biases in records; shares of all records; epsilon in nats"}


_OTHERS = {
    OPENDP: "It truncates the records of a person to a limit (`truncate_per_group` of its data frames), and does not "
    "choose the limit.",
    DP_ACCOUNTING: "It accounts for privacy, and limits no records.",
    DIFFPRIVLIB: "It takes each record for a person.",
    OPACUS: "It takes each record for a person.",
}


def snippets(result: ClippingResult) -> tuple[Snippet, ...]:
    """Return the program that computes the best limit and its noise."""
    limits = result.contributions
    if limits is None:
        return ()
    return _best_limit_snippet(result, limits), *unavailable(_OTHERS)


def _best_limit_snippet(result: ClippingResult, limits: ContributionsResult) -> Snippet:
    setting = result.setting
    n_people = int(setting.n_records)
    counts = {
        "geometric": f"clipping.geometric_records({number(setting.mean_records)}, {n_people})",
        "zipf": f"clipping.zipf_records({number(setting.exponent)}, {int(setting.most_records)}, {n_people})",
    }[setting.people]
    if setting.is_own:
        counts = "[1]  # your own numbers of records, one for each person, in the place of this one"
    alpha = f", significance={number(setting.significance)}"
    own_alpha = alpha if "half_width" in setting.limit_error else ""
    best = f"clipping.best_limit(counts, epsilon, error={setting.limit_error!r}{own_alpha}, **options)"
    options = f"noise={setting.noise!r}, n_cells={int(setting.cells)}, spread={setting.spread!r}"
    options += f", dropping={setting.dropping!r}"
    options += "" if setting.noise_delta is None else f", delta={number(setting.noise_delta)}"
    code = program(
        "from dpcore import clipping",
        "",
        f"counts = {counts}",
        f"epsilon, options = {number(setting.epsilon)}, dict({options})",
        f"limit = {limits.setting.limit if setting.is_own else best}",
        f"error = clipping.contribution_error(counts, limit, epsilon{alpha}, **options)",
        *("print(limit)", "print(error.noise_scale)"),
    )
    if setting.is_own:
        printed = float(limits.setting.limit), float(limits.yours.noise_scale)
        return Snippet(DPCORE, code, "The noise at your limit, which does not depend on the records.", printed)
    printed = float(limits.best_limit), float(limits.best.noise_scale)
    return Snippet(DPCORE, code, "The best limit, and the scale of its noise in each cell.", printed)


_SEVERAL = "For several cells its guarantee is composed over the cells, each step rounded up."
_ERROR = "The error depends on the records, of which the page knows a distribution or the user’s own."


def claims(result: ClippingResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise, and that the error is no guarantee."""
    limits, setting = result.contributions, result.setting
    if limits is None:
        return
    apart = setting.spread == "cells" and limits.best_limit <= setting.cells
    person = (limits.best_limit, 1) if apart else (1, limits.best_limit)
    sensitivity = table_sensitivity(*person)
    scale = format_up(float(limits.best.noise_scale))
    if FAMILIES[setting.noise].pure or setting.noise == "gaussian":
        size = exact_text(float(sensitivity.l1 if FAMILIES[setting.noise].pure else sensitivity.l2))
        target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), size)
        yield guarantee_claim(setting.noise, target, scale)
    else:
        yield Claim("The guarantee of the noise in all cells of a person", reason=_SEVERAL)
    yield Claim("The error under the limit", reason=_ERROR)


_N_PEOPLE = Field(
    N_RECORDS,
    "n · number of people",
    "How many people have records. It need not be exact: the best limit changes slowly with it.",
)


def controls(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the records of a person, the user's limit, the number of cells and ε."""
    if result.has_no_values:
        return (SOURCE_FIELD,)
    people = {"geometric": (MEAN_RECORDS, _N_PEOPLE), "zipf": (EXPONENT, MOST_RECORDS)}[result.setting.people]
    return SOURCE_FIELD, *(() if result.setting.is_own else people), LIMIT, CELLS, EPSILON


def more_settings(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the shape of the records, the noise, and what is dropped how."""
    setting = result.setting
    if result.has_no_values:
        return ()
    n_people = (_N_PEOPLE,) if setting.people == "zipf" else ()
    people = () if setting.is_own else (Field(PEOPLE, "Records"), *n_people)
    whole = " (whole counts: at random only)" if FAMILIES[setting.noise].whole else ""
    fields = (LIMIT_ERROR, "Error to minimise"), (SPREAD, "Records of a person"), (DROPPING, f"What is dropped{whole}")
    delta = () if FAMILIES[setting.noise].pure else (DELTA,)
    choices = (Field(parameter, label) for parameter, label in fields)
    return *people, Field(NOISE, "Noise"), *delta, *choices, SIGNIFICANCE


def parts(result: ClippingResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over the limit, the warning, the choices, the share that is dropped, and what follows."""
    limits = result.contributions
    yield error_curve(result, colours)
    if limits is None:
        return
    yield text.LEAK
    yield text.steps_text(result, limits)
    yield Fold(lambda: (choices(result, colours),), "Compare the limits in numbers")
    yield Fold(lambda: (dropped_share(result, colours),), "What each limit drops")
    sampler = WHOLE_SAMPLER if FAMILIES[result.setting.noise].whole else SAMPLER
    yield Fold((sampler,), "How to draw the noise")
    yield text.links_text(result, limits)
    yield presets_text(result, "contributions", text.PRESETS)


SECTION = Section[ClippingResult](
    key="contributions",
    name="Records per person",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda result: text.EXPLANATION,
    conditions=limit_conditions,
    subject="records",
    exhibits=(error_curve, dropped_share, choices),
    claims=claims,
    snippets=snippets,
    statements=statements,
    downloads=downloads,
    has_statements=lambda result: result.contributions is not None,
)
