"""All releases of a folder together in the program of a release: what an attacker learns of them, in words."""

import math
import re
from fractions import Fraction
from typing import Any

from pages.shared.release_program.steps.check import up, up_text
from pages.shared.release_program.steps.ledger import Ledger

FEWEST, MOST_PEOPLE = 100, 10**9  # of whom an attacker is right about some
NEARLY_ALL = 0.99  # from this share on the public is told that the protection is weak
MOST_PLACES = 15  # of a number that is written in full
ULPS = 8 * 2.0**-52  # by which a computed share of right guesses can be too small
SIZE = re.compile(r"differential privacy \(epsilon [^()]*\)")
GUESSES = re.compile(
    r"by chance right for [\d,]+ of [\d,]+ \w+, with the release for [^.]*\.( This is weak protection\.)?"
)
ALONE = re.compile(r"nothing else is released about (them|these people)")


def best_guess(epsilon: float, delta: float) -> float:
    """Return the largest share of right guesses at even odds under (ε, δ)-DP, (e^ε + δ)/(1 + e^ε), rounded up.

    >>> f"{best_guess(1.0, 0.0):.4f} {best_guess(1.0, 0.1):.4f} {best_guess(1e3, 0.0)}"
    '0.7311 0.7580 1.0'
    """
    wrong = math.exp(-epsilon) / (1 + math.exp(-epsilon))
    return min((1 - wrong + delta * wrong) * (1 + ULPS), 1.0)


def of_people(share_right: float) -> tuple[int, int] | None:
    """Return a share in whole people, rounded up, of so many that some are left; None where there are too few.

    A share is the decimal number that it is written as: one of 0.55, which as a float is more, is that of 55 people.

    >>> of_people(0.7311), of_people(0.55), of_people(1 - 2**-10), of_people(1.0)
    ((74, 100), (55, 100), (9991, 10000), None)
    """
    total = FEWEST
    while total <= MOST_PEOPLE:
        if (right := math.ceil(total * Fraction(repr(share_right)))) < total:
            return right, total
        total *= 10
    return None


def guesses_text(share_right: float, unit: str, known: str = "the release") -> str:
    """Return how often an attacker is right by chance, and with what is `known`, as sentences without a beginning.

    >>> guesses_text(0.7311, "person")
    'by chance right for 50 of 100 people, with the release for at most 74 of 100 on average.'
    """
    right, total = of_people(share_right) or (0, FEWEST)
    many = "people" if unit == "person" else f"{unit}s"
    most = f"at most {right:,} of {total:,} on average" if right else "practically all"
    weak = " This is weak protection." if share_right > NEARLY_ALL else ""
    return f"by chance right for {total // 2:,} of {total:,} {many}, with {known} for {most}.{weak}"


def one_in(probability: float) -> str:
    """Return a probability as 1 in so many, rounded up; empty where that is not short.

    >>> one_in(1e-6), one_in(0.3), one_in(0.7)
    ('1 in 1,000,000', '1 in 3', '')
    """
    number = math.floor(1 / Fraction(repr(probability))) if probability else 0
    return f"1 in {number:,}" if 2 <= number <= 10**MOST_PLACES else ""


def earlier_text(ledger: Ledger) -> str:
    """Return the names of the earlier releases of a folder, whose numbers have no gap."""
    last = ledger.number - 1
    return f"release{f's 1 to {last}' if last > 1 else ' 1'} of this folder"


def guarantee_text(plan: dict[str, Any], ledger: Ledger) -> str:
    """Return the guarantee as a sentence for the terminal: that of the folder, where earlier releases add to it."""
    own = f"ε = {up_text(plan['epsilon'])} (δ = {up_text(plan['delta'])})"
    if not ledger.is_more:
        return f"The guarantee: {own} for one {plan['unit']}."
    return (
        f"The guarantee: ε = {up_text(ledger.epsilon)} (δ = {up_text(ledger.delta)}) for one {plan['unit']}, of this "
        f"release and {earlier_text(ledger)} together. This release alone has {own}."
    )


def size_text(epsilon: float, delta: float) -> str:
    """Return the size of a guarantee in words, rounded up.

    >>> size_text(3.9468, 1e-6), size_text(1.0, 0.0)
    ('epsilon 3.947 and delta 1 in 1,000,000', 'epsilon 1')
    """
    return f"epsilon {up_text(epsilon)}{f' and delta {one_in(delta) or up_text(delta)}' if delta else ''}"


def with_earlier(plan: dict[str, Any], ledger: Ledger) -> dict[str, Any]:
    """Return a plan whose statement and conditions count the earlier releases of the folder, where these cost more.

    The guarantee, and what an attacker guesses at most, are then those of all of them together, by basic composition.
    """
    if not ledger.is_more:
        return plan
    earlier, epsilon, delta = earlier_text(ledger), up(ledger.epsilon), min(up(ledger.delta), 1.0)
    size, own = size_text(epsilon, delta), size_text(plan["epsilon"], plan["delta"])
    together = (
        f"This is not the only release about the same people: {earlier} came before. Together they have {size}; this "
        f"release alone has {own}."
    )
    counted = f"besides this release and {earlier}, nothing else is released about "
    guesses = guesses_text(best_guess(epsilon, delta), plan["unit"], "all of these releases")
    statement = SIZE.sub(lambda _: f"differential privacy ({size}, of all these releases together)", plan["statement"])
    statement = ALONE.sub(lambda found: f"{counted}{found[1]}", GUESSES.sub(lambda _: guesses, statement))
    conditions = ALONE.sub(lambda found: f"{counted}{found[1]}", plan["conditions"])
    return plan | {
        "statement": "\n\n".join(filter(None, (together, statement))),
        "conditions": " ".join(filter(None, (conditions, together))),
    }


def with_sum(rows: list[list[str]], ledger: Ledger) -> list[list[str]]:
    """Return the rows of a CSV file with ε and δ of the folder, where earlier releases add to those of this one."""
    if not ledger.is_more:
        return rows
    heads, sums = ("epsilon_of_this_folder", "delta_of_this_folder"), map(up_text, (ledger.epsilon, ledger.delta))
    return [[*row, *own] for row, own in zip(rows, (heads, *[tuple(sums)] * (len(rows) - 1)), strict=True)]
