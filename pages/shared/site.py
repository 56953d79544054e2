"""What this product is made of: its pages, the parameters of every page, its colours and its demonstrations."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

import dpcore
from dpcore import verify
from pages.framework.parameters.parameter import Parameter
from pages.framework.site import Site
from pages.shared.classroom.membership_inference import MEMBERSHIP_INFERENCE, RANDOMISED_RESPONSE
from pages.shared.classroom.publishing import NOISY_MONTHS, PRIVATE_MAXIMUM
from pages.shared.classroom.theory import BASIC_COMPOSITION, CLASSICAL_GAUSSIAN
from pages.shared.conditions import CONDITION_PARAMETERS, REOPENED
from pages.shared.counts.table import N_PERIODS, PER_CELL, PER_PERSON, PER_TOTAL
from pages.shared.looks import COLOURS
from pages.shared.shared_parameters import DELTAS, GUARANTEE, L1_SENSITIVITY, MEASURE, SEED, SHARED, too_much_noise
from pages.shared.site_map import GROUPS, LIVE_CLASS, PAGES, REPORT

TRAVELLING: tuple[Parameter, ...] = (
    *(L1_SENSITIVITY, SEED, MEASURE, DELTAS, GUARANTEE),
    *(PER_PERSON, PER_CELL, PER_TOTAL, N_PERIODS),
)


def room_link(question: str, options: Sequence[str]) -> str:
    r"""Return the relative link of a live question. Commas part its options; a comma within one has a backslash.

    >>> room_link("Is it enough?", ["Yes", "No, never"])
    './Ask_the_class?ask_question=Is%20it%20enough%3F&ask_options=Yes%2C%20No%5C%2C%20never'
    """
    entries = {"ask_question": question, "ask_options": ", ".join(option.replace(",", r"\,") for option in options)}
    return f"./{LIVE_CLASS.path}?{urlencode(entries, quote_via=quote)}"


SITE = Site(
    name="DP Trade-off Explorer",
    version=dpcore.__version__,
    package="dpcore",
    pages=PAGES,
    groups=GROUPS,
    report_page=REPORT,
    parameters=SHARED,
    correct=too_much_noise,
    travelling=frozenset(parameter.key for parameter in TRAVELLING),
    conditions={parameter.key: REOPENED.get(parameter.key, {}) for parameter in CONDITION_PARAMETERS},
    data_slots=("table", "attack", "points", "places", "adult", "values", "series", "sums", "plan", "report", "room"),
    colours=COLOURS,
    demonstrations=(
        CLASSICAL_GAUSSIAN,
        MEMBERSHIP_INFERENCE,
        BASIC_COMPOSITION,
        NOISY_MONTHS,
        PRIVATE_MAXIMUM,
        RANDOMISED_RESPONSE,
    ),
    classroom="?section=class",
    room_link=room_link,
    verifier=verify,
    field_order=(
        *("promise", "delta", "significance", "error", "per_cell", "per_total", "neighbours", "unit"),
        *("shown", "mechanisms"),
    ),
    csv_columns={
        f"{words}accuracy": f"{words}half_width" for words in ("", "laplace_", "gaussian_", "epsilon_for_wanted_")
    },
)
