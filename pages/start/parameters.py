"""What only the start page asks: which of its sections is open."""

from pages.framework.parameters.kinds import Choice

SECTION = Choice(
    "section",
    "section",
    {"pages": "Questions", "class": "Classroom", "presets": "Presets", "glossary": "Glossary"},
    "pages",
)
PARAMETERS = (SECTION,)
