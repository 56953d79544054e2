"""The parameters of a class that answers, or a simulated one: its reports, its estimates, and what one report tells."""

import math
import re
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import local
from dpcore.checks import Array
from dpcore.tradeoff import pure_posterior
from pages.framework.parameters.kinds import FreeText, Quantity, steps
from pages.framework.parameters.number_format import (
    exact_text,
    format_down,
    format_input_up,
    format_up,
    percent,
    percent_up,
)
from pages.framework.parameters.parameter import Correction, Parameter, PartError, Values, excerpt
from pages.live_class.rooms import MAX_OPTION, MAX_OPTIONS, MAX_PHONES, MAX_QUESTION, MIN_OPTIONS, Question, Round
from pages.shared.shared_parameters import EPSILON, SEED, SharedSetting, read_setting

LEAST_EPSILON, LARGEST_EPSILON = 0.1, 10
WANTED_ERROR, SMALL_CLASS = 0.25, 15
"""The half-width of a share up to which a vote says something, and the phones of a class that is called small."""
NO_NOISE = "no noise"
"""What stands in the place of ε for a vote without noise."""


@dataclass(frozen=True)
class Options(Parameter):
    r"""The kind of parameter that holds the options of a question, separated by commas; `\,` is a comma within one."""

    key: str
    symbol: str
    default: str

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        size = f"{MIN_OPTIONS} to {MAX_OPTIONS} different options of at most {MAX_OPTION} characters"
        return f"{size}, between commas (one within an option: \\,)"

    def read(self, entry: str) -> tuple[str, ...]:
        """Return the options; raise ValueError if a question cannot have them.

        >>> Options("options", "options", "Yes, No").read("Yes, No , Perhaps")
        ('Yes', 'No', 'Perhaps')
        """
        options = tuple(option.strip().replace("\\,", ",") for option in re.split(r"(?<!\\),", entry))
        if not MIN_OPTIONS <= len(options) <= MAX_OPTIONS:
            raise ValueError(entry)
        for place, option in enumerate(options, 1):
            if not 0 < len(option) <= MAX_OPTION or not option.isprintable() or option in options[: place - 1]:
                allowed = f"have 1 to {MAX_OPTION} printable characters and differ from those before"
                raise PartError(f"option {place} must {allowed}; {excerpt(option) or 'nothing'} was given.")
        return options


QUESTION = FreeText("ask_question", "question", "Have you ever cheated in an exam?", MAX_QUESTION)
OPTIONS = Options("ask_options", "options", "Yes, No")
N_SIMULATED = Quantity(
    "simulated_students",
    "students",
    "How many simulated students answer",
    f"[1, {MAX_PHONES}]",
    "60",
    help="The page simulates a class as long as no room is open.",
    ends="← fewer · more →",
    scale=tuple(step for step in steps(0, 3, ("1", "2", "3", "4", "6", "8")) if float(step) <= MAX_PHONES),
    whole=True,
    caption="simulated students",
)
SIMULATED_SHARE = Quantity(
    "simulated_share",
    "simulated share",
    "How probable the first option is for a simulated student",
    "[0, 1]",
    "0.3",
    help="The other options are equally probable. What a class thinks, nobody knows before.",
    ends="← rarer · more frequent →",
    scale=("0", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"),
    caption="share of the first option",
)
PARAMETERS: tuple[Parameter, ...] = (QUESTION, OPTIONS, N_SIMULATED, SIMULATED_SHARE, SEED)


def correct(values: Values) -> list[Correction]:
    """Return the correction of an ε at which no class is asked."""
    epsilon = values[EPSILON.key]
    if LEAST_EPSILON <= epsilon <= LARGEST_EPSILON:
        return []
    allowed = f"from {exact_text(LEAST_EPSILON)} to {exact_text(LARGEST_EPSILON)}"
    problem = f"{EPSILON.symbol} must be {allowed} for a class; {format_input_up(epsilon)} was given."
    return [Correction(EPSILON.key, EPSILON.default, f"{problem} {EPSILON.default} is used instead.")]


METHOD = "randomized_response"
NO_EPSILON, LARGE_EPSILON = 0.0, 8.0
"""The ε beside which the class's own is shown."""
PRIORS = (0.1, 0.5)
OFFICE = "office"
_PLACES = 24, 7  # numbers of answers at which the estimate is drawn: of all, and of the last tenth, where it is read
_SHARES = np.linspace(0, 1, 5)[:, np.newaxis]  # true shares, of which the one of the largest error counts


@dataclass(frozen=True)
class LiveSetting(SharedSetting):
    """The parameters of the page."""

    ask_question: str
    ask_options: tuple[str, ...]
    simulated_students: float
    simulated_share: float
    seed: float


def epsilon_text(epsilon: float) -> str:
    """Return the words for the ε of a question."""
    return f"ε = {format_input_up(epsilon)}" if math.isfinite(epsilon) else NO_NOISE


def students_for(setting: LiveSetting, epsilon: float) -> int:
    """Return how many students must answer for a share within the wanted error."""
    known = epsilon, len(setting.ask_options), METHOD
    return int(local.least_people(WANTED_ERROR, *known, significance=setting.significance))


def larger_epsilon(setting: LiveSetting) -> float | None:
    """Return the least of some larger ε at which a small class is enough; None if none of them is."""
    larger = (epsilon for epsilon in (1.0, 2.0, 3.0, 4.0, 6.0, 8.0) if epsilon > setting.epsilon)
    return next((epsilon for epsilon in larger if students_for(setting, epsilon) <= SMALL_CLASS), None)


def _probabilities(weight: int, n_options: int) -> tuple[str, str]:
    """Return the percentages of the answer, rounded down, and of each other option, rounded up: they sum to 100.

    Their ratio then is at most that of the guarantee.
    """
    other = 100 * Decimal(weight) / local.N_DRAWS
    digits = Decimal(1).scaleb(min(-2, other.adjusted() - 2))
    others = other.quantize(digits, ROUND_CEILING)
    return f"{100 - (n_options - 1) * others} %", f"{others} %"


def question_without_noise(setting: LiveSetting) -> Question:
    """Return the question of a vote in which each phone sends its answer."""
    promise = (
        "Your phone sends your answer as it is, without noise and without your name. Your lecturer sees how many chose "
        "each option; privacy is not protected as it is with noise."
    )
    return Question(setting.ask_question, setting.ask_options, math.inf, 0, promise)


def question_of(setting: LiveSetting, spent: Decimal = Decimal(0)) -> Question:
    """Return the question as the phones get it; `spent` is ε of the earlier questions of the room."""
    n_options, epsilon = len(setting.ask_options), setting.epsilon
    weight = int(local.other_option_draws(epsilon, n_options))
    truth, other = _probabilities(weight, n_options)
    others = "and otherwise the other answer" if n_options == 2 else f"and each other one with {other}"
    promise = (
        f"Your phone draws at random what it sends: your answer with probability {truth}, {others} "
        f"(ε = {format_input_up(epsilon)}). Nobody can know which it was, not even your lecturer."
    )
    if spent.is_infinite():
        promise += " An earlier question of this room had no noise."
    elif spent:
        together = format_input_up(float(spent + Decimal(repr(epsilon))))
        promise += f" With the earlier questions of this room it is ε = {together} together."
    return Question(setting.ask_question, setting.ask_options, epsilon, weight, promise)


@dataclass(frozen=True)
class LiveResult:
    """The page at one setting, with the round of the class; without a room, a simulated class answers."""

    setting: LiveSetting
    round: Round | None = None

    @property
    def is_class(self) -> bool:
        """Whether the reports are those of a class."""
        return self.round is not None and self.round.question is not None

    @property
    def is_counting(self) -> bool:
        """Whether the round still takes reports, whose number alone is shown: nobody shall follow the others."""
        return self.is_class and self.round is not None and self.round.is_open

    @cached_property
    def shown(self) -> "LiveResult":
        """What the class sees: the page without the reports of a round that still takes some."""
        if self.round is None or not self.is_counting:
            return self
        return LiveResult(self.setting, replace(self.round, reports=b""))

    @cached_property
    def question(self) -> Question:
        """The question that is answered."""
        round_question = None if self.round is None else self.round.question
        return question_of(self.setting) if round_question is None else round_question

    @property
    def has_noise(self) -> bool:
        """Whether phones draw at random what they send."""
        return self.question.weight > 0

    @property
    def n_options(self) -> int:
        """The number of options."""
        return len(self.question.options)

    @cached_property
    def _simulation(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The answers and the reports of simulated students, the first of which stay as more answer."""
        draws, n = np.random.default_rng(int(self.setting.seed)), int(self.setting.simulated_students)
        share, d, weight = self.setting.simulated_share, self.n_options, self.question.weight
        opinions, drawn = draws.random(MAX_PHONES), draws.integers(0, local.N_DRAWS, MAX_PHONES)
        other = np.floor((opinions - share) / max(1 - share, 1e-300) * (d - 1))
        answers = np.where(opinions < share, 0, 1 + np.clip(other, 0, d - 2)).astype(np.int64)
        steps = drawn // weight + 1
        return answers[:n], np.where(steps < d, (answers + steps) % d, answers)[:n]

    @cached_property
    def reports(self) -> NDArray[np.int64]:
        """The reported options in the order of their arrival, from 0."""
        if self.round is not None and self.is_class:
            return np.frombuffer(self.round.reports, np.uint8).astype(np.int64)
        return self._simulation[1]

    @property
    def n_reports(self) -> int:
        """How many have reported."""
        return self.reports.size

    @cached_property
    def truth(self) -> Array | None:
        """The true share of each option, which only a simulated class has."""
        if self.is_class:
            return None
        return np.bincount(self._simulation[0], minlength=self.n_options) / self.n_reports

    def half_widths(self, n_people: Array | int, epsilon: float) -> Array:
        """Return the ± of a share, exactly, at the worst of five true shares; 0 without noise."""
        if math.isinf(epsilon):
            return np.zeros(np.size(n_people))
        known = self.n_options, n_people, METHOD, _SHARES, self.setting.significance
        return np.max(local.exact_half_width(epsilon, *known), axis=0)

    def _estimated(self, counts: Array, n_people: Array | int) -> Array:
        """Return the estimated shares of counted reports."""
        if not self.has_noise:
            return counts / n_people
        return local.estimated_shares(counts, n_people, self.question.epsilon, METHOD)

    @cached_property
    def over_answers(self) -> pd.DataFrame:
        """The estimated share of the first option after so many answers, and its ±."""
        if not self.n_reports:
            return pd.DataFrame({"answers": [], "estimate": [], "half_width": []}, dtype=np.float64)
        n, (n_all, n_last) = self.n_reports, _PLACES
        places = np.concatenate([np.geomspace(1, n, n_all), np.linspace(0.9 * n, n, n_last)])
        places = np.unique(np.rint(np.maximum(places, 1)))
        counts = np.zeros((places.size, self.n_options))  # of the first option, and of all others together
        counts[:, 0] = np.cumsum(self.reports == 0)[places.astype(int) - 1]
        counts[:, 1] = places - counts[:, 0]
        estimates = self._estimated(counts, places[:, np.newaxis])[:, 0]
        half_widths = self.half_widths(places, self.question.epsilon)
        return pd.DataFrame({"answers": places, "estimate": estimates, "half_width": half_widths})

    @cached_property
    def options(self) -> pd.DataFrame:
        """The reported and the estimated share of each option, and its ±, which is one for all."""
        n = self.n_reports
        counted = np.bincount(self.reports, minlength=self.n_options)
        nothing = np.full(self.n_options, np.nan)
        estimate = self._estimated(counted.astype(np.float64), n) if n else nothing
        size = np.full(self.n_options, self.error) if n else nothing
        reported = counted / n if n else nothing
        columns = {"option": self.question.options, "reported": reported, "estimate": estimate, "half_width": size}
        return pd.DataFrame(columns | ({} if self.truth is None else {"truth": self.truth}))

    @property
    def leader(self) -> int:
        """The option of the largest estimated share, that is with the most reports; the first of several."""
        return int(np.argmax(self.options["reported"])) if self.n_reports else 0

    def estimate(self, option: int) -> float:
        """Return the estimated share of an option, which can lie below 0 and above 1."""
        return float(self.options["estimate"].iloc[option])

    @cached_property
    def error(self) -> float:
        """± of a share with all reports."""
        return float(self.half_widths(self.n_reports, self.question.epsilon)[0])

    @property
    def office_error(self) -> float:
        """± of a share that a trusted office publishes at the same ε, with Laplace noise on its counts."""
        if not self.has_noise:
            return 0.0
        known = self.question.epsilon, self.n_options, self.n_reports, self.setting.significance
        return float(local.curator_half_width(*known))

    @cached_property
    def reveal(self) -> pd.DataFrame:
        """What one report tells, and what all tell together, without noise or with more, and by an office."""
        epsilons = [NO_EPSILON, self.question.epsilon, LARGE_EPSILON]
        rows = [(epsilon, "phones", self._truthful(epsilon), self._error_at(epsilon)) for epsilon in epsilons]
        office = self.office_error if self.n_reports else np.nan
        rows.append((self.question.epsilon, OFFICE, 1.0, office))
        frame = pd.DataFrame(rows, columns=["epsilon", "way", "truthful", "half_width"])
        for prior in PRIORS:
            finite = np.minimum(frame["epsilon"].to_numpy(), LARGEST_EPSILON)
            frame[f"after_{prior}"] = np.where(np.isinf(frame["epsilon"]), 1.0, pure_posterior(finite, prior))
        return frame

    def _truthful(self, epsilon: float) -> float:
        """Return the probability that a phone reports the answer."""
        if math.isinf(epsilon):
            return 1.0
        weight = float(local.other_option_draws(epsilon, self.n_options)) if epsilon else local.N_DRAWS / self.n_options
        return 1 - (self.n_options - 1) * weight / local.N_DRAWS

    def _error_at(self, epsilon: float) -> float:
        """Return the ± of as many answers at another ε: ∞ at 0, where nothing is learnt."""
        if not self.n_reports:
            return np.nan
        return float(self.half_widths(self.n_reports, epsilon)[0]) if epsilon else np.inf


def compute_result(values: Values, current_round: Round | None = None) -> LiveResult:
    """Return the page at the values of the parameters, for the round of a class."""
    return LiveResult(read_setting(LiveSetting, values), current_round)


def points(half_width: float) -> str:
    """Return a half-width in percentage points, rounded up."""
    return format_up(100 * half_width)


def cut(value: float) -> float:
    """Return an estimated share or an end of its interval as it is shown: within 0 and 1."""
    return min(max(value, 0.0), 1.0)


def share_text(result: LiveResult, option: int) -> str:
    """Return the estimated share of an option with its ±, from 0 to 100 %, with a word where it was cut to that."""
    estimate, error = result.estimate(option), result.error
    if not result.has_noise:
        return percent(estimate, 3)
    words = f"{percent(cut(estimate), 3)} ± {points(error)} percentage points"
    low, high = cut(estimate - error), cut(estimate + error)
    if (low, high) == (estimate - error, estimate + error):
        return words
    interval = f"from {format_down(100 * low) if low else 0} to {percent_up(high, 3)}"
    return f"{words}, {interval}" if cut(estimate) == estimate else f"{words}, {interval}, cut to what a share can be"


def class_size_text(result: LiveResult) -> str:
    """Return how many students a vote at the ε of the setting needs, and at a larger one, in Markdown."""
    setting, larger = result.setting, larger_epsilon(result.setting)

    def needs(epsilon: float) -> str:
        return f"{format_up(students_for(setting, epsilon), 2)} students at ε = {format_input_up(epsilon)}"

    more = "" if larger is None else f", about {needs(larger)}"
    return f"For ±{points(WANTED_ERROR)} points a vote needs about {needs(setting.epsilon)}{more}."
