# SPDX-License-Identifier: MIT
"""How values look as text/plain: as IPython's pretty printer, asked in the same run, shows them."""
import pathlib
import re

import IPython
from IPython.lib.pretty import pretty

from support.text import failure

SITE = str(pathlib.Path(IPython.__file__).parents[1])

# Run in a cell and here, so that both have the same values.
SETUP = """
import collections, dataclasses, datetime, decimal, enum, fractions, functools, io, os, pathlib
import re, types, typing, uuid
from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple

class Plain: pass
class WithRepr:
    def __init__(self, text): self.text = text
    def __repr__(self): return self.text
class Outer:
    class Inner: pass
    def method(self, a, b=2, *args, key: int = 3, **kwargs) -> str: return ''
class Meta(type):
    def __repr__(cls): return 'a class of Meta'
class OfMeta(metaclass=Meta): pass
class MyList(list): pass
class MyDict(dict): pass
class MyDictRepr(dict):
    def __repr__(self): return 'my dict'
class MyInt(int): pass
class MyStr(str): pass
class MyTuple(tuple): pass
class MySet(set): pass
class MyError(Exception): pass
class MyErrorRepr(Exception):
    def __repr__(self): return 'my error'
class Counting(Counter): pass
class Colour(enum.Enum): RED = 1
class Flags(enum.Flag):
    A = 1
    B = 2
class Number(enum.IntEnum): ONE = 1
Point = namedtuple('Point', 'x y')
@dataclasses.dataclass
class Data:
    x: int
    y: list
class Pretty:
    def __init__(self, *values): self.values = values
    def _repr_pretty_(self, p, cycle):
        if cycle:
            p.text('Pretty(...)')
            return
        with p.group(7, 'Pretty(', ')'):
            for index, value in enumerate(self.values):
                if index:
                    p.text(',')
                    p.breakable()
                p.pretty(value)
class Lines:
    def _repr_pretty_(self, p, cycle):
        p.begin_group(2, 'lines {')
        p.break_()
        p.text('first')
        with p.indent(3):
            p.break_()
            p.text('second')
            p.breakable('--')
            p.pretty([1, 2])
        p.end_group(2, '}')
class PrettySub(Pretty): pass
class NotCallable:
    _repr_pretty_ = None
class Answers:
    def __getattr__(self, name):
        return lambda *args: 'anything'
class Lies:
    __class__ = int
    def __repr__(self): return 'lies'
class Base:
    def f(self): return super()
class Derived(Base): pass
def function(a, b: int = 2, *args, c='x', **kwargs) -> str: pass
async def coroutine(): pass
def generator(): yield
def looped(make, add):
    value = make()
    add(value)
    return value
recursive_list = looped(list, lambda x: x.append(x))
recursive_dict = looped(dict, lambda x: x.update(me=x))
recursive_ordered = looped(OrderedDict, lambda x: x.update(me=x))
recursive_default = looped(lambda: defaultdict(list), lambda x: x.update(me=x))
recursive_deque = looped(deque, lambda x: x.append(x))
recursive_space = looped(types.SimpleNamespace, lambda x: setattr(x, 'me', x))
recursive_pretty = looped(Pretty, lambda x: setattr(x, 'values', (1, x)))
recursive_tuple = looped(lambda: ([],), lambda x: x[0].append(x))
words = ['word' + str(i) for i in range(30)]
"""

VALUES = r"""
1 ; -5 ; 10**100 ; 1.5 ; 1e300 ; float('nan') ; float('-inf') ; 1j ; True ; [None] ; [...] ; [NotImplemented]
'text' ; 'it\'s "quoted"' ; 'a\nb' ; 'x' * 200 ; 'é😀\u2028\x85' ; '' ; '\ud800'
b'bytes' ; b'\x00\xff' ; b'x' * 200 ; bytearray(b'abc') ; memoryview(b'x').tolist() ; range(5) ; range(0, 10, 3)
slice(1, 2) ; slice(None, None, 'x' * 90)
[] ; () ; {} ; set() ; frozenset() ; (1,) ; [1] ; [[]] ; ((),) ; [()] ; {1} ; frozenset({2})
[1, 2, 3] ; (1, 'a', None) ; {'a': 1, 'b': [1, 2]} ; {3, 1, 2} ; {'b', 'a'} ; {1, 'a', None} ; frozenset({3, 1})
list(range(26)) ; list(range(27)) ; list(range(30)) ; list(range(999)) ; list(range(1000)) ; list(range(1001)) ; list(range(2000))
tuple(range(1001)) ; dict.fromkeys(range(1001)) ; set(range(999)) ; set(range(1000)) ; set(range(1001)) ; ['x' * 77] ; ['x' * 75] ; ['x' * 76]
['x' * 73, 1] ; ['x' * 72, 1] ; {'x' * 70: 1} ; {'x' * 72: 1, 2: 3} ; ('x' * 90,) ; {'k': 'x' * 90}
words ; tuple(words) ; set(words) ; {w: w for w in words} ; {w: words[:i] for i, w in enumerate(words)} ; [words, words] ; {(1, 2): words, tuple(words): 3}
{tuple(words): tuple(words)} ; {tuple(words[:8]): words} ; [[[[words]]]] ; [{'a': words, 'b': {'c': words}}] ; [[1, 2], ['x' * 70], [3]]
list(range(5)) + [['y' * 80]] ; {'a': {'b': {'c': {'d': 'x' * 80}}}} ; [(i, str(i) * 5) for i in range(20)]
defaultdict(list) ; defaultdict(int, {'a': 1}) ; defaultdict(list, {w: [w] for w in words}) ; defaultdict(None)
OrderedDict() ; OrderedDict(a=1, b=2) ; OrderedDict((w, w) for w in words) ; deque() ; deque([1, 2], maxlen=5) ; deque(words) ; deque(words, maxlen=40)
Counter() ; Counter('abracadabra') ; Counter(words) ; Counting('aab') ; UserList([1, 2]) ; UserList(words) ; UserDict(a=1) ; collections.ChainMap({'a': 1}, {})
types.SimpleNamespace() ; types.SimpleNamespace(a=1, b='x') ; types.SimpleNamespace(**{w: w for w in words}) ; types.MappingProxyType({'a': 1}) ; types.MappingProxyType({w: w for w in words})
int ; type ; object ; str ; Plain ; Outer.Inner ; OfMeta ; Meta ; ValueError ; MyError ; OrderedDict ; re.Pattern ; typing.List[int] ; list[int] ; int ; None.__class__ ; enum.Enum
[int, str] ; {'t': Plain} ; (int,)
function ; coroutine ; generator ; lambda x: x ; Outer.method ; Outer().method ; len ; print ; [].append ; str.join ; dict.fromkeys ; os.path.join ; functools.partial(int, base=2) ; max ; type.mro ; object.__init__ ; int.__add__ ; os.getcwd
[len, function] ; generator() ; iter([]) ; zip() ; map(str, []) ; enumerate([]) ; property() ; staticmethod(len)
Plain() ; object() ; [Plain(), Plain()] ; Outer.Inner() ; NotCallable() ; Lies() ; Derived() ; Derived().f() ; super(Derived, Derived) ; [Derived().f()]
WithRepr('short') ; WithRepr('two\nlines') ; [WithRepr('two\nlines'), 1] ; {'a': WithRepr('x\n y\nz'), 'b': 2} ; [WithRepr('z' * 100), 2] ; [WithRepr('')] ; WithRepr('ends\n')
MyList([1, 2]) ; MyDict(a=1) ; MyDictRepr() ; MyInt(5) ; MyStr('s') ; MyTuple((1, 2)) ; MyTuple((1,)) ; MySet({1}) ; MySet() ; MyList(words)
ValueError() ; ValueError('x') ; ValueError('x', 2) ; KeyError('k') ; OSError(2, 'gone', 'file') ; MyError('mine') ; MyErrorRepr() ; ValueError(words) ; ValueError('x' * 50, 'y' * 50) ; ExceptionGroup('g', [ValueError(1)]) ; UnicodeDecodeError('utf-8', b'x', 0, 1, 'why') ; StopIteration()
re.compile('a') ; re.compile(r'\d+\s', re.I) ; re.compile(b'x\\d') ; re.compile('x', re.I | re.M | re.S | re.X) ; re.match('a', 'a') ; re.compile('"\'\n') ; re.I ; re.I | re.M
Colour.RED ; Colour ; Flags.A ; Flags.A | Flags.B ; Number.ONE ; [Number.ONE] ; Point(1, 2) ; Point(words, 'b') ; Data(1, [2]) ; Data(1, words) ; [Data(1, words)]
Pretty() ; Pretty(1) ; Pretty(*words) ; [Pretty(*words), Pretty(1)] ; Pretty([Pretty(words)]) ; Lines() ; [Lines(), Lines()] ; {'a': Lines()} ; PrettySub(1, 2) ; {'k' * 40: Pretty(*words[:6])} ; Pretty
recursive_list ; recursive_dict ; recursive_ordered ; recursive_default ; recursive_deque ; recursive_space ; recursive_pretty ; recursive_tuple ; [recursive_list, recursive_list]
datetime.datetime(2024, 1, 2) ; datetime.timedelta(days=1) ; datetime.date(2024, 1, 2) ; decimal.Decimal('1.50') ; fractions.Fraction(1, 3) ; uuid.UUID(int=5) ; pathlib.Path('/tmp') ; [datetime.date(2024, 1, i + 1) for i in range(9)]
{}.keys() ; {'a': 1}.values() ; {w: 1 for w in words}.items() ; io.StringIO ; Ellipsis.__class__ ; type(os.environ)({}, str, str, str, str) ; type(os.environ)({w: w for w in words}, str, str, str, str)
"""


def expressions():
    return [case for line in VALUES.strip().splitlines() for case in line.split(" ; ")]


def same_addresses(text):
    return re.sub(r"0x[0-9a-f]+", "0x0", text)


def test_values_look_as_in_ipython(client):
    client.run(SETUP).ok()
    space = {"__name__": "__main__"}
    exec(SETUP, space)
    cases = expressions()
    assert len(cases) >= 200

    different = {}
    for case in cases:
        ours = same_addresses(client.run(case).ok().result)
        theirs = same_addresses(pretty(eval(case, space)))
        if ours != theirs:
            different[case] = (ours, theirs)

    assert different == {}


RANDOM = """
import collections, random, types
class Two:
    def __init__(self, text): self.text = text
    def __repr__(self): return self.text
class Boxed:
    def __init__(self, values): self.values = values
    def _repr_pretty_(self, p, cycle):
        with p.group(2, 'Boxed(', ')'):
            for value in self.values:
                p.pretty(value)
                p.text(',')
                p.breakable()
def random_value(dice, depth):
    count = dice.choice([0, 1, 2, 3, 5, 8, 20])
    inner = lambda: random_value(dice, depth - 1)
    makers = [lambda: dice.randrange(10 ** dice.randrange(1, 30)), lambda: 'x' * dice.randrange(60),
              dice.random, lambda: Two('ab\\ncd' * dice.randrange(3) + 'z' * dice.randrange(50)),
              lambda: tuple(inner() for _ in range(count)), lambda: [inner() for _ in range(count)],
              lambda: {random_value(dice, 0): inner() for _ in range(count)},
              lambda: {tuple(random_value(dice, 0) for _ in range(dice.randrange(9))): inner()
                       for _ in range(count)},
              lambda: Boxed([inner() for _ in range(count)]),
              lambda: ValueError(*[inner() for _ in range(count)]),
              lambda: collections.OrderedDict((i, inner()) for i in range(count)),
              lambda: types.SimpleNamespace(**{f'k{i}': inner() for i in range(count)})]
    return dice.choice(makers if depth > 0 else makers[:4])()
def random_values(seed, count):
    dice = random.Random(seed)
    return [random_value(dice, dice.randrange(4)) for _ in range(count)]
"""


def test_random_values_look_as_in_ipython(client):
    client.run(RANDOM).ok()
    space = {"__name__": "__main__"}
    exec(RANDOM, space)

    run = client.run("for value in random_values(7, 150): display(value)").ok()

    ours = [content["data"]["text/plain"] for content in run.contents("display_data")]
    assert ours == [pretty(value) for value in space["random_values"](7, 150)]


def test_printers_registered_with_ipython_count(client):
    client.run(f"import sys; sys.path.append({SITE!r})\nfrom IPython.lib import pretty\n"
               "class Mine: pass\nclass Later: pass\n"
               "pretty.for_type(Mine, lambda obj, p, cycle: p.text('a printer for Mine'))\n"
               "pretty.for_type_by_name('__main__', 'Later',"
               " lambda obj, p, cycle: p.text('by name'))", seconds=60).ok()

    assert client.run("[Mine(), Later(), 5]").ok().result == "[a printer for Mine, by name, 5]"
    client.run("pretty.for_type(int, lambda obj, p, cycle: p.text(hex(obj)));").ok()
    assert client.run("255").ok().result == "0xff"
    assert client.run("[255, {'a': 16}]").ok().result == "[0xff, {'a': 0x10}]"
    client.run("pretty.for_type(int, pretty._repr_pprint);").ok()
    assert client.run("255, [Mine()]").ok().result == "(255, [a printer for Mine])"


def test_ipython_is_not_imported_to_show_values(client):
    client.run("[print, {1, 2}, object()]").ok()

    assert client.run("import sys; 'IPython' in sys.modules").ok().result == "False"


def test_value_nested_more_deeply_than_the_printer_goes_is_shown(client):
    run = client.run("x = []\nfor _ in range(400): x = [x]\nx").ok()

    assert run.result == "[" * 401 + "]" * 401


def test_printer_that_raises_in_a_display_is_told_and_the_cell_goes_well(client):
    run = client.run("class Bad:\n    def _repr_pretty_(self, p, cycle):\n        p.text('x')\n"
                     "        raise ValueError('in printer')\ndisplay([Bad()])").ok()

    assert "ValueError: in printer" in run.stderr
    assert "\x1b" not in run.stderr, "standard error may be a file"
    assert "pandia" not in run.stderr, "our own frames concern nobody"
    (shown,) = (m for m in run.messages if m.type == "display_data")
    assert shown.content["data"]["text/plain"] == "<unprintable list object>"


def test_interrupt_in_a_repr_ends_the_cell(client):
    ename, _ = failure(client, "class Stop:\n"
                       "    def __repr__(self): raise KeyboardInterrupt\n[Stop()]")

    assert ename == "KeyboardInterrupt"
