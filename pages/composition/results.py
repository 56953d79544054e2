"""The setting of the page and its result, which every section computes from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpcore.composition import Release
from pages.composition.dp_sgd.results import Training, solve_training
from pages.framework.parameters import list_parameter
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.parameter import Values
from pages.shared.releases import Item, labels
from pages.shared.shared_parameters import SharedSetting, read_setting

EDITOR_KEY = "releases_box"
EDIT_LINK = f"[Edit the list of releases](#{EDITOR_KEY})"


@dataclass(frozen=True)
class CompositionSetting(SharedSetting):
    """The parameters of the list of releases, which the pinned setting has too."""

    releases: tuple[Item, ...]
    runs: float
    accountant: str


@dataclass(frozen=True)
class CompositionResult:
    """The result at one setting, each part computed once; `pinned` is the result of the pinned setting."""

    setting: CompositionSetting
    values: Values
    pinned: "CompositionResult | None" = None

    @property
    def section(self) -> str:
        """Return the key of the open section."""
        return self.values["section"]

    @property
    def items(self) -> tuple[Item, ...]:
        """Return the lines of the list."""
        return self.setting.releases

    @cached_property
    def names(self) -> list[str]:
        """Return a short name for every line."""
        return labels(self.items)

    @property
    def chosen_position(self) -> int:
        """Return the position of the chosen line."""
        return list_parameter.chosen_position(self.items)

    @cached_property
    def single_run(self) -> tuple[Release, ...]:
        """Return the releases of the list, released once."""
        return tuple(item.release for item in self.items)

    @cached_property
    def training(self) -> Training:
        """Return the training with DP-SGD, with the open number solved for."""
        values, setting = self.values, self.setting
        records, batch, epochs, noise = (values[key] for key in ("records", "batch", "epochs", "noise_multiplier"))
        return solve_training(values["solve"], records, batch, epochs, noise, setting.epsilon, setting.delta)


def csv_header(result: CompositionResult, units: str, **more: Any) -> dict[str, Any]:
    """Return the header of the CSV of an exhibit about the list: its parameters and its units."""
    setting, pinned_result = result.setting, result.pinned
    header = {"releases": list_text(setting.releases), "runs": int(setting.runs), "delta": repr(setting.delta)}
    pinned = (
        {}
        if pinned_result is None
        else {"pinned": f"{list_text(pinned_result.setting.releases)}, runs {int(pinned_result.setting.runs)}"}
    )
    return header | more | {"units": f"epsilon in nats; {units}"} | pinned


def compute_result(values: Values) -> CompositionResult:
    """Return the result of the page at the values of its parameters."""
    pinned_result = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None})
    return CompositionResult(read_setting(CompositionSetting, values), values, pinned_result)
