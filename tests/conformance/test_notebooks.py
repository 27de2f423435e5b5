# SPDX-License-Identifier: MIT
"""The programs that run notebooks and cells for people, against the registered kernel."""
import json
import pathlib
import subprocess
import sys

import nbclient
import nbformat
import pexpect
import pytest

from support.build import SOON, scaled

SCRIPTS = pathlib.Path(sys.executable).parent


def notebook(*cells):
    book = nbformat.v4.new_notebook()
    book.metadata["kernelspec"] = {"name": "pandia-python", "display_name": "Pandia Python",
                                   "language": "python"}
    book.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    return book


SMALL = ("x = 20\nprint('small')", "x * 2 + 2", "import sys; print('warn', file=sys.stderr)",
         "import asyncio\nawait asyncio.sleep(0.01, 'awaited')", "for i in range(3): print(i)")


def check_small(cells):
    assert [cell["execution_count"] for cell in cells] == [1, 2, 3, 4, 5]
    assert cells[0]["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "small\n"}]
    assert cells[1]["outputs"][0]["data"]["text/plain"] == "42"
    assert cells[2]["outputs"] == [{"output_type": "stream", "name": "stderr", "text": "warn\n"}]
    assert cells[3]["outputs"][0]["data"]["text/plain"] == "'awaited'"
    assert cells[4]["outputs"][0]["text"] == "0\n1\n2\n"


def execute(book, tmp_path, **options):
    client = nbclient.NotebookClient(book, timeout=int(scaled(SOON)), kernel_name="pandia-python",
                                     resources={"metadata": {"path": str(tmp_path)}}, **options)
    client.execute()
    return book


def test_nbclient_runs_a_small_notebook(tmp_path):
    check_small(execute(notebook(*SMALL), tmp_path).cells)


def test_nbclient_reports_the_failing_cell(tmp_path):
    book = notebook("x = 1", "1 / 0", "x")

    with pytest.raises(nbclient.exceptions.CellExecutionError, match="ZeroDivisionError"):
        execute(book, tmp_path)

    assert [cell["execution_count"] for cell in book.cells] == [1, 2, None]
    assert book.cells[1]["outputs"][0]["ename"] == "ZeroDivisionError"


def test_nbclient_goes_on_after_errors_when_told(tmp_path):
    book = execute(notebook("1 / 0", "'after'"), tmp_path, allow_errors=True)

    assert book.cells[0]["outputs"][0]["output_type"] == "error"
    assert book.cells[1]["outputs"][0]["data"]["text/plain"] == "'after'"


def test_nbclient_interrupts_a_cell_that_takes_too_long(tmp_path):
    book = notebook("while True: pass", "'after'")
    client = nbclient.NotebookClient(book, timeout=1, interrupt_on_timeout=True, allow_errors=True,
                                     kernel_name="pandia-python",
                                     resources={"metadata": {"path": str(tmp_path)}})
    client.execute()

    assert book.cells[0]["outputs"][0]["ename"] == "KeyboardInterrupt"
    assert book.cells[1]["outputs"][0]["data"]["text/plain"] == "'after'"


def test_jupyter_execute_runs_a_notebook_in_place(tmp_path, registered):
    path = tmp_path / "small.ipynb"
    nbformat.write(notebook(*SMALL), path)

    subprocess.run([SCRIPTS / "jupyter", "execute", "--inplace", path], check=True,
                   timeout=scaled(60),
                   env={**registered, "PATH": f"{SCRIPTS}:{registered['PATH']}"},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)

    check_small(json.loads(path.read_text("utf-8"), object_hook=joined)["cells"])


def joined(thing):
    """A notebook on disk holds text as lists of lines."""
    return {name: "".join(value) if isinstance(value, list) and value
            and all(isinstance(line, str) for line in value) else value
            for name, value in thing.items()}


def test_jupyter_execute_fails_with_the_notebook(tmp_path, registered):
    path = tmp_path / "broken.ipynb"
    nbformat.write(notebook("1 / 0"), path)

    done = subprocess.run([SCRIPTS / "jupyter", "execute", path], timeout=scaled(60), text=True,
                          env={**registered, "PATH": f"{SCRIPTS}:{registered['PATH']}"},
                          capture_output=True, cwd=tmp_path)

    assert done.returncode != 0
    assert "ZeroDivisionError" in done.stdout + done.stderr


def test_jupyter_console_runs_cells(tmp_path, registered):
    console = pexpect.spawn(
        str(SCRIPTS / "jupyter"), ["console", "--simple-prompt", "--kernel", "pandia-python"],
        env={**registered, "PATH": f"{SCRIPTS}:{registered['PATH']}", "TERM": "dumb"},
        cwd=str(tmp_path), encoding="utf-8", timeout=scaled(60))
    console.expect(r"In \[1\]: ")
    console.sendline("1+1")
    console.expect(r"Out\[1\]: 2\r\n")
    console.expect(r"In \[2\]: ")
    console.sendline("print('printed')")
    console.expect(r"\nprinted\r\n")
    console.expect(r"In \[3\]: ")
    console.sendline("1/0")
    console.expect("ZeroDivisionError")
    console.expect(r"In \[4\]: ")
    console.sendeof()
    console.expect("really want to exit")
    console.sendline("y")
    console.expect(pexpect.EOF)
    console.close()

    assert console.exitstatus == 0


@pytest.mark.parametrize("code", ["exit", "quit()"])
def test_jupyter_console_leaves_when_a_cell_asks(tmp_path, registered, code):
    console = pexpect.spawn(
        str(SCRIPTS / "jupyter"), ["console", "--simple-prompt", "--kernel", "pandia-python"],
        env={**registered, "PATH": f"{SCRIPTS}:{registered['PATH']}", "TERM": "dumb"},
        cwd=str(tmp_path), encoding="utf-8", timeout=scaled(60))
    console.expect(r"In \[1\]: ")
    console.sendline(code)
    console.expect(pexpect.EOF)
    console.close()

    assert console.exitstatus == 0


def test_jupyter_kernelspec_lists_the_kernel(registered):
    done = subprocess.run([SCRIPTS / "jupyter", "kernelspec", "list", "--json"], check=True,
                          timeout=scaled(60), text=True, stdout=subprocess.PIPE,
                          env={**registered, "PATH": f"{SCRIPTS}:{registered['PATH']}"})

    spec = json.loads(done.stdout)["kernelspecs"]["pandia-python"]["spec"]
    assert spec["language"] == "python"
    assert spec["interrupt_mode"] == "message"
