#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the checkers of this folder do catch what they are for."""
import json
import os
import pathlib
import shutil
import tempfile
import unittest

import abi
import docs
import headers
import javascript
import layers
import python

TABLE = """
system: stdio.h sys/*
base: jansson.h
mime: base png.h
tests/unit: * cmocka.h
at most: jansson.h 1
"""


class Tree(unittest.TestCase):
    """A small tree of files to be checked."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="pandia-lint-"))
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def complaints(self, more=""):
        return layers.check(self.root, layers.Table(TABLE + more))[0]


class LayersTest(Tree):
    def test_check_allowed_edges_has_no_complaint(self):
        self.write("base/buf.c", '#include <stdio.h>\n#include <sys/wait.h>\n#include "base/buf.h"\n')
        self.write("mime/png.c", '#include <png.h>\n#  include "base/buf.h"\n')
        self.write("tests/unit/test_png.c", '#include <cmocka.h>\n#include "mime/png.h"\n')

        self.assertEqual(self.complaints(), [])

    def test_check_upward_edge_is_named(self):
        self.write("base/buf.c", '#include "mime/png.h"\n')

        self.assertEqual(self.complaints(),
                         ['base/buf.c: includes "mime/png.h", but base may not use mime'])

    def test_check_third_party_header_in_wrong_room_is_named(self):
        self.write("base/buf.c", "#include <png.h>\n")

        self.assertEqual(self.complaints(), ["base/buf.c: includes <png.h>, which base may not"])

    def test_check_unknown_room_is_named(self):
        self.write("attic/old.c", "#include <stdio.h>\n")

        self.assertEqual(self.complaints(), ["attic/old.c: is in no room of layers.txt"])

    def test_check_include_without_room_is_named(self):
        self.write("base/buf.c", '#include "buf.h"\n')

        self.assertEqual(len(self.complaints()), 1)

    def test_check_private_header_from_outside_is_named(self):
        self.write("base/buf.c", '#include "base/buf_impl.h"\n')
        self.write("mime/png.c", '#include "base/buf_impl.h"\n')

        self.assertEqual(self.complaints(),
                         ['mime/png.c: includes "base/buf_impl.h", which is private to base'])

    def test_check_source_file_as_header_is_named(self):
        self.write("mime/png.c", '#include "base/buf.c"\n')

        self.assertEqual(len(self.complaints()), 1)

    def test_check_counted_header_in_too_many_files_is_named(self):
        self.write("base/json.c", "#include <jansson.h>\n")
        self.write("base/text.c", "#include <jansson.h>\n")

        self.assertIn("base/json.c base/text.c", self.complaints()[0])

    def test_check_build_and_hidden_folders_are_skipped(self):
        self.write("build/deps/x.c", '#include "nonsense"\n')
        self.write(".cache/x.c", '#include "nonsense"\n')

        self.assertEqual(self.complaints(), [])

    def write_detour(self):
        """door may use core, which may use mime: a header of core shows mime to door."""
        self.write("mime/png.h", '#include "base/buf.h"\n')
        self.write("core/run.h", '#include "core/kinds.h"\n')
        self.write("core/kinds.h", '#include "mime/png.h"\n')
        self.write("door/door.c", '#include "core/run.h"\n')
        return "core: base mime\ndoor: base core\n"

    def test_check_detour_is_named_with_its_way(self):
        rooms = self.write_detour()

        self.assertEqual(self.complaints(rooms),
                         ['door/door.c: reaches "mime/png.h" by core/run.h core/kinds.h, '
                          "but door may not use mime"])

    def test_check_detour_inside_a_source_file_hides_what_it_uses(self):
        rooms = self.write_detour()
        self.write("core/run.h", "")
        self.write("core/run.c", '#include "core/run.h"\n#include "core/kinds.h"\n')

        self.assertEqual(self.complaints(rooms), [])

    def test_check_headers_that_include_each_other_come_to_an_end(self):
        rooms = self.write_detour()
        self.write("core/kinds.h", '#include "core/run.h"\n#include "mime/png.h"\n')

        self.assertEqual(len(self.complaints(rooms)), 1)

    def test_table_downward_reference_is_refused(self):
        with self.assertRaises(layers.TableError):
            layers.Table("base: mime\nmime: base\n")

    def test_table_double_room_is_refused(self):
        with self.assertRaises(layers.TableError):
            layers.Table("base:\nbase:\n")


class HeadersTest(Tree):
    def setUp(self):
        super().setUp()
        self.write("base/a.c", "")
        build = self.root / "build"
        self.write("build/compile_commands.json", json.dumps([{
            "directory": str(build), "file": str(self.root / "base/a.c"),
            "command": f"cc -I{self.root} -Werror -o a.o -c {self.root}/base/a.c"}]))
        self.found = lambda: headers.check(build, self.root)[0]

    def test_check_whole_header_has_no_complaint(self):
        self.write("base/a.h", "#pragma once\n#include <stddef.h>\nsize_t a(void);\n")

        self.assertEqual(self.found(), [])

    def test_check_header_that_needs_another_is_named(self):
        self.write("base/a.h", "#pragma once\nsize_t a(void);\n")

        self.assertIn("base/a.h does not compile alone", self.found()[0])

    def test_check_header_without_guard_is_named(self):
        self.write("base/a.h", "struct a { int b; };\n")

        self.assertIn("redefinition", self.found()[0])

    def test_nearest_own_source_then_user_then_folder_then_most_flags(self):
        commands = {"base/a.c": ["cc"], "base/b.c": ["cc", "-Ib"], "mime/c.c": ["cc", "-Ic", "-O"]}

        self.assertEqual(headers.nearest(commands, {}, "base/a.h"), ["cc"])
        self.assertEqual(headers.nearest(commands, {}, "base/x.h"), ["cc", "-Ib"])
        self.assertEqual(headers.nearest(commands, {"base/x.h": {"base/a.c"}}, "base/x.h"), ["cc"])

    def test_flags_of_command_drops_input_and_output(self):
        command = "cc -O2 -MD -MT a.o -MF a.d -o a.o -c a.c".split()

        self.assertEqual(headers.flags_of(command), ["cc", "-O2"])


RULES = """
open: user/open.js - for the test
allowed: user/known.js .has() - for the test
"""
ACORN = pathlib.Path(__file__).resolve().parents[2] / "build/deps/npm/acorn.js"


NODE = javascript.node_path()


@unittest.skipUnless(NODE and ACORN.exists() or os.environ.get("PANDIA_MUST_WORK"), "no node or no acorn")
class JavaScriptTest(Tree):
    def found(self, texts, rules=""):
        """{path: complaints} of {path: text}."""
        for path, text in texts.items():
            self.write(f"{javascript.PRELUDE}/{path}", text)
        complaints = javascript.check(self.root, javascript.Rules(rules), NODE, ACORN)[0]
        return {path: [one for one in complaints if one.startswith(path + ":")]
                for path in (*texts, "javascript.txt")}

    def assert_each(self, rows):
        """In each text the one complaint that contains its part is found."""
        found = self.found({f"user/a{i}.js": text for i, (text, _) in enumerate(rows)})
        for i, (text, part) in enumerate(rows):
            with self.subTest(text):
                self.assertIn(part, "\n".join(found[f"user/a{i}.js"]))

    def test_check_good_file_has_no_complaint(self):
        text = """const p = require("primordials");
            const { Error } = globalThis;
            const all = new p.SafeMap();
            const table = Object.fromEntries([...[["a", 1]].values()]);
            class Thing { #x = 1; get x() { return this.#x; } }
            /** Before user code. */
            function load(names) { for (const name of names) { all.set(name, table[name]); } }
            function look(first, _second, { a, ...rest }, ...more) {
              try { load.x = all.get(first); } catch { throw new Error(`${more}`); }
              return p.arrayMap(rest.list, (item) => item + arguments.length);
            }
            module.exports = { load, look, Thing };"""

        self.assertEqual(self.found({"user/a.js": text})["user/a.js"], [])

    def test_check_unused_names_are_named(self):
        rows = (("const a = 1;", "a"), ("function f() {}", "f"), ("class C {}", "C"),
                ("let a; a = 1;", "a"), ("const { a } = globalThis;", "a"),
                ("exports.f = (a, b) => a;", "b"), ("exports.f = ([, b]) => 1;", "b"),
                ("try { exports.x(); } catch (e) {}", "e"),
                ("exports.C = class { #a = 1; };", "#a"))

        self.assert_each([(text, f": {name} is never used") for text, name in rows])

    def test_check_forms_that_cells_can_change_are_named(self):
        rows = (("for (const a of x) { x(a); }", "for-of"), ("x([...x]);", "...list"),
                ("x(...x);", "...list"), ("new x(...x);", "...list"),
                ("const [a] = x; x(a);", "[a, b] ="), ("let a; [a] = x; x(a);", "[a, b] ="),
                ("x.push(1);", ".push()"), ("x.y.then(x);", ".then()"),
                ("/a/.test(x);", ".test()"), ("Object.keys(x);", "Object"),
                ("new Map(x);", "Map can be replaced"),
                ("x(Math.max(1));", "Math.max"))

        self.assert_each([(f"exports.f = (x) => {{ {text} }};", part) for text, part in rows])

    def test_check_same_forms_elsewhere_are_allowed(self):
        text = "exports.f = (x) => { for (const a of x) { x.push(a); } };"

        found = self.found({"user/open.js": text, "tools/a.js": text,
                            "user/known.js": "exports.f = (x) => x.has(1);"}, RULES)

        self.assertEqual([one for every in found.values() for one in every], [])

    def test_check_rule_that_fits_nothing_is_named(self):
        self.assertEqual(self.found({"user/a.js": "exports.a = 1;"}, RULES)["javascript.txt"],
                         ["javascript.txt: user/open.js fits nothing",
                          "javascript.txt: user/known.js .has() fits nothing"])

    def test_check_lengths_unknown_names_and_broken_syntax_are_named(self):
        self.assert_each([
            ("exports.f = () => {\n" + "exports.x = 1;\n" * 60 + "};\n", "a function of 62 lines, at most 60"),
            ("exports.a = 1;\n" * 401, "401 lines, at most 400"),
            ("// " + "x" * 98, ":1: a line of 101 characters, at most 100"),
            ("exports.a = () => nowhere;", "nowhere is declared nowhere"),
            ("\nlet let = 1 +;", ":2: "),
        ])

    def test_rules_without_a_reason_are_refused(self):
        with self.assertRaises(ValueError):
            javascript.Rules("open: user/a.js")


class PythonTest(Tree):
    def found(self, text, **others):
        for name, other in {"a": text, **others}.items():
            self.write(f"{python.PRELUDE}/{name}.py", other)
        self.write("contexts/python/py_x.c", 'call("from_c");')
        return python.check(self.root)[0]

    def test_check_good_file_has_no_complaint(self):
        text = """import os

LIMIT = 3


class Kind:
    size = LIMIT

    def grow(self, by, _unused):
        total = by

        def more():
            return total
        return more


def from_c(first, second):
    return used(second)


def used(_value):
    return os.sep


def elsewhere():
    return Kind
"""
        self.assertEqual(self.found(text, b="a = elsewhere()\nprint(a)\n"), [])

    def test_check_unused_names_are_named(self):
        for text, name in (("import os\n", "os"), ("from os import sep as x\n", "x"),
                           ("def lonely():\n    pass\n", "lonely"), ("WIDTH = 1\n", "WIDTH"),
                           ("def from_c():\n    a = 1\n", "a"), ("def from_c(a, b):\n    return a\n", "b"),
                           ("def from_c():\n    import os\n", "os"),
                           ("def from_c():\n    try:\n        pass\n    except OSError as e:\n        pass\n", "e")):
            with self.subTest(text):
                found = self.found(text)
                self.assertEqual(len(found), 1)
                self.assertIn(f": {name} ", found[0])

    def test_check_lengths_are_named(self):
        self.assertIn("401 lines", self.found("# x\n" * 401)[0])
        self.assertIn("101 characters", self.found("#" * 101)[0])
        self.assertIn("61 lines", self.found("def from_c():\n" + "    print()\n" * 60)[0])


class DocsTest(Tree):
    def found(self, text):
        self.write("docs/A.md", text)
        files = {"docs/A.md", "base/buf.c", "contexts/worker/ask.c", "tests/e2e/test_a.py"}
        return docs.check(self.root, files)[0]

    def test_check_paths_that_exist_have_no_complaint(self):
        text = "`base/buf.c` `base/buf` `buf.c` `base/` `worker/ask.c` `test_<x>.py` `e2e/test_NAME.py` " \
               "`base/*.c` `/etc/x.py` `a.b()` `lib.js` `build/x.c` [a](A.md) [b](https://x.y/z.md)"

        self.assertEqual(self.found(text), [])

    def test_check_paths_that_do_not_exist_are_named(self):
        for path in ("base/gone.c", "gone.c", "contexts/gone/", "tests/e2e/test_b.py", "tests/unit/*.c"):
            with self.subTest(path):
                self.assertEqual(self.found(f"x\n`{path}`\n"), [f"docs/A.md:2: `{path}` does not exist"])
        self.assertEqual(len(self.found("[a](B.md)")), 1)


class AbiTest(unittest.TestCase):
    def test_declared_names_functions_and_data_are_found(self):
        text = '''__attribute__ ((visibility ("default"))) PyObject * PyLong_FromLong(long);
            extern __attribute__ ((visibility ("default"))) PyTypeObject PyLong_Type;
            static inline void Py_Hidden(void) {}'''

        self.assertEqual(abi.declared_names(text), {"PyLong_FromLong", "PyLong_Type"})

    def test_used_names_defined_beside_are_not_counted(self):
        listing = "a.o:\n         U PyLong_FromLong\n         U PyInit_x\n0000 T PyInit_x\n U free\n"

        self.assertEqual(abi.used_names(listing), {"PyLong_FromLong"})


if __name__ == "__main__":
    unittest.main()
