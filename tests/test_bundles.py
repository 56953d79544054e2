"""The bundles of the browser code are those of its modules. tests/js/bundle.js makes them; this test needs no npm."""

from hashlib import sha256
from pathlib import Path

import pytest

FRAMEWORK = Path(__file__).parents[1] / "pages/framework"
BUNDLES = sorted(FRAMEWORK.rglob("*.bundle.js"))


def test_the_browser_gets_one_bundle_for_pages_one_for_phones_and_one_for_exports():
    assert [path.name for path in BUNDLES] == ["page.bundle.js", "phone.bundle.js", "export.bundle.js"]


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.name)
def test_a_bundle_is_made_of_the_modules_as_they_are(bundle: Path):
    digest = sha256()
    modules = {path.relative_to(FRAMEWORK).as_posix(): path for path in set(FRAMEWORK.rglob("*.js")) - set(BUNDLES)}
    for name in sorted(modules):
        digest.update(f"{name}\n".encode() + modules[name].read_bytes())
    assert f"\n// Sources: {digest.hexdigest()}\n" in bundle.read_text(encoding="utf-8"), (
        "A module has changed since the bundles were made: run `npm --prefix tests/js ci`, once, and then "
        "`npm --prefix tests/js run bundle`."
    )
