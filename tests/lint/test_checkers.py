#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the checkers of this folder do catch what they are for."""
import json
import pathlib
import shutil
import tempfile
import unittest

import abi
import headers
import layers

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

    def complaints(self):
        return layers.check(self.root, layers.Table(TABLE))[0]


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
