"""The half-widths of both noises as code, with dpcore and with other libraries."""

from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.shared.libraries import DP_ACCOUNTING, DPCORE, OPACUS
from pages.shared.other_libraries import gaussian_sigma, laplace_accuracy

_NAMES = {"analytic": "ANALYTIC", "pdp": "PDP", "classical": "CLASSICAL"}


def snippets(result: LaplaceGaussianResult) -> tuple[Snippet, ...]:
    """Return the code of the answer; nothing where Laplace noise has no answer."""
    if not result.has_answer:
        return ()
    setting, significance = result.setting, _significance(result)
    laplace = result.noises.laplace.half_width(significance)
    common_snippets = (
        _dpcore_snippet(result),
        *laplace_accuracy(setting.epsilon, setting.l1, significance, laplace),
    )
    if setting.gaussian != "analytic" or setting.hold != "epsilon":
        reason = "It has no ± of noise, and its Gaussian noise is the analytic one at the same ε only."
        return *common_snippets, *unavailable({DP_ACCOUNTING: reason, OPACUS: reason})
    sigma = gaussian_sigma(setting.epsilon, setting.delta, setting.l2, result.noises.gaussian.scale)
    return *common_snippets, *(snippet for snippet in sigma if snippet.library in (DP_ACCOUNTING, OPACUS))


def _significance(result: LaplaceGaussianResult) -> float:
    """Return the significance of the half-widths in the answer: that of the median error in the section Density."""
    return 0.5 if result.section == "density" else result.setting.significance


def _dpcore_snippet(result: LaplaceGaussianResult) -> Snippet:
    setting, significance = result.setting, _significance(result)
    laplace, gaussian = (noise.half_width(significance) for noise in result.noises)
    same, tail = setting.hold == "epsilon", (setting.t,) if setting.hold == "tail" else ()
    numbers = ", ".join(number(value) for value in (setting.epsilon, setting.delta, setting.l1, setting.l2, *tail))
    code = program(
        "from dpcore import laplace_gaussian as rivals",
        "",
        f"epsilon, delta, l1, l2{', t' * len(tail)} = {numbers}",
        f"noises = rivals.calibrate_equal(rivals.{_NAMES[setting.gaussian]}, {setting.hold!r}, epsilon, delta, l1,"
        f" l2{', t' * len(tail)})",
        "for noise in noises:",
        f"    print(noise.half_width({number(significance)}))",
        *([] if same else ["print(noises.gaussian.epsilon)"]),
    )
    note = "± of Laplace noise and of the Gaussian" + ("." if same else ", and the Gaussian’s ε at this δ.")
    more = () if same else (result.noises.gaussian.epsilon,)
    return Snippet(DPCORE, code, note, (laplace, gaussian, *more))
