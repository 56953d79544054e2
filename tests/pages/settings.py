"""Random settings of every page, as links: from everyday ones to the ends of what is allowed."""

from collections.abc import Callable

import numpy as np

from pages.tradeoff.noise_from_risk.results import limit_key

Rng = np.random.Generator
Link = dict[str, str]


def size(rng: Rng, low: float, high: float) -> str:
    """Return a positive number between two powers of ten, with few digits or with all of them."""
    value = 10 ** float(rng.uniform(low, high))
    return f"{value:.{rng.integers(1, 5)}g}" if rng.random() < 0.7 else repr(value)


def one_of(rng: Rng, *options: str) -> str:
    return str(rng.choice(options))


def shared(rng: Rng) -> Link:
    """ε, δ, the sensitivity and the level: one of five far out."""
    far = rng.random() < 0.2
    return {
        "epsilon": size(rng, -6, 4) if far else size(rng, -2.5, 1.5),
        "delta": size(rng, -299, -0.1) if far else size(rng, -12, -0.3),
        "l2_sensitivity": size(rng, -60, 60) if far else size(rng, -2, 4),
        "significance": size(rng, -200, -0.01) if far else size(rng, -4, -0.2),
    }


def _generalized_gaussian(rng: Rng) -> Link:
    return {
        "p": one_of(rng, "1", "2", "3", repr(float(rng.uniform(1, 64)))),
        "guarantee": one_of(rng, "adp", "exact_pdp", "disjoint"),
        "shapes": "1, 2.5",
        "section": one_of(rng, "shapes", "size", "best", "bounded"),
        "measure": one_of(rng, "variance", "mean_error", "accuracy"),
    }


def _tradeoff(rng: Rng) -> Link:
    first, two = size(rng, -1, 1), size(rng, -1, 1)
    curves = (
        *("here_approx:", "here_gaussian:", "here_laplace:", f"gdp:{first}", f"approx:{first},1e-6", f"pure:{first}"),
        *(f"laplace:{first}", f"gg:{1 + 5 * rng.random()},{first},{two}", f"sigma:{first},{two}", f"zcdp:{first}"),
        *(
            f"gdp:{first}*{rng.integers(1, 100)}",
            f"geometric:{first},5",
            f"truncated:{first},{size(rng, -9, -0.4)}",
            f"truncated_geometric:{first},9,4",
        ),
        *("points:0.01_0.95~0.5_0.2"),
    )
    far = rng.random() < 0.2
    alpha = size(rng, -290, 0) if far else one_of(rng, size(rng, -5, -0.01), repr(float(rng.random())))
    kind = one_of(rng, "outcome", "power", "advantage", "posterior", "success", "reconstruction")
    risk = {"risk": kind, limit_key(kind): repr(float(rng.random())), "baseline": size(rng, -3, -0.1)}
    risk |= {"noise": one_of(rng, "gaussian", "laplace", "geometric"), "section": one_of(rng, "curves", "risk")}
    risk |= {"per_person": str(rng.integers(1, 30)), "cells": str(rng.integers(1, 30))}
    return {"curves": f"!{one_of(rng, *curves)}", "alpha": alpha, "prior": size(rng, -3, -0.1), **risk}


def _laplace_gaussian(rng: Rng) -> Link:
    return {
        "case": one_of(rng, "counts", "histogram", "own"),
        "k": str(rng.integers(1, 200)),
        "gaussian": one_of(rng, "analytic", "pdp", "classical"),
        "hold": one_of(rng, "epsilon", "variance", "tail"),
        "t": size(rng, -1, 2),
        "l1_sensitivity": size(rng, 3, 5),
    }


def _accuracy(rng: Rng) -> Link:
    return {
        "section": one_of(rng, "accuracy", "records"),
        "known": one_of(rng, "epsilon", "accuracy"),
        "accuracy": size(rng, -2, 2),
        "query": one_of(rng, "count", "sum", "mean", "proportion", "histogram", "own"),
        "neighbours": one_of(rng, "add_remove", "replace"),
        "n_records": str(rng.integers(10, 10**6)),
        "l1_sensitivity": size(rng, 4, 6),
        "promise": one_of(rng, "pure", "delta"),
    }


def _clipping(rng: Rng) -> Link:
    median = 10 ** float(rng.uniform(-3, 9))
    return {
        "source": one_of(rng, "shape", "shape", "own"),
        "own": ";".join(size(rng, -2, 6) for _ in range(int(rng.integers(1, 60)))),
        "query": one_of(rng, "sum", "mean"),
        "median": repr(median),
        "p90": repr(median * float(rng.uniform(1.1, 30))),
        "n_records": str(rng.integers(1, 10**7)),
        "low": one_of(rng, "0", "0", "1", "-5"),
        "high": size(rng, 1, 9),
        "neighbours": one_of(rng, "add_remove", "replace"),
        "noise": one_of(rng, "laplace", "geometric", "gaussian", "discrete_gaussian", "truncated_laplace"),
        "error": one_of(rng, "root_mean_square", "mean_absolute"),
        "section": one_of(rng, "sum", "contributions"),
        "people": one_of(rng, "geometric", "zipf"),
        "mean_records": repr(1 + 99 * float(rng.random())),
        "exponent": repr(10 * float(rng.random())),
        "cells": str(rng.integers(1, 10**6)),
        "limit": str(rng.integers(1, 500)),
        "spread": one_of(rng, "cells", "one_cell"),
        "limit_error": one_of(rng, "cell_error", "total_error", "all_half_width"),
    }


def _tables(rng: Rng) -> Link:
    return {
        "section": one_of(rng, "noise", "noise", "table"),
        "table": one_of(rng, "czech", "mildew"),
        "per_person": str(rng.integers(1, 70)),
        "per_cell": one_of(rng, "1", "1", "3", "0.5"),
        "neighbours": one_of(rng, "add_remove", "replace"),
        "margins": one_of(rng, "0", "0", "2"),
        "error": one_of(rng, "all", "each"),
        "promise": one_of(rng, "pure", "delta"),
        "mechanism": one_of(rng, "recommended", "laplace", "geometric", "analytic", "pdp", "classical"),
    }


def _denoising(rng: Rng) -> Link:
    return {
        "section": one_of(rng, "map", "counts"),
        "per_person": str(rng.integers(1, 70)),
        "neighbours": one_of(rng, "add_remove", "replace"),
        "trips": str(rng.integers(1, 100)),
        "grid": "4",
        "at_place": one_of(rng, "1e6", "2"),
        "table": "mildew",
    }


def _composition(rng: Rng) -> Link:
    e = size(rng, -2, 0)
    lists = (
        f"gaussian:{size(rng, 0, 2)}*{rng.integers(1, 500)};gaussian:{size(rng, 0, 2)}",
        f"pure:{e}*{rng.integers(1, 500)}",
        f"approx:{e},1e-12*{rng.integers(1, 100)}",
        f"gaussian:{size(rng, 0.3, 2)}*{rng.integers(1, 50)};pure:{e}*{rng.integers(1, 30)}",
        f"laplace:{e}",
        f"gaussian:{size(rng, 0.3, 2)};zcdp:{size(rng, -4, -1)}*3",
        f"laplace:{e}*3;pure:{size(rng, -2, -0.5)}*3;exponential:{e}",
    )
    return {
        "section": one_of(rng, "together", "together", "accountants", "profile", "groups"),
        "group": str(rng.integers(1, 40)),
        "local_epsilon": size(rng, -1, 1),
        "reports": str(rng.integers(1, 10**6)),
        "releases": f"!{one_of(rng, *lists)}",
        "accountant": one_of(rng, "exact", "exact", "rdp", "zcdp", "basic"),
        "delta": size(rng, -9, -2),
    }


def _papers(rng: Rng) -> Link:
    return {
        "section": one_of(rng, *["variance"] * 5, "pdp", "tails", "tables", "exponential"),
        "variance_against": one_of(rng, "epsilon", "delta"),
        "p": one_of(rng, "1", "2", "3", repr(float(rng.uniform(1, 64)))),
        "case": one_of(rng, "counts", "histogram"),
        "k": str(rng.integers(1, 200)),
        "gaussian": one_of(rng, "analytic", "pdp", "classical"),
        "t": size(rng, -1, 2),
    }


def _plan(rng: Rng) -> Link:
    queries = (
        f"count:{size(rng, 0.5, 2)}",
        f"sum:{size(rng, 2, 3)},0,{rng.integers(1, 100)}",
        f"mean:{size(rng, -0.5, 0.5)},0,100,{rng.integers(500, 5000)}",
        f"table:{size(rng, 1, 2)},{rng.integers(2, 60)},{rng.integers(1, 4)},1*all",
        f"histogram:{size(rng, 1, 2)},{rng.integers(2, 60)}*A",
        f"own:{size(rng, 0, 1)},2,1",
        f"count:{size(rng, 1, 2)}@epsilon,{size(rng, -2, -1)}",
    )
    chosen = rng.choice(len(queries), rng.integers(1, 4), replace=False)
    return {
        "section": one_of(rng, "queries", "queries", "queries", "factor"),
        "direction": one_of(rng, "errors", "errors", "total"),
        "queries": f"!{';'.join(queries[place] for place in chosen)}",
        "promise": one_of(rng, "delta", "delta", "pure"),
        "periods": one_of(rng, "1", "1", "12"),
    }


def _series(rng: Rng) -> Link:
    return {
        "length": str(rng.integers(1, 90)),
        "in_periods": str(rng.integers(1, 120)),
        "totals": one_of(rng, "running_totals", "running_totals", "year_to_date", "window", "each"),
        "window": str(rng.integers(1, 30)),
        "publication": one_of(rng, "as_it_goes", "once"),
        "strategy": one_of(rng, "best", "best", "tree", "banded", "per_number", "binary_tree", "square_root"),
        "period": one_of(rng, "month", "week", "year"),
        "per_cell": one_of(rng, "1", "1", "3", "0.5"),
        "per_total": one_of(rng, "none", "none", "1", "7"),
        "neighbours": one_of(rng, "add_remove", "replace"),
        "section": one_of(rng, "time", "time", "ranges", "sums"),
        "sums": one_of(rng, "year", "series"),
        "sum_noise": one_of(rng, "gaussian", "discrete_gaussian", "laplace", "geometric"),
        "n_cells": str(rng.integers(1, 90)),
        "arrived": one_of(rng, "all", str(rng.integers(1, 90))),
    }


OWN: dict[str, Callable[[Rng], Link]] = {
    "generalized_gaussian": _generalized_gaussian,
    "tradeoff": _tradeoff,
    "laplace_gaussian": _laplace_gaussian,
    "accuracy": _accuracy,
    "clipping": _clipping,
    "tables": _tables,
    "denoising": _denoising,
    "composition": _composition,
    "plan": _plan,
    "papers": _papers,
    "series": _series,
}


def setting(topic: str, rng: Rng) -> Link:
    """Return a random setting of a page."""
    return shared(rng) | OWN.get(topic, lambda _: {})(rng)
