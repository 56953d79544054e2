"""The statements of "Say it" on a release: its noise, what an attacker learns at most, its guarantee and conditions.

A page says in a `Release` what is its own, and `release_statements` writes the three texts: all other sentences are
here. A page whose noise is a `Mechanism` needs a few lines:

    def statements(result: MedianResult) -> Statements | None:
        mechanism, setting = result.mechanism, result.setting
        if not mechanism.releasable:
            return None
        return release_statements(
            Release(
                noise="Random noise is added to the median before it is published",
                error=off_by("the published median", mechanism.half_width(setting.significance), setting.significance),
                mechanism=mechanism_text(mechanism),
                proof=mechanism.theorem,
                epsilon=format_input_up(setting.epsilon),
                delta=delta_text(mechanism),
                neighbours=setting.neighbours,
            ),
            conditions(result),
        )

`SECTION` then has `statements=statements`. Nothing of the user's own data may be in a `Release`: no count, no result,
no bound that was computed from them. The framework offers no statement while a condition is denied or still asked for.
"""

from dataclasses import dataclass
from functools import cached_property

import dpcore
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from pages.framework.layout.offers import Statements
from pages.framework.layout.section import STEPS, Conditions
from pages.framework.parameters.number_format import (
    FEW_DIGITS,
    exact_text,
    format_down,
    format_input_up,
    format_up,
    percent_up,
)
from pages.shared.formulas import LARGE_EPSILON, LITTLE, in_words, share
from pages.shared.guarantee_claims import number
from pages.shared.release_program.steps.together import MOST_PLACES, NEARLY_ALL, best_guess, guesses_text, one_in
from pages.shared.values.parameters import unit_after

_SYMBOLS = {"Δ₁ and Δ₂": "the limit that the noise is made for"}
_THEM = "about them", "about these people"  # in a condition that stands alone
_STATES = "assumed", "confirmed", "denied"
_QUESTION = {
    "add_remove": "whether a certain {unit} is in the data",
    "replace": "which of two entries a certain {unit} has in the data",
    "zero_out": "whether a certain {unit} or an empty place (zero-out) is in the data",
}
_NEIGHBOURS = {
    "add_remove": "adding or removing one {unit}",
    "replace": "replacing the data of one {unit}",
    "zero_out": "leaving out what one {unit} adds, in its place (zero-out)",
}
_KNOWN = {"person": "knows everybody else", "record": "knows all other records"}
_IN_GENERAL = "Learning about people in general is not limited."
_ALONE = "The guarantee is of {} alone: whatever else is released about the same people adds to it."
_BEYOND_LIMITS = " Contributions beyond the limits are not counted."
_SAMPLER = "The proof assumes that the noise is drawn exactly, by a sampler that is safe in floating point."
_TEST = "Kairouz, Oh & Viswanath 2015"


@dataclass(frozen=True)
class Release:
    """What a page says of a release, without a full stop at the end of each clause.

    `noise` begins the text for the public: to what noise is added. `error` is how far a published number is off, for
    the public and in numbers, empty where that is not known. `mechanism` and `proof` are for experts: the noise with
    its scale, and the theorem or accountant. `epsilon` and `delta` are the texts on the page, rounded up; `delta` is
    empty for pure ε-DP. `neighbours` is "add_remove", "replace" or "zero_out", and `unit` is who or what is
    protected. `caution` is a sentence on what the guarantee does not protect, for all. `limit` is what a limit of the
    page's own means, without symbols, for the public and for the others. `added` is the noise with its scale in a few
    words, for those who decide, and `counted` what the guarantee is for. `success` is the largest share of right
    guesses at even odds that the noise leaves, where it is known. `published` says what is published, with the noise:
    the text for the public then begins with it, and not with `noise`.
    """

    noise: str
    error: tuple[str, str]
    mechanism: str
    proof: str
    epsilon: str
    delta: str = ""
    neighbours: str = "add_remove"
    unit: str = "person"
    caution: str = ""
    limit: tuple[str, str] = ("", "")
    added: str = ""
    counted: str = "this release"
    success: float = 1.0
    published: str = ""

    @property
    def guarantee(self) -> str:
        """The guarantee in symbols."""
        if self.delta:
            return f"(ε, δ)-DP with ε = {self.epsilon} and δ = {self.delta}"
        return f"pure ε-DP with ε = {self.epsilon}"

    @cached_property
    def best_guess(self) -> float:
        """The largest share of right guesses at even odds, rounded up."""
        return min(best_guess(float(number(self.epsilon)), float(number(self.delta or "0"))), self.success)


def release_statements(release: Release, conditions: Conditions | None) -> Statements:
    """Return the statements on a release under its conditions, those of the page; None has none."""
    unit, conditional = release.unit, _Conditional(release, conditions)
    relation = _NEIGHBOURS[release.neighbours].format(unit=unit)
    error, error_in_numbers = (f"{text}.{conditional.limited}" if text else "" for text in release.error)
    under = "Under the conditions below, with" if conditional.in_words else "With"
    size = f"epsilon {in_full(release.epsilon)}"
    size += f" and delta {chance_in_words(float(number(release.delta)))}" if release.delta else ""
    attack = _attack_text(release)
    method = f"{under} noise drawn as planned, differential privacy ({size}) limits {attack}"
    delta = f" and δ = {release.delta}" if release.delta else ", without a δ (pure differential privacy)"
    little = f" It {LITTLE}." if number(release.epsilon) > LARGE_EPSILON else ""
    conditions_text = f"{conditional.in_symbols} {_ALONE.format(release.counted)}".strip()
    satisfies = f"{'If the conditions below hold, the' if conditional.assumed else 'The'} release satisfies"
    paper = (
        _join_sentences(f"{_noise_with_scale(release)}.", error_in_numbers),
        f"{satisfies} differential privacy with ε = {release.epsilon}{delta}.{little} The unit of privacy is "
        f"one {unit}; neighbouring data differ by {relation}. {_SAMPLER}",
        release.limit[1],
        f"This limits {attack}",
        conditions_text,
        f"Computed with the DP Trade-off Explorer {dpcore.__version__}.",
    )
    experts = (
        _join_sentences(f"Mechanism: {release.mechanism}.", error_in_numbers),
        f"Guarantee: {release.guarantee} under {relation}; {release.proof}. "
        f"{_join_sentences(release.caution, _SAMPLER)}",
        release.limit[1],
        f"Attack: at even odds no test is right with a probability above {_bound(release)}.",
        conditions_text,
        f"Computed with the DP Trade-off Explorer {dpcore.__version__}.",
    )
    noise = f"{release.published or _noise_without_name(release)}."
    public = _join_sentences(noise, error), release.limit[0], method, conditional.in_words
    return Statements(*("\n\n".join(filter(None, paragraphs)) for paragraphs in (public, paper, experts)))


def _name_in_brackets(release: Release) -> str:
    return f" ({release.added.partition(',')[0]})"


def _noise_without_name(release: Release) -> str:
    """Return to what noise is added, for the public, without a name in brackets."""
    return release.noise.replace(_name_in_brackets(release), "")


def _noise_with_scale(release: Release) -> str:
    """Return to what noise is added, with its scale: in the place of its name where that stands in brackets."""
    name = _name_in_brackets(release)
    if name in release.noise:
        return release.noise.replace(name, f" ({release.added})")
    return f"{release.noise}{f': {release.added}' if release.added else ''}"


def chance_in_words(probability: float) -> str:
    """Return a probability in words, rounded up: as 1 in so many where that is short.

    >>> chance_in_words(1e-6), chance_in_words(0.3), chance_in_words(0.7)
    ('1 in 1,000,000', '1 in 3', '70 %')
    """
    return one_in(probability) or percent_up(probability)


EXACT_ONES = "the exact ones"
"""What several numbers are compared with that are so at once."""


def off_by(
    subject: str,
    half_width: float,
    significance: float,
    unit: str = "",
    *,
    exact: str = "the exact one",
    is_at_least: bool = False,
) -> tuple[str, str]:
    """Return how far something is from what is `exact`, for the public and in numbers.

    The public reads the chance of the one release that there is. `is_at_least` is for a half-width that may hold more
    often, as that of several numbers at once, which are compared with `EXACT_ONES`.

    >>> off_by("a count", 2.9957, 0.05, "people")[0]
    'With a chance of 95 %, a count is within 3 people of the exact one'
    >>> off_by("both counts", 3.0, 0.05, exact=EXACT_ONES, is_at_least=True)[1]
    'In at least 95 % of releases, both counts are within ±3 of the exact ones'
    >>> off_by("a count", 14.0, 1e-6)[0]
    'Except with a chance of 1 in 1,000,000, a count is within 14 of the exact one'
    """
    least, be = "at least " if is_at_least else "", "are" if exact == EXACT_ONES else "is"
    sizes = ("", public_size(half_width)), ("±", format_up(half_width))
    public, numbers = (
        f"{subject} {be} {f'within {sign}{size} {unit_after(size, unit)}'.rstrip()} of {exact}" for sign, size in sizes
    )
    public = public if half_width else f"{subject} {be} exact"
    is_exception = share(significance).startswith("all but")
    least = "" if is_exception else least
    chance = f"With a chance of {least}{share(significance)}"
    if is_exception:
        chance = f"Except with a chance of {chance_in_words(significance)}"
    return f"{chance}, {public}", f"In {least}{share(significance)} of releases, {numbers}"


def public_size(value: float) -> str:
    """Return a number that must not be understated in few digits, rounded up, without a power of ten."""
    return in_full(format_up(value, FEW_DIGITS))


def in_full(text: str) -> str:
    """Return the text of a number without a power of ten, unless that has very many digits."""
    if "e" not in text or "above" in text:
        return text
    value = number(text)
    return f"{value:,f}" if abs(value.adjusted()) <= MOST_PLACES else text


def delta_text(mechanism: Mechanism) -> str:
    """Return the δ of a mechanism as it is entered, empty for pure ε-DP."""
    return format_input_up(mechanism.delta) if mechanism.delta else ""


def mechanism_text(mechanism: Mechanism) -> str:
    """Return a mechanism with its scale, rounded up, or with all its digits where it has two, for experts.

    >>> from dpcore.calibrations import ANALYTIC
    >>> from dpcore.mechanism import calibrated
    >>> mechanism_text(calibrated(ANALYTIC, 1, 1e-6))
    'analytic Gaussian noise, σ = 4.225'
    """
    scales = f"{mechanism.symbol} = {format_up(mechanism.scale)}"
    if FAMILIES[mechanism.family].truncated:  # rounding one of the two alone could raise δ
        bound, width = map(exact_text, mechanism.parameters)
        scales = f"{mechanism.symbol} = {bound}, scale {width}"
    if mechanism.family == "generalized_gaussian":
        scales = f"{scales}, p = {exact_text(mechanism.parameters[1])}"
    return f"{in_words(mechanism)} noise, {scales}"


def _attack_text(release: Release) -> str:
    """Return which guesses about one person are limited, and how: what follows "limits", in natural frequencies."""
    unit, guesses = release.unit, guesses_text(release.best_guess, release.unit)
    beyond = _join_sentences(release.caution, _IN_GENERAL)
    return (
        f"how well an attacker who {_KNOWN[unit]} can guess {_QUESTION[release.neighbours].format(unit=unit)}: "
        f"{guesses} {beyond}"
    )


class _Conditional:
    """The conditions of a statement, by what is known of each, and the sentences on them."""

    def __init__(self, release: Release, conditions: Conditions | None) -> None:
        said = () if conditions is None else conditions.words_by_state
        self.assumed, self.confirmed, self.denied = (
            tuple(words.replace(*_THEM) for words, its_state in said if its_state == state) for state in _STATES
        )
        self.counted = release.counted

    @property
    def limited(self) -> str:
        """The sentence on what a limit on one person leaves out of every ±; empty where everybody counts once."""
        return _BEYOND_LIMITS if any(" at most " in words for words in (*self.assumed, *self.confirmed)) else ""

    @property
    def in_words(self) -> str:
        """The sentences for the public: what nobody confirmed is an "only if"."""
        return _join_sentences(
            f"This holds only if (unconfirmed) {_list_words(self.assumed)}." if self.assumed else "",
            f"Those who publish confirm: {'; '.join(map(_plain, self.confirmed))}." if self.confirmed else "",
            f"But {_list_words(self.denied)}: all of it together can tell more than {self.counted} alone."
            if self.denied
            else "",
        )

    @property
    def in_symbols(self) -> str:
        """The sentences for those who decide and for experts, in the words of the page."""
        return _join_sentences(
            f"Holds only if {'; '.join(self.assumed)} (assumed, not confirmed)." if self.assumed else "",
            f"Confirmed: {'; '.join(self.confirmed)}." if self.confirmed else "",
            f"Not met: {'; '.join(self.denied)}." if self.denied else "",
        )


def _list_words(words: tuple[str, ...]) -> str:
    *first, last = map(_plain, words)
    return f"{'; '.join(first)}; and {last}" if first else last


def _plain(words: str) -> str:
    """Return the words of a condition without symbols."""
    for symbol, name in _SYMBOLS.items():
        words = words.replace(symbol, name)
    return words


def _join_sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _bound(release: Release) -> str:
    """Return the largest share of right guesses with its reason."""
    most = format_up(release.best_guess)
    if NEARLY_ALL < release.best_guess < 1:  # rounded up as well: what is missing is rounded down
        most = f"1 − {format_down(1 - release.best_guess)}"
    if release.best_guess == release.success < 1:
        return f"{most}, by the trade-off curve of the noise"
    return f"(e^ε + δ)/(1 + e^ε) ≤ {most} ({_TEST})"


def steps_text(before: str, noise: str, after: str) -> str:
    """Return the three steps as a list in Markdown, each a sentence.

    >>> print(steps_text("Count each person once.", "Add geometric noise.", "Publish the count with ±3."))
    **What to do, if the conditions hold**
    <BLANKLINE>
    1. Count each person once.
    2. Add geometric noise.
    3. Publish the count with ±3.
    """
    return f"{STEPS}, if the conditions hold**\n\n1. {before}\n2. {noise}\n3. {after}"
