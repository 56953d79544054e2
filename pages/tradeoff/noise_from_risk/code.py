"""The noise that meets the risk, as a program with dpcore and with riskcal."""

from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.tradeoff.noise_from_risk.results import RiskNoise
from pages.tradeoff.results import TradeoffResult

_NO_INVERSE = "It calibrates noise to (ε, δ), and not to a risk."
_RISKCAL = (
    "riskcal (Kulynych et al. 2024, not among the tested libraries) calibrates DP-SGD and a general mechanism: "
    "`riskcal.calibration.dpsgd.find_noise_multiplier_for_err_rates(alpha, beta, sample_rate, num_steps)` and "
    "`find_noise_multiplier_for_advantage(advantage, sample_rate, num_steps)`; with sample_rate = 1 and num_steps = 1 "
    "it is Gaussian noise, with its numerical tolerance. "
)


def snippets(result: TradeoffResult) -> tuple[Snippet, ...]:
    """Return the program that computes the noise."""
    noise = result.risk_noise
    if noise is None:
        return ()
    others: dict[str, str] = dict.fromkeys((OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS), _NO_INVERSE)
    return _dpcore_snippet(noise), *unavailable(others)


def _dpcore_snippet(noise: RiskNoise) -> Snippet:
    setting, calibration = noise.setting, noise.calibration
    conditions = "".join(f"{number(value)}, " for value in setting.conditions)
    noise_numbers = setting.training if setting.noise == "dp_sgd" else (setting.sensitivity,)
    arguments = ", ".join(map(number, (setting.delta, *noise_numbers)))
    code = program(
        "from dpcore import risk",
        "",
        f'acceptable = risk.Risk("{setting.kind}", {number(setting.limit)}, ({conditions}))',
        f"noise = risk.{setting.noise}_calibration(acceptable, {arguments})",
        "print(noise.scale)",
        "print(noise.epsilon)",
        *(["print(noise.detour_scale)"] if noise.has_detour else []),
    )
    values = (calibration.scale, calibration.epsilon, *([calibration.detour_scale] if noise.has_detour else []))
    note = f"The noise, its ε at δ{', and the noise of the detour' if noise.has_detour else ''}. {_RISKCAL}"
    return Snippet(DPCORE, code, note.strip(), values)
