"""What to do with an answer, in three steps: before the noise, the noise, and after it."""


def steps_text(before: str, noise: str, after: str) -> str:
    """Return the three steps as a list in Markdown, each a sentence.

    >>> print(steps_text("Count each person once.", "Add geometric noise.", "Publish the count with ±3."))
    **What to do, if the conditions hold**
    <BLANKLINE>
    1. Count each person once.
    2. Add geometric noise.
    3. Publish the count with ±3.
    """
    return f"**What to do, if the conditions hold**\n\n1. {before}\n2. {noise}\n3. {after}"
