"""Compare dpcore.composition and dp-accounting on random mixed lists: their excess over the exact ε and their time.

    python -m tests.benchmarks.random_lists [N] [-s 1]

Of N lists (1000 unless said) half are realistic and half nasty, of Gaussian and Laplace noise, guarantees (randomised
response) and steps of DP-SGD. Each is asked for ε at a δ by our certified bound, contour integral and RDP, and by
dp-accounting's pessimistic privacy loss distribution (PLD, connected dots) and RDP. Violations are printed as they
are found, with the list as Python, and a table at the end.

The truth is what the contour integral says where it converges; else the least that any of them proves stands for it,
and no account can be found to be below it. What dp-accounting rounds is known in two ways. It moves every loss up by
less than an interval h, so that its ε is less than h times the number of releases above the truth: proved. Connected
dots multiply the moment at s by at most 1 + s(s + 1)h²/8, which moves ε by about the best Rényi order times h²/8 per
release: an estimate, which is doubled, for it falls short for sparse trainings, and to which h is added for every
guarantee, whose two losses are moved up to the grid without dots. A list at which dp-accounting raises or takes longer
than 20 s of processor is left out of what it is compared in, and counted.
"""

import argparse
import logging
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np

from dpcore import composition
from dpcore.composition import Release
from tests.benchmarks.servers import machine
from tests.benchmarks.their_accounts import (
    LONGEST,
    RAISED,
    Question,
    at_finer_cells,
    at_most,
    few_digits,
    interval,
    rounded_up,
    their_pld,
    their_rdp,
)

FINE = 1e-5  # the excess of the bound that stands for the truth where the contour integral does not converge
SMALL = 1e-6  # an ε below this is not compared by ratios
ROUNDING = 1e-12  # relative, of what two ways compute
ACCOUNTS = ("certified", "exact", "rdp", "their PLD", "their RDP")


def log_uniform(rng: random.Random, low: float, high: float) -> float:
    return few_digits(math.exp(rng.uniform(math.log(low), math.log(high))))


def release(rng: random.Random, nasty: bool, delta: float) -> Release:
    """Return a random line of a list."""
    kind = rng.choice(("gaussian", "laplace", "guarantee", "sampled"))
    if kind == "sampled":
        noise = log_uniform(rng, *((0.3, 100) if nasty else (0.5, 5)))
        rate = log_uniform(rng, *((1e-7, 1) if nasty else (1e-4, 0.05)))
        return composition.sampled_release(noise, rate, round(log_uniform(rng, *((1, 1e5) if nasty else (100, 2e4)))))
    count = round(log_uniform(rng, *((1, 1e4) if nasty else (1, 100))))
    if kind == "gaussian":
        return composition.gaussian_release(log_uniform(rng, *((0.1, 1000) if nasty else (2, 100))), count)
    epsilon = log_uniform(rng, *((1e-4, 10) if nasty else (0.01, 1)))
    if kind == "laplace":
        return composition.laplace_release(epsilon, count)
    broken = few_digits(delta / count * 10 ** rng.uniform(-4, -1)) if rng.random() < 0.5 else 0.0
    return composition.guarantee_release(epsilon, broken, count)


def question(seed: int, place: int) -> Question:
    """Return the list with an index: realistic for even, extreme for odd indices."""
    rng = random.Random(f"{seed} {place}")
    nasty = place % 2 == 1
    delta = log_uniform(rng, *((1e-12, 1e-2) if nasty else (1e-9, 1e-4)))
    return Question(tuple(release(rng, nasty, delta) for _ in range(rng.randint(1, 6))), delta)


class Tally:
    """The results: ε relative to the truth and seconds for each account, and the counts of events."""

    def __init__(self) -> None:
        self.above: dict[str, list[float]] = defaultdict(list)
        self.seconds: dict[str, dict[int, float]] = defaultdict(dict)
        self.times: dict[str, int] = defaultdict(int)

    def timed(self, name: str, place: int, task: Callable[[], float]) -> float:
        """Return the result of a task and store its processor time."""
        start = time.thread_time()
        value = task()
        self.seconds[name][place] = time.thread_time() - start
        return value

    def violation(self, place: int, problem: str, question: Question) -> None:
        """Print a contradiction."""
        print(f"{place}: {problem}\n    {question}", flush=True)


def ours(tally: Tally, place: int, question: Question) -> tuple[dict[str, float], float]:
    """Return ε by each accountant of dpcore, and the error of the contour integral; ∞ if it does not converge."""
    results = {}

    def certified() -> float:
        return float(composition.certified_epsilon(question.releases, question.delta).value)

    def exact() -> float:
        results["exact"] = composition.exact_epsilon(question.releases, question.delta)
        return float(results["exact"].value)

    def rdp() -> float:
        return float(composition.rdp_epsilon(question.releases, question.delta).value)

    tasks = {"certified": certified, "exact": exact, "rdp": rdp}
    epsilons = {name: tally.timed(name, place, task) for name, task in tasks.items()}
    if bool(results["exact"].converged):
        return epsilons, float(results["exact"].error) + ROUNDING * epsilons["exact"]
    tally.times["the contour integral did not converge"] += 1
    del epsilons["exact"], tally.seconds["exact"][place]
    return epsilons, math.inf


def theirs(tally: Tally, place: int, question: Question) -> tuple[dict[str, float], float, float]:
    """Return ε by each accountant of dp-accounting with an answer, and the possible excess of its PLD."""
    epsilons, width = {}, interval(question)
    tasks = {"their PLD": lambda: their_pld(question, width), "their RDP": lambda: their_rdp(question)}
    for name, task in tasks.items():
        try:
            with at_most(LONGEST), np.errstate(all="ignore"):
                epsilons[name] = tally.timed(name, place, task)
        except RAISED as error:
            tally.times[f"dp-accounting's {name[-3:]}: {type(error).__name__}"] += 1
        if not math.isfinite(epsilons.get(name, math.nan)):
            epsilons.pop(name, None)
            tally.seconds[name].pop(place, None)
    return epsilons, *rounded_up(question, width)


def compare(tally: Tally, place: int, question: Question) -> None:
    """Compare all accountants on one list and report contradictions."""
    epsilons, doubt = ours(tally, place, question)
    other, proved, likely = theirs(tally, place, question)
    epsilons |= other
    if math.isfinite(doubt):
        truth = epsilons["exact"]
    else:  # the least of what all prove
        truth = min(
            *epsilons.values(), float(composition.certified_epsilon(question.releases, question.delta, FINE).value)
        )
    for name, value in epsilons.items():
        if value < truth - doubt:
            tally.times[f"{name} is below the exact ε"] += 1
            tally.violation(place, f"{name} {value!r} is below the truth {truth!r} ± {doubt:.1g}", question)
        if truth >= SMALL and math.isfinite(truth):
            tally.above[name].append(max(value - truth, 0) / truth)
    if (below := epsilons.get("their PLD", 0.0) - epsilons["certified"]) > min(proved, likely) + 1e-9 * truth:
        finer = epsilons["exact"] if "exact" in epsilons else at_finer_cells(question)
        if below < proved and finer <= epsilons["certified"]:
            tally.times["their PLD is above the exact ε, or itself at finer cells, by more than estimated"] += 1
        else:
            tally.times["certified is below their PLD by more than it may be above"] += 1
            problem = (
                f"certified {epsilons['certified']!r} is {below:.3g} below their PLD, which may be {proved:.3g} above"
            )
            tally.violation(place, f"{problem} and is by about {likely:.3g} at most; the truth is {truth!r}", question)
    tally.times["ε = 0"] += truth == 0
    tally.times["ε = ∞"] += truth == math.inf


def table(tally: Tally) -> Iterator[str]:
    """Print the excess of each accountant, its processor time, and the ratio of dp-accounting's time to dpcore's."""
    heads = ("median", "99 %", "worst", "ms, median", "99 %", "worst", "lists")
    yield "{:22}{:>9}{:>9}{:>9}{:>12}{:>9}{:>9}{:>7}".format("above the truth, ÷ it", *heads)
    for name in ACCOUNTS:
        above, ms = tally.above[name], 1000 * np.array(list(tally.seconds[name].values()))
        ends = (*np.percentile(above, (50, 99)), max(above), *np.percentile(ms, (50, 99)), max(ms))
        yield "{:22}{:9.1e}{:9.1e}{:9.1e}{:12.1f}{:9.1f}{:9.1f}{:7}".format(name, *ends, len(above))
    for ours_name, other in (("certified", "their PLD"), ("exact", "their PLD"), ("rdp", "their RDP")):
        both = tally.seconds[ours_name].keys() & tally.seconds[other].keys()
        ratio = [tally.seconds[other][place] / tally.seconds[ours_name][place] for place in both]
        ends = np.percentile(ratio, (1, 50, 99))
        yield "time of {} over {}: {:.1f} (1 %), {:.1f} (median), {:.1f} (99 %)".format(other, ours_name, *ends)


def main(n: int, seed: int) -> None:
    logging.disable()
    tally = Tally()
    for place in range(n):
        compare(tally, place, question(seed, place))
    print(f"\n{n} lists of seed {seed}; {machine()}")
    for line in (*table(tally), *(f"{part}: {times}" for part, times in sorted(tally.times.items()))):
        print(line)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, nargs="?", default=1000, metavar="N", help="how many lists")
    parser.add_argument("-s", "--seed", type=int, default=1)
    options = parser.parse_args()
    main(options.n, options.seed)
