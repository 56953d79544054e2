from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]


def opened(page: str | None = None, **link: str | list[str]) -> AppTest:
    """Open the app by a link, on its start page or on another one."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    if page is not None:
        app.switch_page(str(ROOT / page))
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def text_of(app: AppTest) -> str:
    """All the words of the page."""
    return "\n".join(str(element.value) for element in (*app.title, *app.header, *app.markdown, *app.text))
