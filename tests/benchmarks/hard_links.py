"""Expensive links of the Composition page: the longest lists, the largest counts, the smallest sampling rates."""

from collections.abc import Iterator

KINDS = "gaussian:{0}", "laplace:{0}", "pure:{0}", "approx:{0},1e-9", "exponential:{0}", "zcdp:{0}", "sampled:{0},.01"


def lines(*forms: str, times: int = 1) -> str:
    """Return a list of the maximal length, whose lines alternate between forms and have different numbers."""
    return ";".join(f"{forms[place % len(forms)].format(f'{1 + 0.01 * place:.2f}')}*{times}" for place in range(20))


LISTS = {
    "20 of all kinds": lines(*KINDS, times=10),
    "20 of all kinds but zCDP and exponential": lines(*KINDS[:4], "sampled:{0},.001", times=100),
    "largest counts": "gaussian:1000*1e6;laplace:1e-4*1e6;pure:1e-4*1e6;sampled:2,1e-3*1e6",
    "20 trainings": lines("sampled:{0},.01", times=1000),
    "20 trainings of 1e6 steps": lines("sampled:{0},1e-4", times=10**6),
    "20 sparse trainings": lines("sampled:{0},1e-7", times=10**5),
    "20 trainings without noise": lines("sampled:{0}e-3,.5", times=100),
    "a training of 1e6 steps": "sampled:1,1e-3*1e6",
    "a sparse training of 1e6 steps": "sampled:.5,1e-6*1e6",
    "a sparser training of 1e6 steps": "sampled:1.5,1e-9*1e6",
    "a training with next to no noise": "sampled:.05,1e-3*1000",
    "a training beside Laplace": "sampled:.7,1e-5*1e6;laplace:1e-3*1e6",
    "20 guarantees": lines("approx:{0}e-2,1e-9", times=1000),
    "20 pure guarantees of 1e6": lines("pure:{0}e-3", times=10**6),
    "20 Laplace": lines("laplace:{0}"),
    "20 Laplace of 1e6": lines("laplace:{0}e-3", times=10**6),
    "guarantees and many Laplace": "approx:.000239,.0267*4;laplace:11.6*9350",
    "guarantees of very different sizes": "pure:100;pure:1e-3*1e6;pure:.0171*333;pure:3.3*7",
    "Laplace of very different sizes": "laplace:100;laplace:1e-3*1e6;laplace:.0171*333;laplace:3.3*7",
    "many Laplace beside little noise": "laplace:.5*1e5;gaussian:300",
    "bounds alone": "exponential:.01*1e6;zcdp:1e-6*1e6;laplace:.1*10",
}
DELTAS = "1e-6", "1e-300", "0.3"
TRAININGS = {
    "as it stands": {},
    "sparse": {"records": "1e9", "batch": "1", "epochs": "1e-3"},
    "1e6 steps": {"records": "1e6", "batch": "10", "epochs": "10"},
    "little noise": {"noise_multiplier": "0.1"},
    "next to no noise": {"noise_multiplier": "0.001"},
    "much noise": {"noise_multiplier": "1e6", "epochs": "200"},
    "full batches": {"records": "1000", "batch": "1000", "epochs": "1000"},
    "small data": {"records": "100", "batch": "10", "epochs": "1000"},
    "one step": {"records": "1e6", "batch": "100", "epochs": "1e-4"},
    "most records": {"records": "1e12", "batch": "1e6", "epochs": "1"},
}
ASKED = [("1", "1e-5"), ("1", "1e-300"), ("1e-3", "1e-12"), ("1e3", "1e-6")]  # ε and δ
VIEWS = ("epsilon", "batch"), ("epsilon", "map"), ("noise", "steps"), ("steps", "steps"), ("rate", "batch")


def hard_links() -> Iterator[tuple[str, dict[str, str]]]:
    """Return the links by a description of what makes each expensive."""
    for name, listed in LISTS.items():
        for section in ("together", "accountants", "profile"):
            for delta in DELTAS:
                link = {"section": section, "releases": listed, "delta": delta}
                yield f"{section}, {name}, δ = {delta}", link
    few = "gaussian:30;laplace:.05;pure:.01*2;sampled:1,.001*10", "sampled:1,1e-6", "laplace:1e-4;pure:1e-5"
    for listed in few:
        for section in ("together", "accountants", "profile"):
            for runs in ("365", "100000", "1000000"):
                yield f"{section}, {runs} runs of {listed}", {"section": section, "releases": listed, "runs": runs}
    for name, training in TRAININGS.items():
        for epsilon, delta in ASKED:
            link = training | {"epsilon": epsilon, "delta": delta}
            yield f"batching, {name}, δ = {delta}", link | {"section": "batching"}
            for solve, view in VIEWS:
                section_link = {"section": "training", "solve": solve, "training_view": view}
                yield f"training, {name}, solve {solve}, {view}, ε = {epsilon}, δ = {delta}", link | section_link
    yield "published", {"section": "published", "delta": "1e-300", "at_delta": "page"}
