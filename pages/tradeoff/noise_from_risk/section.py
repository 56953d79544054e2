"""The section of the noise that meets an acceptable risk."""

from collections.abc import Iterator, Sequence

from dpcore.risk import CONDITIONS
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Conditions, Field, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION, ONCE, Subject, release_conditions
from pages.shared.counts.parameters import PER_PERSON
from pages.shared.counts.table import contribution_text
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.shared_parameters import ALPHA, DELTA, L2_SENSITIVITY, PRIOR, SIGNIFICANCE
from pages.tradeoff.noise_from_risk import claims, code, exhibits, text
from pages.tradeoff.noise_from_risk.answer_text import answer_sentences, comparison_sentence, no_noise_sentences
from pages.tradeoff.noise_from_risk.links_text import links_text
from pages.tradeoff.noise_from_risk.parameters import (
    BASELINE,
    CELLS,
    NOISE,
    RISK,
    SAMPLING_RATE,
    SECTION_KEY,
    STEPS,
    limit_of,
)
from pages.tradeoff.noise_from_risk.setting_data import OF_NUMBERS, OUTCOME
from pages.tradeoff.parameters import VIEW
from pages.tradeoff.results import TradeoffResult

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
    return release_conditions(result.conditions, Subject(limit=limit, has_limit=limit != ONCE))


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
    noise += () if kind == OUTCOME else (DELTA,)
    conditions = tuple(_CONDITION_FIELDS[name] for name in CONDITIONS[kind])
    return (
        Field(RISK, "Risk"),
        limit_of(kind),
        *conditions,
        Field(NOISE, "Noise"),
        *noise,
        Field(VIEW, "Show"),
    )


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart of the curve, the risks, the chart of the noise against the limit, and what follows."""
    noise = result.risk_noise
    yield exhibits.noise_curve(result, colours)
    yield "" if noise is None else text.warning_text(noise)
    yield text.meaning_text(result.setting.risk_setting)
    yield None if noise is None else text.implied_text(noise)
    yield exhibits.risks(result, colours)
    yield exhibits.noise_scale(result, colours)
    yield None if noise is None else links_text(noise)
    sampler = WHOLE_SAMPLER if result.setting.risk_setting.noise == "geometric" else SAMPLER
    yield f"{text.what_to_do_text(noise)}\n\n{sampler}"


def answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return the noise that meets the risk, its ε, the detour, and the change since a pinned setting."""
    noise, pinned = result.risk_noise, None if result.pinned is None else result.pinned.risk_noise
    if noise is None:
        return no_noise_sentences(result.setting.risk_setting)
    sentences = answer_sentences(noise)
    return sentences if pinned is None else (*sentences, comparison_sentence(pinned))


SECTION = Section[TradeoffResult](
    key=SECTION_KEY,
    name="Noise from risk",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda result: text.EXPLANATION,
    conditions=conditions,
    exhibits=(exhibits.noise_curve, exhibits.risks, exhibits.noise_scale),
    claims=claims.claims,
    snippets=code.snippets,
)
