"""What the tests of computations in the background do on the page of papers."""

from streamlit.testing.v1 import AppTest


def labels(app: AppTest) -> list[str]:
    """Return the labels of the buttons."""
    return [button.label for button in app.button]


def press(app: AppTest, key: str) -> AppTest:
    """Return the page after a click on a button."""
    app.button(key=key).click().run()
    assert not app.exception
    return app


def finish_task(app: AppTest, key: str) -> AppTest:
    """Return the page after the computation with this key, if there is one, has ended."""
    task = app.session_state["dp_session"].uploads.get(key)
    if task is not None:  # the page may have taken it already
        task.thread.join(30)
        assert task.is_finished
    return app.run().run()
