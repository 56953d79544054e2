"""The parameters of this page: the training, groups, the list of releases, the pinned setting; and their conditions."""

import math
from dataclasses import replace
from fractions import Fraction

from dpcore.checks import RECORDS_RANGE
from dpcore.composition import COUNT_RANGE, EPOCHS_RANGE, NOISE_RANGE, steps_of_epochs
from pages.composition.results import CompositionResult
from pages.framework.layout.page import picture_choice
from pages.framework.layout.section import Condition, Conditions
from pages.framework.parameters.kinds import Choice, Pin, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_down, format_nearest
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.conditions import (
    CONDITION_PARAMETERS,
    CONTRIBUTION,
    LIMITED,
    Subject,
    condition_values,
    release_conditions,
)
from pages.shared.page_links import Link, shared_entries
from pages.shared.releases import COUNT, MAX_COUNT, RELEASES
from pages.shared.shared_parameters import DELTA, EPSILON, more_text
from pages.shared.site_map import COMPOSITION

RECORDS = Quantity(
    "records",
    "N",
    "Records in the training data, N",
    RECORDS_RANGE,
    "60000",
    help="Public and fixed beforehand: the sampling rate is batch ÷ N and stays the same when a record is added or "
    "removed.",
    whole=True,
    ends="← fewer · N · more →",
    scale=steps(2, 9, ("1", "2", "5")),
    caption="N · training records",
)
BATCH = Quantity(
    "batch",
    "batch",
    "Expected batch size",
    "[1, 1e12]",
    "256",
    help="The mean number of records of a step. Under Poisson sampling each record takes part with probability "
    "batch ÷ N; the size of a batch then varies." + more_text("sampling_rate", "sampling rate"),
    ends="← smaller · batch · larger →",
    scale=("1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384", "32768"),
    caption="batch size",
)
EPOCHS = Quantity(
    "epochs",
    "epochs",
    "Epochs: passes over the data",
    EPOCHS_RANGE,
    "60",
    help="Steps = epochs · N ÷ batch, rounded up to a whole number.",
    ends="← fewer · epochs · more →",
    scale=steps(0, 4, ("1", "2", "3", "5")),
    caption="epochs",
)
NOISE = Quantity(
    "noise_multiplier",
    "noise multiplier",
    "Noise multiplier σ ÷ clipping norm",
    NOISE_RANGE,
    "1.1",
    help="Standard deviation of the noise on the sum of the clipped gradients, over the clipping norm."
    + more_text("noise_multiplier", "noise multiplier"),
    ends="← more accurate · noise · more private →",
    scale=(
        *steps(-1, 0, ("2", "3", "4", "5", "6", "7", "8", "9"))[:-1],
        *("1", "1.1", "1.2", "1.3", "1.5", "1.7", "2", "2.5", "3", "4", "5", "7", "10", "15", "20", "30", "50", "100"),
    ),
    caption="noise multiplier",
)
SOLVE = Choice(
    "solve",
    "what is asked",
    {"epsilon": "Privacy loss ε", "noise": "Noise", "steps": "Epochs", "rate": "Batch size"},
    "epsilon",
)
TRAINING_VIEW = Choice(
    "training_view",
    "what is drawn",
    {"steps": "Over epochs", "batch": "Over batch sizes", "map": "Map", "batching": "How batches are drawn"},
    "steps",
)


def training_corrections(values: Values) -> list[Correction]:
    """Return corrections of a batch of more than all records, and of more steps than can be computed."""
    records, batch, corrections = values[RECORDS.key], values[BATCH.key], []
    if batch > records:
        most = format_nearest(records, 13)
        sentence = f"{BATCH.symbol} must be at most N, {most}; {format_nearest(batch, 7)} was given."
        corrections.append(Correction(BATCH.key, exact_text(records), f"{sentence} {most} is used instead."))
        batch = records
    if steps_of_epochs(values[EPOCHS.key], records, batch) > MAX_COUNT:
        most = exact_text(float(format_down(MAX_COUNT * batch / records, 3).replace(",", "")))
        sentence = f"{EPOCHS.symbol} must be at most {most} for at most {MAX_COUNT:,} steps"
        entry = f"{format_nearest(values[EPOCHS.key], 7)} were given"
        corrections.append(Correction(EPOCHS.key, most, f"{sentence}; {entry}. {most} are used instead."))
    return corrections


GROUP = Quantity(
    "group",
    "g",
    "People g of a group, or records g of one person",
    "[1, 1000]",
    "3",
    help="A household, or one person with several records where the guarantee is for one record."
    + more_text("group_privacy", "group privacy"),
    whole=True,
    ends="← fewer · g · more →",
    scale=("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "15", "20", "30", "50", "70", "100"),
    caption="g · people together",
)
LOCAL_EPSILON = Quantity(
    "local_epsilon",
    "ε₀",
    "Local privacy loss ε₀ of each report",
    "[1e-3, 20]",
    "1",
    help="Every person randomises the answer before sending it. Against those who see who sent it, ε₀-DP holds."
    + more_text("local_dp", "local DP"),
    ends="← more private · ε₀ · less private →",
    scale=("0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3", "4", "5", "6", "8", "10"),
    caption="ε₀ · local privacy loss",
)
REPORTS = Quantity(
    "reports",
    "n",
    "Reports n that a shuffler mixes, one of each person",
    "[1, 1e6]",
    "10000",
    whole=True,
    ends="← fewer · n · more →",
    scale=steps(1, 6, ("1", "2", "5")),
    caption="n · shuffled reports",
)
_FEW_RUNS = ("1", "2", "3", "4", "5", "7", "10", "12", "14", "20", "30", "52", "70", "100", "200", "365", "500")
RUNS = Quantity(
    "runs",
    "runs",
    "How often the whole list is released",
    COUNT_RANGE,
    "1",
    help="1 for once; 7 for a list that is released every day of a week, with fresh noise.",
    whole=True,
    ends="← fewer · runs · more →",
    scale=(*_FEW_RUNS, *steps(3, 6, ("1", "2", "5"))),
    caption="runs of the list",
)
ACCOUNTANT = Choice(
    "accountant", "accountant", {"exact": "Exact", "rdp": "RDP", "zcdp": "zCDP", "basic": "Basic, of lines"}, "exact"
)
SHOW = picture_choice(
    "show", {"together": "My releases", "accountants": "By accountant", "groups": "Groups and models"}
)
TOTALS_SCALE = Choice(
    "totals", "what is drawn", {"ratio": "÷ the exact ε", "all": "All, ÷ it", "total": "All, total ε"}, "ratio"
)

LOADER = Choice(
    "loader",
    "how batches are drawn",
    {"poisson": "Poisson", "shuffled": "Shuffled", "fixed": "Fixed order"},
    "shuffled",
)
BATCHES = Choice(
    "batches",
    "whether batches are Poisson",
    {"unknown": "Not checked", "poisson": "Yes", "other": "No"},
    "unknown",
)
"""A condition of the ε of DP-SGD; other loaders have an ε of their own, by `LOADER`."""
AT_DELTA = Choice("at_delta", "δ", {"own": "Each at its own δ", "page": "All at the page’s δ"}, "own")
RELEASED = Choice("released", "my release", {"once": "Once", "yearly": "Every year"}, "once")
YEARS = Quantity(
    "years",
    "years",
    "Years in which the same people are in the data",
    "[1, 1000]",
    "10",
    help="How many yearly releases count together: ε and δ of all of them add up (basic composition).",
    whole=True,
    ends="← fewer · years · more →",
    scale=("1", "2", "3", "5", "7", "10", "15", "20", "30", "50", "80", "100"),
    caption="years together",
)
PINNED_PARAMETERS: tuple[Parameter, ...] = (
    *(RELEASES, RUNS, ACCOUNTANT, RECORDS, BATCH, EPOCHS, NOISE, SOLVE, LOADER),
    *(GROUP, LOCAL_EPSILON, REPORTS, RELEASED, YEARS),
)


def correct(values: Values) -> list[Correction]:
    """Return corrections of too many runs of a line, a batch larger than N, and too many steps or years."""
    return [*_runs_corrections(values), *training_corrections(values), *_years_corrections(values)]


def _years_corrections(values: Values) -> list[Correction]:
    """Return a correction of so many years that δ adds up to 1, which limits nothing."""
    most = math.ceil(1 / Fraction(repr(values[DELTA.key]))) - 1
    is_used = values[RELEASED.key] == "yearly" and values.get("section", "published") == "published"  # a pin has none
    if not is_used or values[YEARS.key] <= most or most < 1:
        return []
    sentence = (
        f"{YEARS.symbol} must be at most {most:,}, as δ of all years must be below 1; "
        f"{format_nearest(values[YEARS.key], 7)} were given. {most:,} are used instead."
    )
    return [Correction(YEARS.key, str(most), sentence)]


def _runs_corrections(values: Values) -> list[Correction]:
    """Return a correction of so many runs that a line would be released more often than can be computed."""
    counts = [int(COUNT.read(item.count)) for item in values[RELEASES.key]]
    count = max(counts)
    line = counts.index(count) + 1
    runs = MAX_COUNT // count
    if values[RUNS.key] <= runs:
        return []
    sentence = (
        f"{RUNS.symbol} must be at most {runs:,}, as line {line} has {count:,} releases; "
        f"{format_nearest(values[RUNS.key], 7)} was given. {runs:,} is used instead."
    )
    return [Correction(RUNS.key, str(runs), sentence)]


PARAMETERS: tuple[Parameter, ...] = (
    *PINNED_PARAMETERS,
    *(SHOW, TOTALS_SCALE, TRAINING_VIEW, AT_DELTA),
    *(*CONDITION_PARAMETERS, BATCHES),
    Pin(PINNED_PARAMETERS, correct),
)

POISSON = "the batches are Poisson"
_DRAWN_EACH = f"{POISSON}: the records of each step are drawn independently at random"
_DRAWN = "the batches are drawn at random (Poisson)"
_BATCHES_NAMES = {
    "unknown": f"Not checked: if {_DRAWN}",
    "poisson": "Yes: each record joins each batch by a draw of its own, as in Opacus’ DPDataLoader",
    "other": "No: shuffled or in order, as in torch’s DataLoader with shuffle=True",
}
_NOT_POISSON = "No privacy guarantee at this ε: the batches are not Poisson."
_OTHER_BATCHES = (
    "Let every record join each batch by a draw of its own, as Opacus’ DPDataLoader does; or {}. With Poisson batches:"
)
_ZERO_OUT = "Neighbours: the gradient of one record is set to 0 (zero-out)."
_TRAINING = Subject(
    limit="each person has one record",
    fixed="the settings of the training were chosen without these data",
    from_data="trainings on these data chose the settings",
    question="Were the settings of the training chosen without these data?",
    risk="trainings on these data chose the settings, and this ε does not count them",
    remedy="Choose the settings on public data, or count those trainings too: "
    "[All releases together](./Composition) adds them up. With settings chosen without these data:",
    is_fixed_in_headline=False,
    can_have_limit=False,
    is_per_record=True,
)


_CUT = "each record’s influence is limited in every step"
_EVERY_TRAINING = "every training that anybody looked at is counted"


def training_conditions(result: CompositionResult, *, is_program: bool = False) -> Conditions | None:
    """Return the conditions of the ε of DP-SGD, whose batches are Poisson; None where nothing solves for its target.

    A program of it draws the batches and cuts the influence of each record by itself.
    """
    training = result.training
    if not training.is_solved:
        return None
    if is_program:
        return _conditions_of_training(result, _TRAINING, _EVERY_TRAINING)
    if training.rate == 1:
        return _conditions_of_training(result, _TRAINING, _CUT, _EVERY_TRAINING)
    drawn = result.values[BATCHES.key]
    state = {"unknown": "assumed", "poisson": "confirmed", "other": "denied"}[drawn]
    subject = replace(_TRAINING, assumption=POISSON * (state == "assumed"))
    conditions = _conditions_of_training(result, subject, _CUT, _EVERY_TRAINING)
    words = "the batches are not Poisson" if state == "denied" else _DRAWN
    items = Condition(BATCHES, words, state, _BATCHES_NAMES), *conditions.items
    refusal = conditions.refusal
    if refusal is None and state == "denied":
        refusal = _NOT_POISSON, _OTHER_BATCHES.format(batches_link(result, "take the ε of your loader"))
    return replace(conditions, items=items, refusal=refusal)


def batches_link(result: CompositionResult, name: str) -> str:
    """Return the link to the same training with other batches, under the same conditions."""
    values = result.values
    numbers = {key: exact_text(values[key]) for key in ("records", "batch", "epochs", "noise_multiplier")}
    entries = shared_entries(result.setting) | numbers | {"section": "training", "training_view": "batching"}
    entries |= {"solve": values["solve"], **condition_values(values)}
    return Link(COMPOSITION, name, entries).markdown


def batching_conditions(result: CompositionResult) -> Conditions:
    """Return the conditions of the ε of a training with the batches of its loader, and its neighbours, if zero-out."""
    is_poisson = result.values[LOADER.key] == "poisson"
    subject = replace(_TRAINING, note="" if is_poisson else _ZERO_OUT)
    drawn = (_DRAWN_EACH,) if is_poisson and result.training.rate < 1 else ()
    return _conditions_of_training(result, subject, *drawn, _CUT, _EVERY_TRAINING)


def _conditions_of_training(result: CompositionResult, subject: Subject, *assumptions: str) -> Conditions:
    return replace(release_conditions(result.values, subject), assumptions=assumptions)


def training_fields(result: CompositionResult) -> tuple[Parameter, ...]:
    """Return the numbers of a training, its ε and its δ, but the one that is solved for."""
    fields = EPSILON, NOISE, DELTA, EPOCHS, BATCH, RECORDS
    return tuple(field for field in fields if field not in solved_parameters(result))


def solved_parameters(result: CompositionResult) -> tuple[Parameter]:
    """Return the number of a training that is solved for."""
    return ({"epsilon": EPSILON, "noise": NOISE, "steps": EPOCHS, "rate": BATCH}[result.values[SOLVE.key]],)


def unit_of(values: Values) -> str:
    """Return who or what a training protects: a person, or one record of a person who can have several."""
    return "record" if values[CONTRIBUTION.key] in (*LIMITED, "unlimited") else "person"
