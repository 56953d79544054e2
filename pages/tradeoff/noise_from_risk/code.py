"""The noise that meets the risk, as a program with dpcore and with riskcal."""

from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP, RISKCAL
from pages.tradeoff.noise_from_risk.results import RiskNoise
from pages.tradeoff.noise_from_risk.setting_data import OUTCOME
from pages.tradeoff.results import TradeoffResult

_NO_INVERSE = "It calibrates noise to (ε, δ), and not to a risk."
_NOT_IN_RISKCAL = (
    "Its calibration of this mechanism to this risk requires a trade-off curve of one’s own; for Gaussian noise and "
    "DP-SGD it has the advantage and the error rates."
)
_RISKCAL_NOTE = (
    "riskcal (Kulynych et al. 2024) searches on a grid of losses: it takes seconds, with its default grid of 1e-4 "
    "minutes, and is right to about a percent, to either side."
)


def snippets(result: TradeoffResult) -> tuple[Snippet, ...]:
    """Return the program that computes the noise."""
    noise = result.risk_noise
    if noise is None:
        return ()
    others: dict[str, str] = dict.fromkeys((OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS), _NO_INVERSE)
    return _dpcore_snippet(noise), _riskcal_snippet(noise), *unavailable(others)


def _dpcore_snippet(noise: RiskNoise) -> Snippet:
    setting, calibration = noise.setting, noise.calibration
    conditions = ", ".join(map(number, setting.conditions)) + "," * (len(setting.conditions) == 1)
    is_list = setting.noise == "releases"
    numbers = setting.training if setting.noise == "dp_sgd" else (setting.sensitivity,)
    arguments = ["releases"] if is_list else [*map(number, numbers)]
    is_pure = setting.kind == OUTCOME
    arguments += [f"most_epsilon={number(setting.stated_epsilon)}"] if is_pure else []
    reading = "loss" if is_pure and not is_list else "epsilon"
    code = program(
        "from dpcore import risk",
        *(["from dpcore.composition import Release"] if is_list else []),
        "",
        f'acceptable = risk.Risk("{setting.kind}", {number(setting.limit)}, ({conditions}))',
        *([f"releases = [{', '.join(map(str, setting.releases))}]"] if is_list else []),
        f"noise = risk.{setting.noise}_calibration(acceptable, {', '.join([number(setting.delta), *arguments])})",
        "print(noise.scale)",
        f"print(noise.{reading})",
        *(["print(noise.detour_scale)"] if noise.has_detour else []),
    )
    values = (
        calibration.scale,
        calibration.loss if reading == "loss" else calibration.epsilon,
        *([calibration.detour_scale] if noise.has_detour else []),
    )
    reading_name = "its pure ε" if reading == "loss" else "its ε at δ"
    note = f"The noise, {reading_name}{', and the noise of the detour' if noise.has_detour else ''}."
    return Snippet(DPCORE, code, note, values)


def _riskcal_snippet(noise: RiskNoise) -> Snippet:
    setting = noise.setting
    is_gaussian = setting.noise == "gaussian"
    if setting.kind not in ("advantage", "power") or not (is_gaussian or setting.noise == "dp_sgd"):
        return next(iter(unavailable({RISKCAL: _NOT_IN_RISKCAL})))
    rate, steps = (1.0, 1) if is_gaussian else setting.training
    rates = (*setting.conditions, 1 - setting.limit) if setting.kind == "power" else (setting.limit,)
    function = f"find_noise_multiplier_for_{'err_rates' if setting.kind == 'power' else 'advantage'}"
    arguments = ", ".join([*map(number, (*rates, rate)), str(int(steps)), "grid_step=1e-3"])
    code = program(
        "from riskcal.calibration import dpsgd",
        "",
        f"noise_multiplier = dpsgd.{function}({arguments})",
        f"print(noise_multiplier * {number(setting.sensitivity)})" if is_gaussian else "print(noise_multiplier)",
    )
    return Snippet(RISKCAL, code, _RISKCAL_NOTE, (noise.calibration.scale,), min_ratio=0.97, max_ratio=1.03)
