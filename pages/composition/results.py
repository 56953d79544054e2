"""One setting of the page, and what follows from it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpcore.composition import Release
from pages.composition.releases import Item, labels
from pages.framework.parameters import list_parameter
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.list_parameter import list_text
from pages.shared.shared_parameters import SharedSetting, read_setting

EDITOR_KEY = "releases_box"
EDIT_LINK = f"[Edit the list of releases](#{EDITOR_KEY})"


@dataclass(frozen=True)
class CompositionSetting(SharedSetting):
    """The parameters of the list of releases, which a kept setting has too."""

    releases: tuple[Item, ...]
    runs: float
    accountant: str


@dataclass(frozen=True)
class CompositionResult:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it."""

    setting: CompositionSetting
    values: Values
    pinned: "CompositionResult | None" = None

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values["section"]

    @property
    def items(self) -> tuple[Item, ...]:
        """The lines of the list."""
        return self.setting.releases

    @cached_property
    def names(self) -> list[str]:
        """A short name for every line."""
        return labels(self.items)

    @property
    def chosen_position(self) -> int:
        """The place of the chosen line."""
        return list_parameter.chosen_position(self.items)

    @cached_property
    def single_run(self) -> tuple[Release, ...]:
        """The releases of the list, released once."""
        return tuple(item.release for item in self.items)


def csv_header(result: CompositionResult, units: str, **more: Any) -> dict[str, Any]:
    """What stands above the numbers of an exhibit about the list: what it was computed for, and in which units."""
    setting, pinned_result = result.setting, result.pinned
    own = {"releases": list_text(setting.releases), "runs": int(setting.runs), "delta": repr(setting.delta)}
    pinned = (
        {}
        if pinned_result is None
        else {"pinned": f"{list_text(pinned_result.setting.releases)}, runs {int(pinned_result.setting.runs)}"}
    )
    return own | more | {"units": f"epsilon in nats; {units}"} | pinned


def compute_result(values: Values) -> CompositionResult:
    """What the page's parameters ask for."""
    pinned_result = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None})
    return CompositionResult(read_setting(CompositionSetting, values), values, pinned_result)
