"""The "Verify" panel: the guarantees that a page states, proved in interval arithmetic from the displayed digits."""

from collections.abc import Iterable, Iterator
from time import thread_time
from types import ModuleType

from pages.framework.layout import markup
from pages.framework.layout.section import Claim
from pages.framework.parameters import number_format
from pages.framework.site import site

MAX_SECONDS = 1.0  # seconds of processor time, after which no further proof is started
INSTALL_NOTE = (
    "To verify the guarantees of this page, install python-flint: `pip install python-flint`, "
    "then restart the dashboard."
)
METHOD_NOTE = (
    "Each check inserts the displayed numbers into the definition and evaluates it in interval arithmetic (Arb, at "
    "least 128 bits), independently of the code that computed them; “as computed” means the unrounded doubles. A proof "
    "holds for noise in real numbers, not for the floating point of a sampler, and only if the sensitivity is right."
)


def panel(claims: Iterable[Claim], conditions: str = "") -> str:
    """Return the panel as HTML: a sentence on the proof of each guarantee, and the conditions of all of them."""
    try:
        verify = site().verifier()
    except ImportError:
        return markup.html(INSTALL_NOTE)
    proofs = markup.html("\n".join(f"- {line}" for line in lines(claims, verify)))
    method = markup.html(METHOD_NOTE)
    return (
        proofs.replace("<ul>", '<ul class="dp-proofs">', 1) + (markup.html(conditions) if conditions else "") + method
    )


def lines(claims: Iterable[Claim], verify: ModuleType) -> Iterator[str]:
    """Yield a sentence in Markdown on each guarantee, also on those for whose proof the time does not suffice."""
    start = thread_time()
    for claim in claims:
        if claim.reason:
            yield f"– {claim.subject}: cannot be verified here. {claim.reason}"
        elif thread_time() - start > MAX_SECONDS:
            yield f"– {claim.subject}: not verified within the time limit of a page."
        else:
            yield proof(claim, verify)


def proof(claim: Claim, verify: ModuleType) -> str:
    """Return the sentence in Markdown on the proof of one guarantee."""
    try:
        enclosure = getattr(verify, claim.function)(**claim.arguments)
    except ValueError as error:
        return (
            f"– {claim.subject}: cannot be verified here, as"
            f" {number_format.escape_markdown(number_format.refusal_text(error))}."
        )
    sentence = verify.sentence(claim.subject, enclosure, claim.upper_bound)
    if verify.proved(enclosure, claim.upper_bound):
        return f"✓ {sentence}"
    ending = ", as the page says." if claim.is_violated else "."
    return f"{'✗' if enclosure.low > claim.upper_bound else '–'} {sentence.removesuffix('.')}{ending}"
