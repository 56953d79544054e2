"""The parameters of a training with DP-SGD, and the corrections of those that do not fit each other."""

from dpcore.checks import RECORDS_RANGE
from dpcore.composition import EPOCHS_RANGE, NOISE_RANGE, steps_of_epochs
from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_down, format_nearest
from pages.framework.parameters.parameter import Correction, Values
from pages.shared.glossary_links import more_text
from pages.shared.releases import MAX_COUNT

RECORDS = Quantity(
    "records",
    "N",
    "Records in the training data, N",
    RECORDS_RANGE,
    "60000",
    help="Public and fixed beforehand: the sampling rate is batch ÷ N and stays the same when a record is added or "
    "removed.",
    whole=True,
    ends="← fewer · N · more →",
    scale=steps(2, 9, ("1", "2", "5")),
    caption="N · training records",
)
BATCH = Quantity(
    "batch",
    "batch",
    "Expected batch size",
    "[1, 1e12]",
    "256",
    help="The mean number of records of a step. Under Poisson sampling each record takes part with probability "
    "batch ÷ N; the size of a batch then varies." + more_text("sampling_rate", "sampling rate"),
    ends="← smaller · batch · larger →",
    scale=("1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384", "32768"),
    caption="batch size",
)
EPOCHS = Quantity(
    "epochs",
    "epochs",
    "Epochs: passes over the data",
    EPOCHS_RANGE,
    "60",
    help="Steps = epochs · N ÷ batch, rounded up to a whole number.",
    ends="← fewer · epochs · more →",
    scale=steps(0, 4, ("1", "2", "3", "5")),
    caption="epochs",
)
NOISE = Quantity(
    "noise_multiplier",
    "noise multiplier",
    "Noise multiplier σ ÷ clipping norm",
    NOISE_RANGE,
    "1.1",
    help="Standard deviation of the noise on the sum of the clipped gradients, over the clipping norm."
    + more_text("noise_multiplier", "noise multiplier"),
    ends="← more accurate · noise · more private →",
    scale=(
        *steps(-1, 0, ("2", "3", "4", "5", "6", "7", "8", "9"))[:-1],
        *("1", "1.1", "1.2", "1.3", "1.5", "1.7", "2", "2.5", "3", "4", "5", "7", "10", "15", "20", "30", "50", "100"),
    ),
    caption="noise multiplier",
)
SOLVE = Choice(
    "solve",
    "what is asked",
    {"epsilon": "Privacy loss ε", "noise": "Noise", "steps": "Epochs", "rate": "Batch size"},
    "epsilon",
)
TRAINING_VIEW = Choice(
    "training_view",
    "what is drawn",
    {"steps": "Epochs", "batch": "Batches", "map": "Map"},
    "steps",
)


def training_corrections(values: Values) -> list[Correction]:
    """Return corrections of a batch of more than all records, and of more steps than can be computed."""
    records, batch, corrections = values[RECORDS.key], values[BATCH.key], []
    if batch > records:
        most = format_nearest(records, 13)
        sentence = f"{BATCH.symbol} ({BATCH.key}) must be at most N, {most}; {format_nearest(batch, 7)} was given."
        corrections.append(Correction(BATCH.key, exact_text(records), f"{sentence} {most} is used instead."))
        batch = records
    if steps_of_epochs(values[EPOCHS.key], records, batch) > MAX_COUNT:
        most = exact_text(float(format_down(MAX_COUNT * batch / records, 3).replace(",", "")))
        sentence = f"{EPOCHS.symbol} ({EPOCHS.key}) must be at most {most} for at most {MAX_COUNT:,} steps"
        entry = f"{format_nearest(values[EPOCHS.key], 7)} were given"
        corrections.append(Correction(EPOCHS.key, most, f"{sentence}; {entry}. {most} are used instead."))
    return corrections
