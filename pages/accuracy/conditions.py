"""The conditions of the answers on accuracy, in the words of each query."""

from dataclasses import replace

from dpcore import local
from pages.accuracy.parameters import LIMITED_QUERIES
from pages.accuracy.results import AccuracyResult, records_per_person
from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import format_input_down, format_up, percent
from pages.shared.conditions import BOUNDS, QUESTION, Subject, release_conditions
from pages.shared.error_text import share

_HISTOGRAM = Subject(
    unlimited="this answer is for people who count once",
    limit_remedy="[A table](./Tables?contribution=limited) has the noise for people who count more often. If {limit}:",
    can_have_limit=False,
)
_SUBJECTS = {"sum": BOUNDS, "mean": BOUNDS, "histogram": _HISTOGRAM}
_FEW_PEOPLE = 1_000  # of a survey, whose error is taken for normal: at 100 it was within ± in 91 %, not in 95 %
_N_OPTIONS, _SHARE = 20, 0.05  # of the survey that is named for comparison
_OWN = replace(
    QUESTION,
    limit="all that a person adds moves the answer by no more than Δ₁ and Δ₂",
    has_limit=True,
    unlimited="nobody limits by how much a person moves the answer",
    limit_remedy="Limit what each person adds before anything is computed. If {limit}:",
)


def conditions(result: AccuracyResult) -> Conditions:
    """Return the conditions of the answer for the query of the setting."""
    setting, values = result.setting, result.values
    subject = _SUBJECTS.get(setting.query, QUESTION)
    if setting.query == "own":
        subject = _OWN
    elif setting.query in LIMITED_QUERIES and (limit := records_per_person(values)) > 1:
        subject = replace(subject, limit=f"no person has more than {format_input_down(limit)} records", has_limit=True)
    return release_conditions(values, replace(subject, local=_local_text(result) or subject.local))


def _local_text(result: AccuracyResult) -> str:
    """Return how far a survey is off in which each person adds the noise, of a proportion; empty for another query."""
    setting = result.setting
    if setting.query != "proportion" or not setting.epsilon >= 1e-12 or setting.target is not None:
        return ""
    n, significance = setting.n_records, setting.significance
    size, of_many = (
        100 * float(local.half_width(setting.epsilon, n_options, n, share=f, significance=significance))
        for n_options, f in ((2, None), (_N_OPTIONS, _SHARE))
    )
    about = "about " if n < _FEW_PEOPLE else ""
    return (
        f"With noise that each person adds, the share of a yes-or-no question is off by up to {about}"
        f"±{format_up(size)} percentage points in {share(setting.significance)} of surveys, and a share of "
        f"{percent(_SHARE)} over "
        f"{_N_OPTIONS} options by {about}±{format_up(of_many)}. If an office adds the noise:"
    )
