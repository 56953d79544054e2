"""What each trace of the page that asks a class must show: see `tests.pages.figure_checks`."""

import numpy as np

from dpcore import local
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear

SETTINGS = {
    "": (
        {},
        {"epsilon": "8", "simulated_students": "500", "ask_options": "a, b, c, d, e, f", "simulated_share": "0"},
        {"epsilon": "0.1", "simulated_students": "1", "simulated_share": "1", "significance": "0.3", "seed": "5"},
    )
}
METHOD = "randomized_response"


def answers_and_reports(setting: Setting) -> tuple[Numbers, Numbers]:
    """Return the answers and the reports of simulated students, one by one."""
    d, n = len(setting.ask_options), int(setting.simulated_students)
    weight = int(local.other_option_draws(setting.epsilon, d))
    rng = np.random.default_rng(int(setting.seed))
    opinions, draws = rng.random(500), rng.integers(0, 2**53, 500)
    answers, reports = [], []
    for opinion, drawn in zip(opinions[:n].tolist(), draws[:n].tolist(), strict=True):
        share = setting.simulated_share
        answer = 0 if opinion < share else 1 + int((opinion - share) / (1 - share) * (d - 1))
        steps = [step for step in range(1, d) if drawn < step * weight]
        answers.append(answer)
        reports.append((answer + steps[0]) % d if steps else answer)
    return np.array(answers), np.array(reports)


def shares(values: Numbers, d: int) -> Numbers:
    return np.bincount(values, minlength=d) / values.size


def estimate(setting: Setting, answers: Numbers) -> Numbers:
    """Return the estimated share of the first option after so many answers, in percent."""
    _, reports = answers_and_reports(setting)
    counts = np.cumsum(reports == 0)[np.rint(answers).astype(int) - 1]
    d = len(setting.ask_options)
    q = float(local.other_option_draws(setting.epsilon, d)) / 2**53
    return 100 * (counts / np.rint(answers) - q) / (1 - d * q)


def shown(values: Numbers) -> Numbers:
    """Return percentages cut to what a share can be."""
    return np.clip(values, 0, 100)


def half_width(setting: Setting, answers: Numbers) -> Numbers:
    """Return the largest ± of five true shares, in percentage points."""
    d = len(setting.ask_options)
    sizes = [
        local.exact_half_width(setting.epsilon, d, np.rint(answers), METHOD, share, setting.significance)
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    return 100 * np.max(sizes, axis=0)


def truth(setting: Setting) -> Numbers:
    return 100 * shares(answers_and_reports(setting)[0], len(setting.ask_options))


def estimates(setting: Setting, options: Numbers) -> Numbers:
    d = len(setting.ask_options)
    counted = np.bincount(answers_and_reports(setting)[1], minlength=d)
    found = local.estimated_shares(counted, int(setting.simulated_students), setting.epsilon, METHOD)
    return 100 * found[np.rint(options).astype(int) - 1]


def reported(setting: Setting, options: Numbers) -> Numbers:
    found = 100 * shares(answers_and_reports(setting)[1], len(setting.ask_options))
    return found[np.rint(options).astype(int) - 1]


def end(sign: int) -> Truth:
    return lambda setting, x: shown(estimate(setting, x) + sign * half_width(setting, x))


def percent(column: str) -> Truth:
    return lambda rows: shown(100 * rows[column])


def upper_error(setting: Setting, place: Numbers) -> Numbers:
    """Return the upper parts of the error bars."""
    found = estimates(setting, place + 1)
    size = half_width(setting, np.full(np.shape(place), setting.simulated_students))
    return shown(found + size) - shown(found)


def end_of_rows(sign: int) -> Truth:
    return lambda rows: shown(100 * (rows["estimate"] + sign * rows["half_width"]))


CHARTS = {
    "over_answers": Chart(
        linear("number of answers"),
        linear("share (%)"),
        {
            "lower end": Trace(end(-1), end_of_rows(-1), rtol=1e-6, atol=1e-6),
            "with its ±": Trace(end(1), end_of_rows(1), rtol=1e-6, atol=1e-6),
            "the estimate": Trace(
                lambda setting, x: shown(estimate(setting, x)), percent("estimate"), rtol=1e-6, atol=1e-6
            ),
            "the truth, simulated": Trace(lambda setting, x: np.full(np.shape(x), truth(setting)[0])),
        },
        "answers",
    ),
    "options": Chart(
        linear("option"),
        linear("share (%)"),
        {
            "reported": Trace(
                lambda setting, place: reported(setting, place + 1), percent("reported"), by_place=True, x=""
            ),
            "the estimate, with its ±": Trace(
                lambda setting, place: shown(estimates(setting, place + 1)),
                percent("estimate"),
                error=upper_error,
                error_column=lambda rows: end_of_rows(1)(rows) - shown(100 * rows["estimate"].to_numpy()),
                by_place=True,
                x="",
                rtol=1e-6,
                atol=1e-6,
            ),
            "the truth, simulated": Trace(
                lambda setting, place: truth(setting)[np.asarray(place).astype(int)],
                percent("truth"),
                by_place=True,
                x="",
            ),
        },
    ),
}
