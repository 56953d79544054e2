"""A report on a table of the user's own names the counts that its reader changed, in every file."""

from dataclasses import replace
from io import BytesIO

import docx

from pages.framework.export.exhibit import ItemData, read_item
from pages.framework.export.report_items import rebuild_from
from pages.framework.parameters.number_format import without_markdown
from pages.framework.rendering.uploaded_files import UploadedFiles
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from pages.report import document, results, word
from pages.shared.counts.upload import CHOICES, read_upload

CONFIRMED = "contribution=once&fixed=yes&curator=office&others=none"


def test_empty_counts_and_left_out_totals_stand_with_the_answer_of_each_item():
    data = b"district,visits\nJosefstadt,\nHernals,-\nWieden,12\nTotal,12\n"
    read = read_upload(DataFiles({"text": ("", data)}, CHOICES | {"repairs": ("empty",)}), Progress(lambda _: None))
    own = ItemData(UploadedFiles("a", (read.content,)))
    texts = (f"Tables/{name}@{'0' * 16}?section=table&table=own&{CONFIRMED}" for name in ("answer", "cells"))
    items = tuple(map(read_item, texts))
    rebuilt = {item: rebuild_from(item, own) for item in items}
    for item in items:
        assert "are read as 0: Josefstadt, Hernals" in without_markdown(rebuilt[item].answer[-1])
        one = results.ReportResult("", "", (item,), results.RebuiltItems({item: rebuilt[item]}))
        for content in (one, replace(one, appendix="without")):
            page = document.document(content, "http://127.0.0.1", "2026-11-29")
            shown = page[page.index("<main>") :].partition('class="appendix"')[0]
            assert "2 empty counts or dashes are read as 0: Josefstadt, Hernals." in shown
            assert "The cell “Total” is the sum of the others and is left out." in shown
            assert "(confirmed)" not in shown
    answer = results.ReportResult("", "", items[:1], results.RebuiltItems({items[0]: rebuilt[items[0]]}))
    opened = docx.Document(BytesIO(word.docx_file(answer, "http://127.0.0.1", "2026-11-29", {})))
    words = " ".join(paragraph.text for paragraph in opened.paragraphs)
    assert "2 empty counts or dashes are read as 0: Josefstadt, Hernals." in words
