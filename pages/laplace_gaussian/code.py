"""± of both noises, with dpcore and with other libraries."""

from pages.framework.layout.code_panel import Snippet, number, program, unavailable
from pages.laplace_gaussian.found import Found
from pages.shared.libraries import DP_ACCOUNTING, DPCORE, OPACUS
from pages.shared.other_libraries import gaussian_sigma, laplace_accuracy

_NAMES = {"analytic": "ANALYTIC", "pdp": "PDP", "classical": "CLASSICAL"}


def snippets(found: Found) -> tuple[Snippet, ...]:
    """The page's answer; none where Laplace noise has none."""
    if not found.possible:
        return ()
    now = found.setting
    own = _dpcore(found), *laplace_accuracy(now.epsilon, now.l1, now.significance, found.errors[0]["accuracy"])
    if now.gaussian != "analytic" or now.hold != "epsilon":
        reason = "It has no ± of noise, and its Gaussian noise is the analytic one at the same ε only."
        return *own, *unavailable({DP_ACCOUNTING: reason, OPACUS: reason})
    sigma = gaussian_sigma(now.epsilon, now.delta, now.l2, found.noises.gaussian.scale)
    return *own, *(each for each in sigma if each.library in (DP_ACCOUNTING, OPACUS))


def _dpcore(found: Found) -> Snippet:
    now, (laplace, gaussian) = found.setting, found.errors
    same = now.hold == "epsilon"
    numbers = ", ".join(number(each) for each in (now.epsilon, now.delta, now.l1, now.l2, now.t))
    code = program(
        "from dpcore import laplace_gaussian as rivals",
        "",
        f"epsilon, delta, l1, l2, t = {numbers}",
        f"noises = rivals.matched(rivals.{_NAMES[now.gaussian]}, {now.hold!r}, epsilon, delta, l1, l2, t)",
        "for noise in noises:",
        f"    print(noise.half_width({number(now.significance)}))",
        *([] if same else ["print(noises.gaussian.epsilon)"]),
    )
    note = "± of Laplace noise and of the Gaussian" + ("." if same else ", and the Gaussian's ε at this δ.")
    more = () if same else (found.noises.gaussian.epsilon,)
    return Snippet(DPCORE, code, note, (laplace["accuracy"], gaussian["accuracy"], *more))
