"""The table of what a guarantee becomes for a group, for disjoint parts and for shuffled reports."""

import pandas as pd

from dpcore import composition
from pages.composition.groups.results import RENYI_ORDER, GroupsResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_up


def groups_frame(result: GroupsResult) -> pd.DataFrame:
    """Return ε at δ over the size of the group."""
    sizes = result.sizes
    frame = {"size": sizes, "pure": result.pure_at(sizes), "gaussian": result.gaussian_at(sizes)}
    return pd.DataFrame(frame | {"profile": result.profile_at(sizes)})


def reports_frame(result: GroupsResult) -> pd.DataFrame:
    """Return ε at δ of the shuffled reports over their number."""
    reports = result.numbers_of_reports
    frame = pd.DataFrame(result.shuffled_at(reports), columns=["clones_2021", "clones_2023", "numerical"])
    frame.insert(0, "reports", reports)
    return frame


def models_frame(result: GroupsResult) -> pd.DataFrame:
    """Return the quantities of one person and of the group, and the other models, as numbers."""
    setting = result.setting
    size = setting.size
    shuffled = dict(zip(("clones_2021", "clones_2023", "numerical"), result.shuffled, strict=True))
    order, divergence, group_divergence = result.renyi
    rows = [
        ("epsilon of pure DP", setting.epsilon, result.pure),
        ("delta at g times epsilon", setting.delta, result.group_delta),
        ("mu", result.mu, float(composition.group_mu(result.mu, size))),
        ("rho", result.rho, float(composition.group_rho(result.rho, size))),
        (f"Renyi divergence, order {order} of one, {RENYI_ORDER} of the group", divergence, group_divergence),
        ("epsilon of Gaussian noise at delta", setting.epsilon, result.gaussian),
        *((f"parallel, {key}", setting.epsilon, result.parallel(key)) for key in ("add_remove", "replace")),
        *(
            (f"delta of parallel, {key}", setting.delta, result.parallel_delta(key))
            for key in ("add_remove", "replace")
        ),
        *((f"shuffled, {key}", setting.local_epsilon, value) for key, value in shuffled.items()),
    ]
    return pd.DataFrame(rows, columns=["guarantee", "single", "together"])


def table_html(result: GroupsResult) -> str:
    """Return the table as accessible HTML."""
    setting, size = result.setting, result.setting.size
    delta, reports = format_input_up(setting.delta), f"{setting.reports:,}"
    names = [
        f"Group of {size}, pure ε-DP: gε",
        f"Group of {size}, (ε, δ)-DP alone: δ at gε",
        f"Group of {size}, μ-GDP: gμ",
        f"Group of {size}, ρ-zCDP: g²ρ",
        f"Group of {size}, Rényi DP: divergence at order {RENYI_ORDER}, from that of one person at {result.renyi[0]:,}",
        f"Group of {size}, Gaussian noise: ε at δ = {delta}",
        "Parallel composition, two disjoint parts, a person added or removed: largest ε",
        "The same, a person replaced, who may change parts: sum of the two largest ε",
        "Parallel composition, a person added or removed: largest δ",
        "The same, a person replaced: sum of the two largest δ",
        f"{reports} shuffled ε₀-reports, published 2021: ε at δ = {delta}",
        f"{reports} shuffled ε₀-reports, published 2023: ε at δ = {delta}",
        f"{reports} shuffled ε₀-reports, numerical: ε at δ = {delta}",
    ]
    frame = models_frame(result)
    numbers = zip(names, frame["single"].tolist(), frame["together"].tolist(), strict=True)
    rows = [[name, format_up(single), format_up(together)] for name, single, together in numbers]
    heads = ["Guarantee", "One person, or one report", "Together"]
    return number_format.table_html("Guarantees of groups, parts and shuffled reports", "readings", heads, rows)
