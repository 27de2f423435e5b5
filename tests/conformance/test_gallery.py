# SPDX-License-Identifier: MIT
"""The galleries of the documentation, run headlessly: every cell shows what its metadata promise."""
import sys

import nbclient
import nbformat
import pytest

from support.build import ROOT, SOON, scaled

GALLERY = ROOT / "docs/gallery"


@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.ipynb")), ids=lambda path: path.stem)
def test_gallery_shows_what_it_promises(path, monkeypatch, tmp_path):
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "outputs are not kept in the tree"

    nbclient.NotebookClient(book, timeout=int(scaled(3 * SOON)),
                            resources={"metadata": {"path": str(tmp_path)}}).execute()

    for cell in book.cells:
        if cell.cell_type == "code":
            assert set(cell.metadata.get("expects", ())) <= shown(cell), cell.source


def shown(cell):
    """The MIME types of all outputs, and `stream`."""
    kinds = {output.output_type for output in cell.outputs}
    assert "error" not in kinds, cell.source
    return kinds | {mime for output in cell.outputs for mime in output.get("data", ())}
