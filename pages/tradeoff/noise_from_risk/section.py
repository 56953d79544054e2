"""The section of the noise that meets an acceptable risk: its program, and the links that take it to other pages."""

from collections.abc import Iterator, Sequence

from dpcore.checks import interval_bounds
from dpcore.risk import CONDITIONS
from pages.framework.export.exhibit import Colours
from pages.framework.layout.offers import Statements
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Conditions, Field, Fold, Part, Section, Snippet
from pages.framework.parameters.kinds import is_inside
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import (
    exact_text,
    format_down,
    format_input_down,
    format_input_up,
    format_up,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import (
    CATEGORIES,
    CONTRIBUTION,
    CURATOR,
    LIMITED,
    ONCE,
    OTHERS,
    Subject,
    release_conditions,
)
from pages.shared.counts.table import N_PERIODS, PER_CELL, PER_PERSON, PER_TOTAL, contribution_text
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP, RISKCAL
from pages.shared.page_links import Link
from pages.shared.releases import STEPS_RANGE
from pages.shared.shared_parameters import ALPHA, DELTA, L2_SENSITIVITY, PRIOR, SIGNIFICANCE
from pages.shared.site_map import ACCURACY, COMPOSITION, PLAN, TABLES
from pages.shared.statements import EXACT_ONES, Release, off_by, release_statements
from pages.tradeoff.noise_from_risk import exhibits, text
from pages.tradeoff.noise_from_risk.parameters import (
    BASELINE,
    CELLS,
    NOISE,
    RISK,
    SAMPLING_RATE,
    SECTION_KEY,
    STEPS,
    is_outside,
    limit_of,
)
from pages.tradeoff.noise_from_risk.results import OF_NUMBERS, OUTCOME, RiskNoise
from pages.tradeoff.noise_from_risk.text import answer_sentences, comparison_sentence, no_noise_sentences
from pages.tradeoff.results import VIEW, TradeoffResult

_MOST_STEPS = interval_bounds(STEPS_RANGE)[1]


def links_text(result: TradeoffResult) -> str:
    """Return the links by which other pages take their budget from the risk, with the conditions that they share."""
    noise = result.risk_noise
    if noise is None:
        return ""
    setting, calibration = noise.setting, noise.calibration
    is_pure = setting.is_pure and not noise.has_detour
    delta = {} if is_pure else {"delta": exact_text(setting.delta)}
    if setting.is_composed:
        rate, steps = setting.training
        training = f"!sampled:{exact_text(calibration.scale)},{exact_text(rate)}*{int(steps)}=DP-SGD"
        listed = training if setting.noise == "dp_sgd" else list_text(noise.scaled_items)
        entries = {"releases": listed, **delta}
        link = Link(COMPOSITION, COMPOSITION.name, entries)
        return f"**Take the noise from this risk:** {link.markdown} has it in its list of releases.{_edit_text(noise)}"
    is_gaussian = setting.noise == "gaussian"
    if not 0 < (calibration.epsilon if is_gaussian else calibration.loss) <= 1e3:
        return ""
    composed = {"releases": _release_text(noise), **delta}
    noise_text = f"{Link(COMPOSITION, COMPOSITION.name, composed).markdown} has this noise in its list of releases."
    ensuring = setting.ensuring_epsilon if is_pure else calibration.detour_epsilon
    if not 1e-12 <= ensuring <= 1e3:
        return f"**Take the noise from this risk:** {noise_text}"
    # Tables and Accuracy may choose other noise, so they get the guarantee that ensures the limit whatever the noise.
    epsilon = format_down(ensuring)
    entries = {"epsilon": _typed(epsilon), **delta, "significance": exact_text(setting.significance)}
    entries |= {"l2_sensitivity": exact_text(setting.l2), "promise": "pure" if is_pure else "delta"}
    accuracy = {"query": "own", "l1_sensitivity": exact_text(setting.l1), "known": "epsilon"}
    table = {"per_person": str(setting.per_person), "per_cell": exact_text(setting.per_cell)}
    table |= {field.key: field.default for field in (PER_TOTAL, N_PERIODS)}  # limits that this page does not have
    table |= {"table": "size", "cells": str(setting.cells)} if setting.cells > 1 else {}
    answers = _answered_conditions(result)
    common = {key: answers[key] for key in (CURATOR.key, OTHERS.key) if key in answers}
    limited = {key: text for key, text in answers.items() if key != CATEGORIES.key}  # Accuracy fixes no categories
    pages = [Link(ACCURACY, ACCURACY.name, accuracy | entries | limited).markdown]
    if is_inside(setting.per_cell, PER_CELL.limits):
        pages.insert(0, Link(TABLES, TABLES.name, entries | table | answers).markdown)
    pages.append(Link(PLAN, PLAN.name, {"direction": "total"} | entries | common).markdown)
    guarantee = f"pure ε = {epsilon}" if is_pure else f"ε = {epsilon} at δ = {format_input_down(setting.delta)}"
    return (
        f"**Take the budget from this risk:** any noise with {guarantee} ensures the limit; open {' or '.join(pages)} "
        f"with it. {noise_text}"
    )


def _answered_conditions(result: TradeoffResult) -> dict[str, str]:
    """Return the texts of the conditions that are confirmed or denied, by key: on another page they are the same."""
    given = conditions(result)
    items = () if given is None else given.items
    return {item.parameter.key: result.conditions[item.parameter.key] for item in items if item.state != "assumed"}


def _typed(number: str) -> str:
    """Return a displayed number as it is typed."""
    return number.replace(",", "")


def _release_text(noise: RiskNoise) -> str:
    """Return the noise as a line of the list of releases; where that has no such noise, its guarantee of pure ε."""
    setting, calibration = noise.setting, noise.calibration
    if setting.noise == "gaussian":
        return f"gaussian:{_typed(format_up(calibration.scale / setting.sensitivity))}"
    loss = exact_text(setting.stated_epsilon)
    if setting.noise == "laplace":
        return f"laplace:{loss}"
    is_listed = setting.sensitivity <= _MOST_STEPS
    return f"geometric:{loss},{exact_text(setting.sensitivity)}" if is_listed else f"pure:{loss}"


def _edit_text(noise: RiskNoise) -> str:
    """Return the link to the page that edits the list as it is entered; empty where there is no list."""
    if noise.setting.noise != "releases":
        return ""
    entries = {"section": "together", "releases": list_text(noise.items), "delta": exact_text(noise.setting.delta)}
    link = Link(COMPOSITION, "edit the list", entries)
    return f" To change its lines, {link.markdown} there; its link **Noise from risk** brings it back to this risk."


_NO_INVERSE = "It calibrates noise to (ε, δ), and not to a risk."
_NOT_IN_RISKCAL = (
    "Its calibration of this mechanism to this risk requires a trade-off curve of one’s own; for Gaussian noise and "
    "DP-SGD it has the advantage and the error rates."
)
_RISKCAL_NOTE = (
    "riskcal (Kulynych et al. 2024) searches on a grid of losses: it takes seconds, with its default grid of 1e-4 "
    "minutes, and is right to about a percent, to either side."
)


def snippets(result: TradeoffResult) -> tuple[Snippet, ...]:
    """Return the program that computes the noise."""
    noise = result.risk_noise
    if noise is None:
        return ()
    others: dict[str, str] = dict.fromkeys((OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS), _NO_INVERSE)
    return _dpcore_snippet(noise), _riskcal_snippet(noise), *unavailable(others)


def _dpcore_snippet(noise: RiskNoise) -> Snippet:
    setting, calibration = noise.setting, noise.calibration
    conditions = ", ".join(map(number, setting.conditions)) + "," * (len(setting.conditions) == 1)
    is_list = setting.noise == "releases"
    numbers = setting.training if setting.noise == "dp_sgd" else (setting.sensitivity,)
    arguments = ["releases"] if is_list else [*map(number, numbers)]
    arguments += [f"most_epsilon={number(setting.stated_epsilon)}"] if setting.is_pure else []
    reading = "loss" if setting.is_pure and setting.noise in OF_NUMBERS else "epsilon"
    code = program(
        "from dpcore import risk",
        *(["from dpcore.composition import Release"] if is_list else []),
        "",
        f'acceptable = risk.Risk("{setting.kind}", {number(setting.limit)}, ({conditions}))',
        *([f"releases = [{', '.join(map(str, setting.releases))}]"] if is_list else []),
        f"noise = risk.{setting.noise}_calibration(acceptable, {', '.join([number(setting.delta), *arguments])})",
        "print(noise.scale)",
        f"print(noise.{reading})",
        *(["print(noise.detour_scale)"] if noise.has_detour else []),
    )
    values = (
        calibration.scale,
        calibration.loss if reading == "loss" else calibration.epsilon,
        *([calibration.detour_scale] if noise.has_detour else []),
    )
    reading_name = "its pure ε" if reading == "loss" else "its ε at δ"
    note = f"The noise, {reading_name}{', and the noise of the detour' if noise.has_detour else ''}."
    return Snippet(DPCORE, code, note, values)


def _riskcal_snippet(noise: RiskNoise) -> Snippet:
    setting = noise.setting
    is_gaussian = setting.noise == "gaussian"
    if setting.kind not in ("advantage", "power") or not (is_gaussian or setting.noise == "dp_sgd"):
        return next(iter(unavailable({RISKCAL: _NOT_IN_RISKCAL})))
    rate, steps = (1.0, 1) if is_gaussian else setting.training
    rates = (*setting.conditions, 1 - setting.limit) if setting.kind == "power" else (setting.limit,)
    function = f"find_noise_multiplier_for_{'err_rates' if setting.kind == 'power' else 'advantage'}"
    arguments = ", ".join([*map(number, (*rates, rate)), str(int(steps)), "grid_step=1e-3"])
    code = program(
        "from riskcal.calibration import dpsgd",
        "",
        f"noise_multiplier = dpsgd.{function}({arguments})",
        f"print(noise_multiplier * {number(setting.sensitivity)})" if is_gaussian else "print(noise_multiplier)",
    )
    return Snippet(RISKCAL, code, _RISKCAL_NOTE, (noise.calibration.scale,), min_ratio=0.97, max_ratio=1.03)


_CONDITION_FIELDS = {"alpha": ALPHA, "prior": PRIOR, "baseline": BASELINE}
_SENSITIVITY_HELP = (
    "The most by which one person’s data can change one released number: 1 where each person counts once in a cell."
)
_SENSITIVITY = Field(L2_SENSITIVITY, "Δ · most per cell", _SENSITIVITY_HELP)
_ONE_RECORD = Subject(
    limit="each person has one record, drawn in Poisson batches",
    unlimited="this answer is for one record of each person",
    limit_remedy="Keep one record of each person, chosen at random. If {limit}:",
    can_have_limit=False,
    fixed="all settings of the training were fixed without the data",
    from_data="settings of the training were tuned on the data",
    question="Were all settings of the training fixed before anybody looked at the data?",
    risk="settings that were tuned on the data reveal something about people",
    remedy="Count every training that was tried as a release of its own. With fixed settings:",
)
_LISTED = Subject(
    limit="each release limits what one person adds as its noise assumes",
    has_limit=True,
    unlimited="nobody limits what one person adds",
    fixed="categories and bounds were fixed in advance",
    from_data="categories or bounds come from the data",
    risk="categories and bounds that come from the data reveal people",
    remedy="Take them from public knowledge. Then:",
)


def conditions(result: TradeoffResult) -> Conditions | None:
    """Return the conditions of the noise; None where there is none."""
    setting = result.setting
    if result.risk_noise is None:
        return None
    if setting.noise in ("dp_sgd", "releases"):
        return release_conditions(result.conditions, _ONE_RECORD if setting.noise == "dp_sgd" else _LISTED)
    limit = contribution_text(setting.per_person, setting.l2_sensitivity)
    is_limit_missing = limit == ONCE and result.conditions[CONTRIBUTION.key] in LIMITED
    note = f"Enter the limit in the fields {PER_PERSON.symbol} and Δ." if is_limit_missing else ""
    return release_conditions(result.conditions, Subject(limit=limit, has_limit=limit != ONCE, note=note))


def controls(result: TradeoffResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the noise: the risk, its limit, where it is read, and the noise."""
    kind = result.setting.risk
    limits = () if result.conditions[CONTRIBUTION.key] == "once" else (_SENSITIVITY, PER_PERSON)
    numbers = (*limits, CELLS, SIGNIFICANCE)
    noise = {
        **dict.fromkeys(OF_NUMBERS, numbers),
        "dp_sgd": (SAMPLING_RATE, STEPS),
        "releases": (),
    }[result.setting.noise]
    has_detour = result.risk_noise is not None and result.risk_noise.has_detour
    noise += () if result.setting.risk_setting.is_pure and not has_detour else (DELTA,)
    conditions = tuple(_CONDITION_FIELDS[name] for name in CONDITIONS[kind])
    return Field(RISK, "Risk"), limit_of(kind), *conditions, Field(NOISE, "Noise"), *noise, Field(VIEW, "Show")


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart of the curve, the risks, the chart of the noise against the limit, and what follows."""
    noise = result.risk_noise
    yield exhibits.noise_curve(result, colours)
    yield "" if noise is None else text.warning_text(noise)
    yield None if is_outside(result.setting.risk_setting) else text.meaning_text(result.setting.risk_setting)
    yield "" if noise is None else text.other_question_text(noise)
    yield None if noise is None else text.implied_text(noise)
    yield exhibits.risks(result, colours)
    yield Fold(lambda: (exhibits.noise_scale(result, colours),), "Another limit")
    yield links_text(result)
    sampler = WHOLE_SAMPLER if result.setting.risk_setting.noise == "geometric" else SAMPLER
    yield f"{text.what_to_do_text(noise)}\n\n{sampler}"


def answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return the noise that meets the risk, its ε, the detour, and the change since a pinned setting."""
    noise, pinned = result.risk_noise, None if result.pinned is None else result.pinned.risk_noise
    if noise is None:
        return no_noise_sentences(result.setting.risk_setting)
    sentences = answer_sentences(noise)
    return sentences if pinned is None else (*sentences, comparison_sentence(pinned))


_PROOFS = {
    "numbers": "the least noise whose trade-off curve stays within the limit (Kulynych et al. 2024)",
    "outcome": "Dwork, McSherry, Nissim & Smith 2006; the posterior by Lee & Clifton 2011",
}


def statements(result: TradeoffResult) -> Statements | None:
    """Return what can be said of the noise that meets the limit, with the limit in numbers of people."""
    noise = result.risk_noise
    if noise is None:
        return None
    setting, scale = noise.setting, noise.calibration.scale
    to, error = "the numbers of the list before each is", ("", "")
    if setting.noise == "dp_sgd":
        to = "each step of the training, before the model is"
    elif setting.noise in OF_NUMBERS:
        to = "the number before it is" if setting.cells == 1 else f"each of {setting.cells:,} numbers before they are"
        half_width = setting.half_width(scale, setting.cells)
        what = "the published number" if setting.cells == 1 else f"all {setting.cells:,} published numbers"
        one = {} if setting.cells == 1 else {"exact": EXACT_ONES, "is_at_least": True}
        error = off_by(what, half_width, setting.significance, **one)
        if setting.cells > 1:
            error = error[0], f"{error[1]}, and any one of them is within ±{text.half_width_text(noise)} of its own"
    is_pure = setting.kind == OUTCOME
    delta, mechanism = noise.guarantee[1], text.action_text(noise).removeprefix("add ")
    release = Release(
        noise=f"Random noise is added to {to} published",
        error=error,
        mechanism=mechanism,
        added="" if setting.noise == "releases" else mechanism,
        proof=_PROOFS["outcome" if is_pure else "numbers"],
        epsilon=noise.shown_epsilon,
        delta=format_input_up(delta) if delta else "",
        limit=text.stated_limit(noise),
        success=noise.reached("success", 0.5),
    )
    return release_statements(release, conditions(result))


SECTION = Section[TradeoffResult](
    key=SECTION_KEY,
    name="Noise from risk",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda result: text.EXPLANATION,
    conditions=conditions,
    statements=statements,
    exhibits=(exhibits.noise_curve, exhibits.risks, exhibits.noise_scale),
    claims=exhibits.claims,
    snippets=snippets,
)
