# SPDX-License-Identifier: MIT
"""Cells whose results are compared with ipykernel's: name -> code, in the order in which they run.
Groups share imports; a cell that is only set-up shows nothing in either kernel."""

OWN = r"""
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")

def make(**methods):
    return type("Own", (), {"__repr__": lambda self: "own", **methods})()
"""

BUILTINS = {
    "int": "42", "big int": "10 ** 60", "float": "0.1 + 0.2", "complex": "1 + 2j", "bool": "True",
    "none": "None", "str": "'text'", "quotes": "'it\\'s \"both\"'", "bytes": "b'\\x00ab'",
    "ellipsis": "...", "list": "[1, 'a', None]", "long list": "list(range(60))",
    "nested": "{'a': [1, 2, {'b': (3,)}], 'c': {1, 2}}", "tuple": "(1,)", "set": "{3, 1, 2}",
    "frozenset": "frozenset('cab')", "range": "range(5)", "slice": "slice(1, 2)", "type": "int",
    "own class": "class C: pass\nC", "function": "def f(x): return x\nf", "builtin": "len",
    "lambda": "f = lambda: 0\nf.__name__", "module": "import math; math",
    "exception": "ValueError('bad', 3)", "pattern": "import re; re.compile('a+', re.I)",
    "counter": "from collections import Counter; Counter('abca')",
    "defaultdict": "from collections import defaultdict; defaultdict(list, a=[1])",
    "deque": "from collections import deque; deque([1, 2], 5)",
    "namedtuple": "from collections import namedtuple; namedtuple('P', 'x y')(1, 2)",
    "dataclass": "from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int = 1\nD()",
    "enum": "from enum import Enum\nclass Colour(Enum):\n    RED = 1\nColour.RED",
    "path": "from pathlib import PurePosixPath; PurePosixPath('/a/b')",
    "date": "from datetime import date; date(2024, 2, 29)",
    "fraction": "from fractions import Fraction; Fraction(1, 3)",
    "decimal": "from decimal import Decimal; Decimal('1.10')",
    "generator": "type(x for x in ())", "array": "from array import array; array('i', [1, 2])",
    "quiet": "42;", "two values": "1\n2",
}

METHODS = {
    "methods": OWN,
    "html": "make(_repr_html_=lambda self: '<b>h</b>')",
    "markdown": "make(_repr_markdown_=lambda self: '*m*')",
    "latex": "make(_repr_latex_=lambda self: '$x$')",
    "svg": "make(_repr_svg_=lambda self: '<svg/>')",
    "png": "make(_repr_png_=lambda self: PNG)",
    "jpeg": "make(_repr_jpeg_=lambda self: b'\\xff\\xd8\\xff')",
    "pdf": "make(_repr_pdf_=lambda self: b'%PDF-1.4')",
    "json": "make(_repr_json_=lambda self: {'a': [1, None]})",
    "javascript": "make(_repr_javascript_=lambda self: 'alert(1)')",
    "all at once": "make(_repr_html_=lambda s: 'h', _repr_latex_=lambda s: 'l', _repr_png_=lambda s: PNG)",
    "none as form": "make(_repr_html_=lambda self: None)",
    "metadata": "make(_repr_png_=lambda self: (PNG, {'width': 5}))",
    "html metadata": "make(_repr_html_=lambda self: ('<b>', {'isolated': True}))",
    "bundle": "make(_repr_mimebundle_=lambda self, include=None, exclude=None: {'text/html': 'b', 'x/y': 'z'})",
    "bundle with text": "make(_repr_mimebundle_=lambda s, include=None, exclude=None: {'text/plain': 'mine'})",
    "bundle and metadata": "make(_repr_mimebundle_=lambda s, **k: ({'text/html': 'b'}, {'text/html': {'a': 1}}))",
    "bundle before method": "make(_repr_mimebundle_=lambda s, **k: {'text/html': 'b'}, _repr_html_=lambda s: 'h')",
    "bundle of bytes": "make(_repr_mimebundle_=lambda s, **k: {'image/png': PNG})",
    "bundle none": "make(_repr_mimebundle_=lambda s, **k: None, _repr_html_=lambda s: 'h')",
    "bundle of json": "make(_repr_mimebundle_=lambda s, **k: {'application/x+json': {'a': 1}})",
    "bundle of other bytes": "make(_repr_mimebundle_=lambda s, **k: {'application/octet-stream': b'\\x89P', 'x/y': b'a'})",
    "displays itself": "make(_ipython_display_=lambda self: print('by itself'))",
    "displays another": "make(_ipython_display_=lambda self: display('other'))",
    "not implemented": "def no(self): raise NotImplementedError\nmake(_repr_html_=no, _repr_latex_=lambda s: 'l')",
    "wrong type": "make(_repr_html_=lambda self: 5)",
    "raising html": "make(_repr_html_=lambda self: 1 / 0)",
    "raising bundle": "make(_repr_mimebundle_=lambda self, **k: 1 / 0, _repr_latex_=lambda s: 'l')",
    "bundle without wishes": "make(_repr_mimebundle_=lambda self: {'text/html': 'h'})",
    "raising display": "make(_ipython_display_=lambda self: 1 / 0)",
    "canary": "class Any:\n    def __getattr__(self, name): return lambda *a, **k: 'any'\n"
              "    def __repr__(self): return 'any'\nAny()",
    "getattr raises": "class Bad:\n    def __getattr__(self, name): raise RuntimeError(name)\n"
                      "    def __repr__(self): return 'bad'\nBad()",
    "class with method": "class K:\n    def _repr_html_(self): return 'h'\nK",
    "not callable": "make(_repr_html_='h')",
    "pretty method": "make(_repr_pretty_=lambda self, p, cycle: p.text('pretty'))",
    "display": "display(make(_repr_html_=lambda self: 'h'))",
    "display many": "display(1, 'two', [3])", "display nothing": "display()",
    "display include": "display(make(_repr_html_=lambda s: 'h'), include=['text/html'])",
    "display exclude": "display(make(_repr_html_=lambda s: 'h'), exclude=['text/plain'])",
    "display metadata": "display(1, metadata={'a': 1})",
    "display raw": "display({'text/html': 'r', 'text/plain': 'p'}, raw=True)",
    "display id": "h = display(1, display_id='one')\nh.update(2)\nupdate_display_ = h.display(3)",
    "display of an id alone": "h = display(display_id=True); h.update('later')",
    "update of an id alone": "display(display_id='two', update=True, metadata={'a': {'b': 1}})",
    "display of dates": "from datetime import date, datetime, timezone\n"
                        "display({'application/json': [date(2024, 2, 29), datetime(2024, 2, 29, 1, 2, 3),\n"
                        "         datetime(2024, 2, 29, tzinfo=timezone.utc)]}, raw=True)",
    "display of what is like a list": "display({'application/json': [range(3), {'a': 1}.keys(), (i for i in 'ab'), {2}]}, raw=True)",
    "display of bytes in JSON": "display({'application/json': {'a': b'ab\\xff'}}, raw=True, metadata={'b': [b'a']})",
    "display in a loop": "for i in range(3): display(i)",
    "display and print": "print('a'); display(1); print('b')",
    "display in a thread": "import threading\nt = threading.Thread(target=lambda: display('in thread'))\n"
                           "t.start(); t.join()",
}

DISPLAYS = {
    "displays": "from IPython.display import *",
    "HTML": "HTML('<b>x</b>')", "HTML iframe": "HTML('<i>x</i>', metadata={'isolated': True})",
    "Markdown": "Markdown('*x*')", "Latex": "Latex('$x$')", "Math": "Math('x^2')",
    "SVG": "SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')", "JSON": "JSON({'a': [1]}, expanded=True)",
    "GeoJSON": "GeoJSON({'type': 'Point', 'coordinates': [1, 2]})", "Javascript": "Javascript('1')",
    "Image": "Image(PNG)", "Image size": "Image(PNG, width=5, height=6)",
    "Image size and metadata": "display(Image(PNG, width=5), metadata={'image/png': {'unconfined': True}})",
    "Image address": "Image(url='http://127.0.0.1/a.png')", "Pretty": "Pretty('p')",
    "IFrame": "IFrame('http://127.0.0.1/', 10, 20)", "YouTubeVideo": "YouTubeVideo('abc')",
    "FileLink": "FileLink('/etc/hostname')", "Code": "Code('x = 1', language='python')",
    "Audio": "Audio([0.0, 0.5, -0.5], rate=8000)", "ProgressBar": "ProgressBar(10)",
    "progress": "for i in ProgressBar(3): pass",
    "clear_output": "print('gone'); clear_output(wait=True); print('there')",
    "update_display": "display('a', display_id='u'); update_display('b', display_id='u')",
    "publish": "publish_display_data({'text/plain': 'p', 'text/html': '<p>'}, metadata={'m': 1})",
    "display_html": "display_html('<b>raw</b>', raw=True)",
    "display_markdown": "display_markdown(Markdown('*x*'))",
}

LIBRARIES = {
    "pandas": "import numpy as np, pandas as pd\nframe = pd.DataFrame({'a': [1, 2], 'b': ['x', None]})",
    "frame": "frame", "series": "frame.a", "index": "frame.index", "long frame": "pd.DataFrame({'n': range(200)})",
    "wide frame": "pd.DataFrame(np.zeros((2, 60)))", "two levels": "frame.groupby(['a', 'b']).size()",
    "frame of dates": "pd.DataFrame({'d': pd.date_range('2024-01-01', periods=3)})",
    "empty frame": "pd.DataFrame()", "timestamp": "pd.Timestamp('2024-01-01')",
    "JSON of arrays": "JSON({'a': np.arange(3), 'b': frame.a, 'c': pd.Timestamp('2024-01-01')})",
    "ndarray": "np.arange(12).reshape(3, 4)", "float array": "np.linspace(0, 1, 5)", "scalar": "np.float64(1.5)",
    "large array": "np.zeros((200, 200))", "structured": "np.zeros(2, dtype=[('a', int)])",
    "PIL": "from PIL import Image as PImage",
    "RGB": "PImage.new('RGB', (4, 3), 'red')", "RGBA": "PImage.new('RGBA', (4, 3))",
    "L": "PImage.new('L', (4, 3), 7)", "P": "PImage.new('P', (4, 3))", "1": "PImage.new('1', (4, 3))",
    "I;16": "PImage.new('I;16', (4, 3))", "CMYK": "PImage.new('CMYK', (4, 3))", "F": "PImage.new('F', (4, 3))",
    "RGB with a clear colour": "keyed = PImage.new('RGB', (4, 3)); keyed.info['transparency'] = (0, 0, 0); keyed",
    "palette with alpha": "PImage.new('RGBA', (4, 3), (255, 0, 0, 99)).quantize(4)",
    "short palette": "few = PImage.new('P', (4, 3), 2); few.putpalette([255, 0, 0, 0, 255, 0]); few",
    "image that saves its own way": "class Own(PImage.Image):\n    def save(self, file, *a, **k): PImage.new('L', (7, 7)).save(file, 'PNG')\n"
                                    "own = Own(); own.__dict__.update(keyed.__dict__); own",
    "plotly": "import plotly.graph_objects as go\nchart = go.Figure(go.Bar(y=[1, 2]))",
    "plotly figure": "chart", "plotly show": "chart.show()",
    "altair": "import altair as alt\npoints = alt.Chart(frame).mark_point().encode(x='a')",
    "altair chart": "points",
    "altair by MIME type": "alt.renderers.enable('mimetype')\npoints",
    "polars": "import polars as pl", "polars frame": "pl.DataFrame({'a': [1, 2], 'b': ['x', None]})",
    "polars series": "pl.Series('s', [1, 2])",
    "rich": "import rich, rich.table, rich.pretty\ntable = rich.table.Table('a', 'b'); table.add_row('1', '2')",
    "rich table": "table", "rich print": "rich.print('[bold]x[/bold]', {'a': 1})",
    "sympy": "import sympy; x = sympy.Symbol('x')", "symbol": "x", "power": "x ** 2 / 3",
    "matrix": "sympy.Matrix([[x, 1], [0, x]])",
    "init_printing": "sympy.init_printing()", "power printed": "x ** 2 / 3", "list printed": "[x, x ** 2]",
    "int printed": "3", "text printed": "'text'",
}

# The shell and its formatters; last, because registrations stay.
SHELL = {
    "for_type": "get_ipython().display_formatter.formatters['text/html'].for_type(\n"
                "    Fraction, lambda f: f'<sup>{f.numerator}</sup>/<sub>{f.denominator}</sub>')",
    "by class": "Fraction(1, 2)",
    "for_type_by_name": "get_ipython().display_formatter.formatters['text/latex'].for_type_by_name(\n"
                        "    'decimal', 'Decimal', lambda d: f'${d}$')",
    "by name": "Decimal('2.5')",
    "plain": "get_ipython().display_formatter.formatters['text/plain'].for_type(\n"
             "    complex, lambda z, p, cycle: p.text('complex'))",
    "plain by class": "1j", "plain in a list": "[1j]",
    "float precision": "get_ipython().display_formatter.formatters['text/plain'].float_precision = 3",
    "float": "0.123456",
    "capture": "from IPython.utils.capture import capture_output\nwith capture_output() as c:\n"
               "    display(1); print(2)\nc.stdout, len(c.outputs)",
    "last value": "7 * 6", "underscore": "_, __",
    "one shell": "import IPython\nfrom IPython.core.interactiveshell import InteractiveShell\n"
                 "IPython.get_ipython() is get_ipython() is InteractiveShell.instance(), type(get_ipython())",
    "rich pretty": "rich.pretty.install()", "dict by rich": "{'a': [1, 2]}",
}

VALUES = {f"{group}: {name}": code for group, table in (
    ("builtin", BUILTINS), ("method", METHODS), ("display", DISPLAYS), ("library", LIBRARIES),
    ("shell", SHELL)) for name, code in table.items()}
