# SPDX-License-Identifier: MIT
"""matplotlib's figures: shown by show(), at the end of a cell and as results, in the sizes and forms
that ipykernel gives them; then closed. Pillow's images, by the same encoder."""
import base64
import json
import struct
import sys

import pytest

from support import png

TEXT = "<Figure size 640x480 with 1 Axes>"
FORMATS = "from matplotlib_inline.backend_inline import set_matplotlib_formats\n"


@pytest.fixture
def bare(start_kernel):
    """A client in an environment with matplotlib, which is not imported."""
    return start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()


@pytest.fixture
def client(bare):
    bare.run("import matplotlib, matplotlib.pyplot as plt, numpy as np").ok()
    return bare


def shown(run):
    """Bundles of everything that was displayed."""
    return [content["data"] for content in run.contents("display_data")]


def picture(bundle):
    """(width, height, channels, pixels) of a bundle's PNG."""
    return png.decode(base64.b64decode(bundle["image/png"], validate=True))


def size(bundle):
    """(width, height) of a bundle's PNG, by its header."""
    (kind, header), *_ = png.chunks(base64.b64decode(bundle["image/png"], validate=True))
    assert kind == b"IHDR"
    return struct.unpack(">II", header[:8])


def sizes(run):
    return [size(bundle) for bundle in shown(run)]


def pixel(image, x, y):
    width, _, channels, pixels = image
    at = (y * width + x) * channels
    return tuple(pixels[at:at + channels])


# When figures are shown


def test_show_shows_the_figure_once(client):
    run = client.run("plt.plot([1, 3, 2])\nplt.show()").ok()

    assert run.types == ["execute_input", "display_data"]
    assert run.contents("display_data")[0]["metadata"] == {}
    bundle, = shown(run)
    assert set(bundle) == {"text/plain", "image/png"}
    assert bundle["text/plain"] == TEXT


def test_show_comes_where_it_is_called(client):
    run = client.run("print('before')\nplt.plot([1])\nplt.show()\nprint('after')").ok()

    assert run.types == ["execute_input", "stream", "display_data", "stream"]


def test_open_figure_is_shown_and_closed_at_the_end(client):
    run = client.run("plt.plot([1, 3, 2]);").ok()

    assert [bundle["text/plain"] for bundle in shown(run)] == [TEXT]
    assert client.run("plt.get_fignums()").ok().result == "[]"
    assert shown(client.run("1")) == []


def test_several_figures_are_shown_in_order(client):
    run = client.run("for n in (1, 2, 3):\n    plt.figure(figsize=(n, 1)); plt.plot([n])").ok()

    assert [bundle["text/plain"] for bundle in shown(run)] == [
        f"<Figure size {n}00x100 with 1 Axes>" for n in (1, 2, 3)]


def test_subplots_are_one_figure(client):
    run = client.run("fig, axes = plt.subplots(2, 3)\nfig.suptitle('all')").ok()

    assert [b["text/plain"] for b in shown(run)] == ["<Figure size 640x480 with 6 Axes>"]


def test_closed_figure_is_not_shown(client):
    assert shown(client.run("plt.plot([1])\nplt.close()").ok()) == []


def test_figure_of_the_cell_as_result_is_shown_twice_as_everywhere(client):
    run = client.run("fig, ax = plt.subplots()\nfig").ok()

    assert run.types == ["execute_input", "execute_result", "display_data"]
    assert set(run.contents("execute_result")[0]["data"]) == {"text/plain", "image/png"}


def test_old_figure_as_result_is_shown_once_with_what_was_added(client):
    client.run("fig, ax = plt.subplots()").ok()

    run = client.run("ax.set_title('later')\nfig").ok()

    assert run.types == ["execute_input", "execute_result"]
    assert size(run.contents("execute_result")[0]["data"]) == (558, 434)


def test_empty_figure_has_no_picture(client):
    run = client.run("plt.figure();").ok()

    assert shown(run) == [{"text/plain": "<Figure size 640x480 with 0 Axes>"}]


def test_plot_of_a_table(client):
    run = client.run("import pandas as pd\npd.DataFrame({'a': [1, 3, 2]}).plot()").ok()

    assert run.result == "<Axes: >"
    assert sizes(run) == [(556, 413)]


def test_figure_is_shown_and_closed_after_an_error(client):
    run = client.run("plt.plot([1])\n1 / 0")

    assert run.error["ename"] == "ZeroDivisionError"
    assert len(shown(run)) == 1
    assert client.run("plt.get_fignums()").ok().result == "[]"


def test_error_while_drawing_is_told_and_the_figure_closed(client):
    run = client.run("class Broken(plt.Line2D):\n"
                     "    def draw(self, renderer): raise RuntimeError('cannot draw')\n"
                     "plt.gca().add_line(Broken([0, 1], [0, 1]));").ok()

    assert "RuntimeError: cannot draw" in run.stderr
    assert shown(run) == [{"text/plain": TEXT}]
    assert client.run("plt.get_fignums()").ok().result == "[]"


def test_interrupt_while_drawing_ends_the_cell(client):
    request = client.execute("import time\n"
                             "class Slow(plt.Line2D):\n"
                             "    def draw(self, renderer): print('drawing'); time.sleep(60)\n"
                             "plt.gca().add_line(Slow([0, 1], [0, 1]));")
    client.wait_output(request, "drawing")
    client.interrupt()

    assert client.finish(request).error["ename"] == "KeyboardInterrupt"
    assert client.run("plt.get_fignums()").ok().result == "[]"


def test_silent_cell_closes_its_figures_too(client):
    client.finish(client.execute("plt.plot([1]);", silent=True))

    assert client.run("plt.get_fignums()").ok().result == "[]"


def test_figure_of_a_forked_copy_is_not_shown(client):
    run = client.run("import os\npid = os.fork()\nplt.plot([1])\nif pid: os.waitpid(pid, 0)").ok()

    assert len(shown(run)) == 1


def test_interactive_mode_off_leaves_showing_to_the_user(client):
    client.run("plt.figure(); plt.close(); plt.ioff();").ok()

    assert shown(client.run("plt.plot([1]);").ok()) == []
    assert len(shown(client.run("plt.show()").ok())) == 1


def test_later_cell_saves_its_own_figure(client, tmp_path):
    client.run("plt.plot([1, 2, 3]);").ok()

    run = client.run(f"plt.savefig({str(tmp_path / 'a.png')!r}); len(plt.gcf().axes)").ok()

    assert run.result == "0"
    assert png.decode((tmp_path / "a.png").read_bytes())[:2] == (640, 480)


# How they look

# Sizes in pixels are those of ipykernel 7.4 with matplotlib 3.11; 1 more or less is allowed.
LOOKS = {
    "line": ("plt.plot([1, 3, 2])", (556, 413)),
    "labels": ("plt.plot([1, 3, 2]); plt.xlabel('x'); plt.ylabel('y'); plt.title('T')", (576, 453)),
    "tight layout": ("plt.subplots(layout='tight')[1].set_ylabel('long')", (630, 470)),
    "constrained layout": ("plt.subplots(2, 2, layout='constrained')[0].suptitle('s')", (651, 491)),
    "legend outside": ("plt.plot([1, 2], label='abc')\n"
                       "plt.legend(bbox_to_anchor=(1.05, 1), loc='upper left')", (655, 413)),
    "text far outside": ("plt.plot([1, 2]); plt.text(1.5, 1, 'far far away')", (835, 413)),
    "image and colours": ("plt.imshow(np.arange(100).reshape(10, 10)); plt.colorbar()", (479, 413)),
    "polar": ("plt.subplot(projection='polar').plot([1, 2, 3])", (453, 442)),
    "3d": ("plt.figure().add_subplot(projection='3d').plot([1, 2], [1, 2], [1, 2])", (410, 398)),
    "no axes": ("plt.plot([1, 2]); plt.axis('off')", (516, 389)),
    "frame": ("plt.figure(linewidth=5, edgecolor='red'); plt.plot([1])", (556, 413)),
    "all of the canvas": ("plt.figure().add_axes([0, 0, 1, 1]).plot([1, 2])", (691, 523)),
}


SAVED = """
file = io.BytesIO()
plt.gcf().canvas.print_figure(file, format="png", bbox_inches="tight",
                              edgecolor=plt.gcf().get_edgecolor())
image = np.asarray(Image.open(file).convert("RGBA"), float)
print([round(mean, 1) for mean in image.mean((0, 1)).tolist()])"""


def test_pictures_are_as_large_as_those_of_ipykernel_and_show_what_savefig_writes(client):
    client.run("import io; from PIL import Image").ok()
    for what, (code, expected) in LOOKS.items():
        run = client.run(code + SAVED).ok()

        width, height, channels, pixels = picture(shown(run)[0])
        assert abs(width - expected[0]) <= 1 and abs(height - expected[1]) <= 1, what
        means = [sum(pixels[i::4]) / (width * height) for i in range(channels)]
        assert means == pytest.approx(json.loads(run.stdout), abs=1), what


def test_colours_of_the_figure_are_kept_beyond_its_canvas(client):
    run = client.run("plt.subplots(layout='constrained', facecolor='#204060');").ok()

    image = picture(shown(run)[0])
    corners = [(x, y) for x in (0, image[0] - 1) for y in (0, image[1] - 1)]
    assert {pixel(image, x, y) for x, y in corners} == {(0x20, 0x40, 0x60, 255)}


@pytest.mark.parametrize("style, background", [("default", "light"), ("dark_background", "dark")])
def test_transparent_figure_says_what_page_it_is_for(client, style, background):
    run = client.run(f"plt.style.use({style!r})\n"
                     "plt.figure(facecolor='none'); plt.plot([1])\nplt.show()").ok()

    assert run.contents("display_data")[0]["metadata"] == {"needs_background": background}
    assert pixel(picture(shown(run)[0]), 0, 0)[3] == 0


def test_resolution_of_the_figure_is_kept(client):
    run = client.run("fig = plt.figure(dpi=50); plt.plot([1, 3, 2]); plt.show()\nfig.dpi").ok()

    assert run.result == "50"
    assert sizes(run) == [(276, 206)]


def test_padding_is_as_configured(client):
    client.run("plt.rcParams['savefig.pad_inches'] = 0").ok()

    assert sizes(client.run("plt.plot([1, 3, 2]);").ok()) == [(536, 393)]


# Which forms


def test_retina_says_the_size_it_is_meant_to_have(client):
    run = client.run(FORMATS + "set_matplotlib_formats('retina')\nplt.plot([1])\nplt.show()").ok()

    content, = run.contents("display_data")
    assert content["metadata"] == {"image/png": {"width": 557, "height": 413}}
    assert sizes(run) == [(1114, 826)]


def test_several_forms_at_once(client):
    client.run(FORMATS + "set_matplotlib_formats('svg', 'jpeg', 'pdf', 'png')").ok()

    bundle, = shown(client.run("plt.plot([1]);").ok())

    assert set(bundle) == {"text/plain", "image/png", "image/jpeg", "image/svg+xml",
                           "application/pdf"}
    assert "<svg" in bundle["image/svg+xml"]
    assert base64.b64decode(bundle["image/jpeg"]).startswith(b"\xff\xd8\xff")
    assert base64.b64decode(bundle["application/pdf"]).startswith(b"%PDF")


def test_unknown_form_is_an_error(client):
    run = client.run(FORMATS + "set_matplotlib_formats('gif')")

    assert run.error["ename"] == "ValueError"
    assert len(sizes(client.run("plt.plot([1]);").ok())) == 1


OPTIONS = {"bbox_inches=None": (640, 480), "dpi=50": (276, 206), "pad_inches=0": (536, 393),
           "facecolor='red'": (556, 413), "pil_kwargs={'optimize': True}": (556, 413)}


def test_options_of_printing_count(client):
    client.run(FORMATS).ok()
    for options, expected in OPTIONS.items():
        run = client.run(f"set_matplotlib_formats('png', {options})\nplt.plot([1, 3, 2]);").ok()

        assert sizes(run) == [expected], options


def test_figures_stay_open_on_request(client):
    run = client.run("from matplotlib_inline.backend_inline import set_matplotlib_close\n"
                     "set_matplotlib_close(False)\nplt.plot([1]);").ok()
    assert len(shown(run)) == 1

    run = client.run("plt.plot([2]); len(plt.gca().lines)").ok()

    assert (run.result, shown(run)) == ("2", [])


def test_settings_of_the_package_count(client):
    run = client.run("from matplotlib_inline.config import InlineBackend\n"
                     "InlineBackend.instance().figure_formats = {'svg'}\nplt.plot([1]);").ok()

    assert set(shown(run)[0]) == {"text/plain", "image/svg+xml"}


def test_animation_is_html(client):
    run = client.run("from matplotlib.animation import FuncAnimation\n"
                     "plt.rcParams['animation.html'] = 'jshtml'\n"
                     "fig, ax = plt.subplots(); line, = ax.plot([0, 1])\n"
                     "anim = FuncAnimation(fig, lambda i: line.set_ydata([i, 1]), frames=2)\n"
                     "plt.close(fig)\nanim").ok()

    assert "data:image/png;base64" in run.contents("execute_result")[0]["data"]["text/html"]


# Whose backend


def test_backend_has_the_name_notebooks_know(bare):
    run = bare.run("import matplotlib, os, sys\n"
                   "print(matplotlib.get_backend(), os.environ.get('MPLBACKEND'))\n"
                   "import matplotlib.pyplot as plt\nplt.plot([1]); plt.show()\n"
                   "print(plt.isinteractive(), 'IPython' in sys.modules)").ok()

    assert run.stdout == "module://matplotlib_inline.backend_inline None\nTrue False\n"


def test_chosen_backend_shows_nothing_and_closes_nothing(client):
    run = client.run("matplotlib.use('agg')\nplt.plot([1])\nplt.show()").ok()

    assert shown(run) == []
    assert client.run("plt.get_fignums(), matplotlib.get_backend()").ok().result == "([1], 'agg')"


def test_backend_is_the_one_of_the_variable(start_kernel):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix, "MPLBACKEND": "svg"}).client()

    run = client.run("import matplotlib.pyplot as plt\nplt.plot([1])\nplt.get_backend()").ok()

    assert (run.result, shown(run)) == ("'svg'", [])


def test_backend_is_the_one_of_the_users_file(start_kernel, tmp_path):
    (tmp_path / "matplotlibrc").write_text("backend: pdf\n")
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix, "MATPLOTLIBRC": str(tmp_path)}).client()

    assert client.run("import matplotlib\nmatplotlib.get_backend()").ok().result == "'pdf'"


def test_backend_of_a_module_of_the_user(client, tmp_path):
    (tmp_path / "my_backend.py").write_text(
        "from matplotlib.backends.backend_agg import *\n"
        "def show(*args, **kwargs): print('mine')\n")

    run = client.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
                     "matplotlib.use('module://my_backend')\nplt.plot([1])\nplt.show()").ok()

    assert (run.stdout, shown(run)) == ("mine\n", [])


def test_backend_by_its_short_name(client):
    run = client.run("matplotlib.use('agg'); matplotlib.use('inline')\nplt.plot([1]);").ok()

    assert len(shown(run)) == 1


def test_backend_needs_no_package(client):
    run = client.run("""
import importlib.machinery, sys
find = importlib.machinery.PathFinder.find_spec
def find_others(name, *args):
    return None if name.startswith("matplotlib_inline") else find(name, *args)
importlib.machinery.PathFinder.find_spec = find_others
plt.plot([1]); plt.show()
try:
    import matplotlib_inline.config
except ImportError as error:
    print(error)""").ok()

    assert len(shown(run)) == 1
    assert run.stdout == "No module named 'matplotlib_inline.config'\n"


def test_backend_has_what_the_package_has(bare):
    run = bare.run("import matplotlib_inline, os, sys\n"
                   "matplotlib_inline.backend_inline.set_matplotlib_formats('svg')\n"
                   "print('matplotlib_inline.config' in sys.modules)\n"
                   "from matplotlib_inline.backend_inline import InlineBackend, _fetch_figure_metadata\n"
                   "import matplotlib.pyplot as plt\n"
                   "print(_fetch_figure_metadata(plt.figure()), InlineBackend.instance().close_figures)\n"
                   "plt.close()\n"
                   "f, ax = plt.subplots(facecolor='none'); print(_fetch_figure_metadata(f)); plt.close()\n"
                   "print([os.path.exists(each.__file__) for each in (matplotlib_inline, "
                   "matplotlib_inline.backend_inline)], matplotlib_inline.version_info > (0,))").ok()

    assert run.stdout == "False\nNone True\n{'needs_background': 'light'}\n[True, True] True\n"


@pytest.mark.parametrize("name", ["backend_inline.nothing", "nothing"])
def test_backend_has_nothing_else(bare, name):
    error = bare.run(f"import matplotlib_inline\nmatplotlib_inline.{name}").error

    assert (error["ename"], error["evalue"].endswith("has no attribute 'nothing'")) == (
        "AttributeError", True)


def test_loaded_ahead_matplotlib_has_the_backend(start_kernel):
    kernel = start_kernel(args=["--python", sys.executable, "--preload", "matplotlib.pyplot"])

    run = kernel.client().run("import matplotlib.pyplot as plt\nplt.plot([1, 3, 2]);").ok()

    assert sizes(run) == [(556, 413)]


# When modules come anew, or are others


ANEW = """
for name in [each for each in sys.modules if each.partition('.')[0] == 'matplotlib']:
    del sys.modules[name]
"""


@pytest.mark.parametrize("again", [ANEW, "import importlib; importlib.reload(matplotlib)",
                                   ANEW + "import matplotlib, importlib; importlib.reload(matplotlib)"])
@pytest.mark.parametrize("first", ["import matplotlib", "import matplotlib.pyplot as plt; plt.plot([1]);"])
def test_matplotlib_that_is_imported_again_shows_figures(bare, first, again):
    bare.run(f"import sys\nimport matplotlib\n{first}").ok()
    bare.run(again).ok()

    run = bare.run("import matplotlib.pyplot as plt\nplt.plot([1]);").ok()

    assert sizes(run) == [(556, 413)]
    assert bare.run("plt.isinteractive(), plt.rcParams['backend']").ok().result == (
        "(True, 'module://matplotlib_inline.backend_inline')")


@pytest.mark.parametrize("name", ["matplotlib", "pdb", "PIL.Image", "comm"])
def test_module_of_the_user_by_the_name_of_a_library_is_imported(client, tmp_path, name):
    package, _, part = name.partition(".")
    file = tmp_path / package / f"{part}.py" if part else tmp_path / f"{name}.py"
    file.parent.mkdir(exist_ok=True)
    (file.parent / "__init__.py").touch()
    file.write_text("x = 'mine'")

    run = client.run("import importlib, sys\n"
                     f"sys.path.insert(0, {str(tmp_path)!r})\n"
                     f"for each in [each for each in sys.modules if each.startswith({package!r})]:\n"
                     "    del sys.modules[each]\n"
                     f"importlib.import_module({name!r}).x").ok()

    assert run.result == "'mine'"


def test_library_is_changed_when_it_comes_after_a_module_of_its_name(bare, tmp_path):
    (tmp_path / "matplotlib.py").write_text("x = 1")
    bare.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import matplotlib").ok()

    run = bare.run("del sys.path[0], sys.modules['matplotlib']\n"
                   "import matplotlib.pyplot as plt\nplt.plot([1]);").ok()

    assert len(shown(run)) == 1


def test_interrupted_import_is_made_up_for_by_the_next(bare):
    run = bare.run("import sys\n"
                   "def interrupt(frame, event, arg):\n"
                   "    if frame.f_code.co_name == 'connect': raise KeyboardInterrupt\n"
                   "sys.settrace(interrupt)\n"
                   "try: import comm\n"
                   "except KeyboardInterrupt: print('interrupted')\n"
                   "finally: sys.settrace(None)\n"
                   "import comm\ncomm.create_comm.__qualname__").ok()

    assert (run.stdout, run.result) == ("interrupted\n", "'connect.<locals>.create_comm'")


def test_loader_of_a_module_can_be_copied(bare):
    run = bare.run("import copy, importlib.util\n"
                   "loader = importlib.util.find_spec('matplotlib').loader\n"
                   "copy.copy(loader).path == copy.deepcopy(loader).path == loader.path").ok()

    assert run.result == "True"


# Images


MODES = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "P": 3, "1": 1}


def test_images_are_encoded_in_their_modes(bare):
    bare.run("from PIL import Image\nred = Image.new('RGBA', (9, 5), (255, 0, 0, 255))").ok()
    for mode, channels in MODES.items():
        run = bare.run(f"red.convert('RGB').convert({mode!r})").ok()

        image = picture(run.contents("execute_result")[0]["data"])
        assert image[:3] == (9, 5, channels), mode
        assert channels < 3 or pixel(image, 8, 4)[:3] == (255, 0, 0), mode


@pytest.mark.parametrize("image", [
    "Image.new('RGBA', (9, 5), (255, 0, 0, 99)).quantize(4)", "Image.new('P', (9, 5))",
    "Image.new('L', (9, 5))"], ids=["palette", "index", "grey"])
def test_transparency_of_images_is_kept(bare, image):
    import io

    from PIL import Image
    run = bare.run(f"from PIL import Image\nimage = {image}\n"
                   "if image.palette is None or image.palette.mode == 'RGB': image.info['transparency'] = 0\n"
                   "image").ok()

    png = base64.b64decode(run.contents("execute_result")[0]["data"]["image/png"])
    assert Image.open(io.BytesIO(png)).convert("RGBA").getpixel((8, 4))[3] in (0, 99)


def test_image_that_we_do_not_encode_is_pillows(bare):
    run = bare.run("from PIL import Image\nImage.new('I;16', (9, 5))").ok()

    assert size(run.contents("execute_result")[0]["data"]) == (9, 5)


def test_what_is_no_picture_is_refused(client):
    client.run("import _pandia").ok()
    for array in ("np.zeros((2, 2, 5), np.uint8)", "np.zeros((2, 2))", "np.zeros(4, np.uint8)",
                  "np.zeros((0, 2), np.uint8)", "np.zeros((2, 2, 3), np.uint8)[:, ::2]",
                  "np.zeros((4, 4), np.uint8).T[::-1]", "7"):
        run = client.run(f"_pandia.encode_png({array})")

        assert run.error["ename"] in ("ValueError", "AttributeError"), array
