"""A process with workers, for the tests that kill it: it prints the processes that it has, and waits.

python -m tests.pages.framework.worker_server "at the start" | idle | busy
"""

import os
import sys
import time
from functools import partial

from pages.framework.rendering.workers.jobs import EXPERIMENT_LIMITS
from pages.framework.rendering.workers.pool import Workers
from tests.benchmarks.servers import descendants
from tests.pages.framework.worker_tasks import process, spin


def main(when: str) -> None:
    """Print the processes that are there at some moment."""
    workers = Workers(1)
    is_ready = workers.ready
    while when != "at the start" and not is_ready:
        time.sleep(0.05)
        is_ready = workers.ready
    if when == "idle":
        workers.start(process, "test", lambda made: None).outcome.result()
    elif when == "busy":
        job = workers.start_experiment(partial(spin, 600), EXPERIMENT_LIMITS, lambda *_: None)
        while job.worker is None:
            time.sleep(0.01)
    print(*descendants(os.getpid()), flush=True)
    time.sleep(600)


if __name__ == "__main__":
    main(sys.argv[1])
