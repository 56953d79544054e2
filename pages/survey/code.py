"""A survey with dpcore and as a client and a server, and the guarantee that is proved on request."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, product
from math import comb

from dpcore import verify
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.other_libraries import (
    DIFFPRIVLIB,
    DP_ACCOUNTING,
    DPCORE,
    OPACUS,
    OPENDP,
    PYTHON,
    laplace_accuracy,
    laplace_epsilon,
)
from pages.survey.results import SurveyResult

_MOST_OPTIONS = 1_000  # of a program that lists them
_OTHERS = {
    OPENDP: "It has randomised response, and states no error of a survey.",
    DP_ACCOUNTING: "It accounts for privacy, and has no surveys.",
    DIFFPRIVLIB: "It has randomised response of two options, and states no error of a survey.",
    OPACUS: "It trains models, and has no surveys.",
}
_POINTS_NOTE = "The ± in percentage points."
_PEOPLE_NOTE = "The people who are enough for the wanted ±."
_EPSILON_NOTE = "The ε that is enough for the wanted ±; the page rounds it up."
_OTHERS_OF_OFFICE = {
    OPENDP: "It has no ε for a wanted ± of this noise.",
    DP_ACCOUNTING: "It accounts for privacy, and states no ± of noise.",
    DIFFPRIVLIB: "It has no ε for a wanted ± of this noise.",
    OPACUS: "It has Gaussian noise only.",
}
_NOTE = (
    "The client runs on the device of each person, the server has only its reports, and prints an estimate. The "
    "probabilities are rounded to multiples of 2⁻⁵³: it is for trying, not for a release."
)
_SUBSETS = (
    "p = w * exp(epsilon) / (w * exp(epsilon) + d - w)",
    "q = (p * (w - 1) + (1 - p) * w) / (d - 1)",
    "def report(answer):  # the client",
    "    others = [option for option in range(d) if option != answer]",
    "    return {answer, *draw.sample(others, w - 1)} if draw.random() < p else {*draw.sample(others, w)}",
)
_BITS = (
    "def report(answer):  # the client",
    "    return {option for option in range(d) if draw.random() < (p if option == answer else q)}",
)
_HADAMARD = (
    "p, q = exp(epsilon) / (exp(epsilon) + 1), 0.5",
    "def sign(entry, option):",
    "    return bin(entry & (option + 1)).count('1') % 2",
    "def report(answer):  # the client",
    "    entry = draw.getrandbits((d + 1).bit_length())",
    "    sent = sign(entry, answer) ^ (draw.random() >= p)",
    "    return {option for option in range(d) if sign(entry, option) == sent}",
)
_CLIENTS = {
    "randomized_response": ("w = 1", *_SUBSETS),
    "optimized_unary": ("p, q = 0.5, 1 / (exp(epsilon) + 1)", *_BITS),
    "symmetric_unary": ("p = exp(epsilon / 2) / (exp(epsilon / 2) + 1)", "q = 1 - p", *_BITS),
    "hadamard": _HADAMARD,
}


def snippets(result: SurveyResult) -> tuple[Snippet, ...]:
    """Return the programs of the survey, or of the noise of an office."""
    if result.is_office:
        return _office_snippets(result)
    return _own_snippet(result), _survey_snippet(result), *unavailable(_OTHERS)


def _office_snippets(result: SurveyResult) -> tuple[Snippet, ...]:
    setting, n = result.setting, result.setting.n_people
    known = f"{setting.n_options:.0f}, {n:.0f}, {number(setting.significance)}"
    noise = setting.epsilon, result.l1_sensitivity, setting.significance
    if setting.is_error_known:
        call, note = f"local.curator_epsilon({number(setting.wanted_error)}, {known})", _EPSILON_NOTE
        value, of_one = result.epsilon_of_office, n * setting.wanted_error
        peers: tuple[Snippet, ...] = (laplace_epsilon(of_one, noise[1], noise[2], result.epsilon_of_office),)
    else:
        call, note = f"100 * local.curator_half_width({number(setting.epsilon)}, {known})", _POINTS_NOTE
        value = 100 * result.answer_error
        peers = laplace_accuracy(*noise, n * result.answer_error)
    own = Snippet(DPCORE, program("from dpcore import local", "", f"print({call})"), note, (value,))
    missing = _OTHERS.keys() - {peer.library for peer in peers}
    rest = {library: reason for library, reason in _OTHERS_OF_OFFICE.items() if library in missing}
    return own, *(replace(peer, note=f"{peer.note} It is that of one count.") for peer in peers), *unavailable(rest)


def _own_snippet(result: SurveyResult) -> Snippet:
    setting = result.setting
    options = f"{number(setting.option_share)}, {number(setting.significance)}"
    known = f"{setting.n_options:.0f}, {setting.n_people:.0f}, {setting.method!r}, {options}"
    if setting.are_people_sought:
        known = f"{number(setting.epsilon)}, {setting.n_options:.0f}, {setting.method!r}, {options}"
        call = f"local.least_people({number(setting.wanted_error)}, {known})"
        note, value = _PEOPLE_NOTE, result.sides[result.side].people
    elif setting.is_error_known:
        call = f"local.epsilon_for_half_width({number(setting.wanted_error)}, {known})"
        note, value = _EPSILON_NOTE, result.epsilon_of_phones
    else:
        call = f"100 * local.half_width({number(setting.epsilon)}, {known})"
        note, value = _POINTS_NOTE, 100 * result.error
    return Snippet(DPCORE, program("from dpcore import local", "", f"print({call})"), note, (value,))


def _survey_snippet(result: SurveyResult) -> Snippet:
    """Return a client and a server, of 1,000 people who all have the first or the second option."""
    setting = result.setting
    if setting.n_options > _MOST_OPTIONS:
        return Snippet(PYTHON, "", f"It lists the options of each report: enter at most {_MOST_OPTIONS:,} of them.")
    client = _CLIENTS.get(result.method, (f"w = {result.subset_size}", *_SUBSETS))
    code = program(
        "from math import exp",
        "from secrets import SystemRandom",
        "",
        f"epsilon, d, draw = {number(setting.epsilon)}, {setting.n_options:.0f}, SystemRandom()",
        *client,
        "def estimate(reports, option):  # the server",
        "    counted = sum(option in sent for sent in reports) / len(reports)",
        "    return (counted - q) / (p - q)",
        "reports = [report(answer) for answer in [0] * 300 + [1] * 700]  # who answers what",
        "print(estimate(reports, 0))",
    )
    return Snippet(PYTHON, code, _NOTE)


_ALMOST_NOTHING = Decimal("1e-30")  # the δ that a proof in intervals leaves where a guarantee has none
_MOST_SUBSETS = 700
_HALF = Decimal("0.5")  # the coins are then e^ε for each point of a score
_Scores = list[Decimal]


def claims(result: SurveyResult) -> Iterator[Claim]:
    """Yield the guarantee of one report, for two people with different answers."""
    epsilon = result.setting.epsilon
    if result.is_office:
        target = guarantee_claims.displayed_target(epsilon, 0.0, result.l1_sensitivity)
        yield guarantee_claims.laplace(replace(target, delta="0"), format_up(result.scale))
        return
    both = report_scores(result)
    numbers = {"epsilon": Decimal(format_input_up(epsilon)), "noise_epsilon": Decimal(exact_text(epsilon))}
    numbers |= {"scores": both[0], "other_scores": both[1], "sensitivity": _HALF, "mechanism": "exponential"}
    yield Claim(
        f"δ({format_input_up(epsilon)}) of one report, for any two answers",
        _ALMOST_NOTHING,
        verify.choice_delta,
        numbers,
    )


def report_scores(result: SurveyResult) -> tuple[_Scores, _Scores]:
    """Return the scores s of all reports for two answers: each report has a probability ∝ e^{εs}.

    Of a unary report only the bits of the two answers matter, as all others have the same probabilities; of Hadamard
    response only the sign, of an entry at which the two answers differ. Of very many subsets only those matter that
    hold one of the two answers, equally many each: the others are as probable for both.
    """
    method, d = result.method, int(result.setting.n_options)
    size = {"randomized_response": 1, "subset_selection": result.subset_size}.get(method, 0)
    if size and comb(d, size) <= _MOST_SUBSETS:
        subsets = [*combinations(range(d), size)]
        first, second = ([Decimal(answer in subset) for subset in subsets] for answer in (0, 1))
        return first, second
    if size or method == "hadamard":
        return [Decimal(1), Decimal(0)], [Decimal(0), Decimal(1)]
    bits = [*product((0, 1), repeat=2)]
    if method == "optimized_unary":
        return [Decimal(1 - other) for _, other in bits], [Decimal(1 - one) for one, _ in bits]
    return [_HALF * (one + 1 - other) for one, other in bits], [_HALF * (other + 1 - one) for one, other in bits]
