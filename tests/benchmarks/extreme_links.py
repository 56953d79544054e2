"""Random extreme links: nasty texts for every parameter of the README's table, by the kind of the parameter."""

import random
from urllib.parse import quote, urlencode

from pages.shared import contents
from pages.shared.contents import Page
from pages.shared.topics import topic_of
from tests.benchmarks.draws import NASTY, Draw, by_kind, joined, many, number, one_of

Link = dict[str, str | list[str]]
NAMES = ("", "a", "**b** $c$ `d`", "<img src=x>", "naïve ☃ 𝒳", "\u202eabc", "x" * 30, "x" * 41, "1. a|b", "a=b;c@d*2,e")


EPSILON, DELTA, PROBABILITY = number(0, 1e6), number(1e-300, 1), number(0, 1)
SENSITIVITY, SCALE, BOUND = number(1e-100, 1e100), number(1e-300, 1e300), number(-1e15, 1e15)
ERROR = number(0, 1, nasty=0.001)  # one of many in a list that any of them can spoil
COUNT, TRIALS = number(1, 1e6, whole=True), number(0, 1e9, whole=True)


def noise(rng: random.Random) -> str:
    """A scale and a sensitivity in a ratio that may stand for a curve, however large both are, or any two."""
    if rng.random() < 0.2:
        return joined(SCALE, SCALE)(rng)
    scale, ratio = 10 ** rng.uniform(-280, 280), 10 ** rng.uniform(-13, 7)
    return f"{scale!r},{scale * ratio!r}"


CURVES: dict[str, Draw] = {
    "gdp": EPSILON,
    "approx": joined(EPSILON, PROBABILITY),
    "pure": EPSILON,
    "laplace": EPSILON,
    "geometric": joined(EPSILON, number(1, 1e4, whole=True)),
    "gg": joined(number(1, 100), noise),
    "sigma": noise,
    "zcdp": number(1e-12, 1e5),
    "sgm": joined(number(0.2, 1e4), number(1e-300, 1), COUNT),
    "points": many(joined(ERROR, ERROR, by="_"), 100, "~"),
}
NOISE = number(1e-3, 1e6, usual=(-1, 1), nasty=0.02)
PURE = number(0, 1e3, usual=(-4, 1), nasty=0.02)
RELEASES: dict[str, Draw] = {
    "gaussian": NOISE,
    "laplace": number(1e-300, 1e3, usual=(-4, 1)),
    "pure": PURE,
    "approx": joined(PURE, number(0, 1, usual=(-12, -1), nasty=0.02)),
    "exponential": PURE,
    "zcdp": number(0, 1e6, usual=(-6, 1)),
    "sampled": joined(NOISE, number(1e-300, 1, usual=(-7, 0), nasty=0.02)),
}


def curve(rng: random.Random) -> str:
    kind = rng.choice((*CURVES, "none"))
    numbers = CURVES.get(kind, EPSILON)(rng)
    releases = f"*{COUNT(rng)}" if rng.random() < 0.4 else ""
    colour = rng.choice(("blue", "orange", "teal", "pink", ""))
    return f"{rng.choice(('', '!'))}{kind}:{numbers}{releases}@{colour}={quote(rng.choice(NAMES), safe='')}"


def budget_query(rng: random.Random) -> str:
    numbers = [SENSITIVITY(rng), number(1e-6, 1e6)(rng), number(1e-12, 1e6)(rng)]
    return f"{rng.choice(('', '!'))}{','.join(numbers[: rng.randint(2, 3)])}={quote(rng.choice(NAMES), safe='')}"


def releases(rng: random.Random) -> str:
    """A list of releases: of any kinds, or of a few alone."""
    kinds = rng.choice((tuple(RELEASES), tuple(RELEASES), ("sampled",), ("pure", "approx"), ("laplace", "pure")))

    def release(rng: random.Random) -> str:
        kind = rng.choice((*kinds, *kinds, *kinds, "none"))
        numbers = RELEASES.get(kind, EPSILON)(rng)
        count = f"*{COUNT(rng)}" if rng.random() < 0.6 else ""
        return f"{rng.choice(('', '!'))}{kind}:{numbers}{count}={quote(rng.choice(NAMES), safe='')}"

    return many(release, 20, ";")(rng)


def kept(draws: dict[str, Draw]) -> Draw:
    """A kept setting, as a link has it."""

    def draw(rng: random.Random) -> str:
        return urlencode({key: each(rng) for key, each in draws.items() if rng.random() < 0.4}, quote_via=quote)

    return lambda rng: draw(rng) if rng.random() < 0.3 else "none"


def cell(rng: random.Random) -> str:
    """A cell of a small table of one's own."""
    return f"{rng.choice(NAMES)}{rng.choice('===;')}{rng.randint(0, 10 ** rng.randint(0, 16))}"


def attack(rng: random.Random) -> str:
    """Counts of an attack, of as many trials at every point or of random ones."""
    members = [rng.choice((1, 2, 10, 1000, 10**6, 10**9)) for _ in range(2)]

    def point(rng: random.Random) -> str:
        if rng.random() < 0.1:
            return joined(TRIALS, TRIALS, TRIALS, TRIALS, by="_")(rng)
        errors = [rng.choice((0, n, rng.randint(0, n), n // 1000)) for n in members]
        return f"{errors[0]}_{members[0]}_{errors[1]}_{members[1]}"

    return many(point, 20, "~")(rng) if rng.random() < 0.9 else "none"


MEASURE, SEED = one_of("variance", "mean_error", "accuracy"), number(0, 1e9, whole=True)
SHARED: dict[str, Draw] = {
    "epsilon": EPSILON,
    "delta": DELTA,
    "l2_sensitivity": SENSITIVITY,
    "significance": DELTA,
    "picture": one_of("svg", "png"),
}
TRAINING: dict[str, Draw] = {
    "records": number(1, 1e12, whole=True, usual=(2, 7)),
    "batch": number(1, 1e12, usual=(0, 4)),
    "epochs": number(0, 1e9, usual=(-2, 3)),
    "noise_multiplier": number(1e-3, 1e6, usual=(-1, 1)),
}
OWN: dict[str, tuple[Page, dict[str, Draw]]] = {
    "start": (contents.START, {}),
    "bounds": (
        contents.GAUSSIAN_BOUNDS,
        {
            "pinned": joined(EPSILON, DELTA, SENSITIVITY, DELTA),
        },
    ),
    "generalized": (
        contents.GENERALIZED_GAUSSIAN,
        {
            "p": number(1, 64),
            "guarantee": one_of("adp", "exact_pdp", "disjoint"),
            "match": one_of("scale", "variance", "guarantee"),
            "shapes": many(number(1, 64), 8),
            "size": one_of("deviation", "scale", "mean_error", "accuracy"),
            "statistics": one_of("one", "three", "own"),
            "sensitivities": many(SENSITIVITY, 8),
            "monte_carlo": one_of("off", "off", "off", "on"),
            "draws": number(1e4, 1e6, whole=True),
            "measure": MEASURE,
            "deltas": many(DELTA, 6),
            "seed": SEED,
            "bound_low": BOUND,
            "bound_high": BOUND,
            "true_value": BOUND,
            "bounded_error": one_of("rmse", "bias"),
            "bounded_scale": one_of("ratio", "scale"),
        },
    ),
    "tradeoff": (
        contents.TRADEOFF,
        {
            "curves": many(curve, 3, ";"),
            "alpha": PROBABILITY,
            "prior": PROBABILITY,
            "view": one_of("errors", "power", "log"),
            "quote": one_of("delta", "epsilon"),
            "attack": attack,
            "confidence": number(0.5, 1),
            "seed": SEED,
        },
    ),
    "laplace": (
        contents.LAPLACE_GAUSSIAN,
        {
            "case": one_of("counts", "histogram", "own"),
            "k": COUNT,
            "gaussian": one_of("analytic", "pdp", "classical"),
            "hold": one_of("epsilon", "variance", "tail"),
            "t": number(0, 1e12),
            "measure": MEASURE,
            "deltas": many(DELTA, 6),
            "cutoff": PROBABILITY,
            "l1_sensitivity": SENSITIVITY,
            "seed": SEED,
        },
    ),
    "accuracy": (
        contents.ACCURACY,
        {
            "known": one_of("epsilon", "accuracy"),
            "accuracy": SENSITIVITY,
            "unit": one_of("people", *NAMES),
            "query": one_of("count", "sum", "mean", "proportion", "histogram", "own"),
            "neighbours": one_of("add_remove", "replace"),
            "low": BOUND,
            "high": BOUND,
            "n_records": number(1, 1e12, whole=True),
            "l1_sensitivity": SENSITIVITY,
            "budget": many(budget_query, 8, ";"),
        },
    ),
    "tables": (
        contents.TABLES,
        {
            "section": one_of("noise", "table", "release", "paper"),
            "table": one_of("czech", "mildew", "own", "size"),
            "own": many(cell, 6, ";"),
            "cells": COUNT,
            "per_person": COUNT,
            "per_cell": number(1e-9, 1e9),
            "neighbours": one_of("add_remove", "replace"),
            "margins": number(0, 20, whole=True),
            "error": one_of("each", "all"),
            "promise": one_of("pure", "delta"),
            "p": number(1, 100),
            "mechanism": one_of(
                "recommended", "laplace", "geometric", "analytic", "discrete_gaussian", "pdp", "classical"
            ),
            "share": number(1e-6, 1000),
            "smallest": number(1, 1e15),
            "against": one_of("per_person", "epsilon"),
            "axis": one_of("linear", "log", "relative"),
            "clipped": one_of("off", "on"),
            "rounded": one_of("off", "on"),
            "repeated": one_of("off", "on"),
            "data": one_of("table", "table", "adult"),
            "grid": one_of("paper", "own"),
            "paper_epsilons": many(EPSILON, 6),
            "paper_deltas": many(DELTA, 6),
            "post": one_of("paper", "rounded", "none"),
            "repeats": number(2, 5000, whole=True),
            "distance": one_of("l1", "kl_original_sanitised", "kl_sanitised_original"),
            "seed": SEED,
        },
    ),
    "denoising": (
        contents.DENOISING,
        {
            "own": many(cell, 6, ";"),
            "pinned": kept(SHARED),
        },
    ),
    "composition": (
        contents.COMPOSITION,
        {
            "releases": releases,
            "runs": number(1, 1e6, whole=True, usual=(0, 3)),
            **TRAINING,
            "pinned": kept(SHARED | TRAINING | {"releases": releases}),
        },
    ),
}


def random_link(page: str, seed: int, place: int) -> Link:
    """A link with random texts for some of the parameters of a page."""
    rng = random.Random(f"{page} {seed} {place}")
    opened, own = OWN[page]
    asked = topic_of(opened).own
    link: Link = {key: draw(rng) for key, draw in (by_kind(asked) | SHARED | own).items() if rng.random() < 0.6}
    if rng.random() < 0.03:
        link[rng.choice(("foo", "epsilon", "<b>"))] = [rng.choice(NASTY), "1"]
    return link
