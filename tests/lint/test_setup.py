#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what set-up and configure say when something is missing or does not fit.

No network but loopback: every other case ends before a download would begin.
"""
import http.server
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ARCHIVE = "quickjs_ng-0.17.0.2.tar.gz"


class SetupTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pandia-setup-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.cache = self.folder / "cache"
        self.cache.mkdir()

    def run_command(self, *command, **environment):
        return subprocess.run([str(word) for word in command], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder,
                              env={**os.environ, "PANDIA_CACHE": str(self.cache), **environment})


class GetQuickjsTest(SetupTest):
    def get(self):
        return self.run_command(ROOT / "script/get-quickjs", "--cached", self.folder / "quickjs")

    def test_get_quickjs_empty_cache_names_files_and_place(self):
        done = self.get()

        self.assertEqual(done.returncode, 1)
        self.assertIn(ARCHIVE, done.stdout)
        self.assertIn(str(self.cache), done.stdout)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["cache"])

    def test_get_quickjs_wrong_file_in_cache_is_not_used(self):
        (self.cache / ARCHIVE).write_bytes(b"not the file that was pinned")

        self.assertEqual(self.get().returncode, 1)
        self.assertFalse((self.folder / "quickjs").exists())

    def test_get_quickjs_present_does_nothing(self):
        present = self.folder / "quickjs"
        present.mkdir()
        (present / ".pandia").write_text("0.17.0\n", "utf-8")

        done = self.get()

        self.assertEqual((done.returncode, done.stdout), (0, ""))


class GetSuitesTest(SetupTest):
    def test_get_suites_empty_cache_names_file_hash_and_place(self):
        done = self.run_command(ROOT / "script/get-suites", "--cached", self.folder / "suites")

        self.assertEqual(done.returncode, 1)
        self.assertIn("ipykernel-7.4.0.tar.gz (SHA-256 4330114d", done.stdout)
        self.assertIn(str(self.cache), done.stdout)
        self.assertEqual(list((self.folder / "suites").iterdir()), [])

    def test_get_suites_fetches_the_version_that_the_tests_install(self):
        pinned = (ROOT / "tests/requirements.txt").read_text("utf-8").splitlines()
        script = (ROOT / "script/get-suites").read_text("utf-8")

        self.assertIn("ipykernel==7.4.0", pinned)
        self.assertIn("\nipykernel 7.4.0 ", script)


class GetNpmPartsTest(SetupTest):
    def get(self, *words, **environment):
        return self.run_command(ROOT / "script/get-npm-parts", *words, self.folder / "npm",
                                **environment)

    def registry(self, answer):
        """A registry that gives `answer` for everything; returns its address and what is asked."""
        asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(200 if answer else 404)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_args):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}", asked

    def test_get_npm_tests_registry_without_them_is_told_with_the_remedy(self):
        address, asked = self.registry(b"")

        done = self.run_command(ROOT / "script/get-npm-tests", self.folder / "npm-tests",
                                NPM_CONFIG_REGISTRY=address)

        self.assertEqual(done.returncode, 1)
        self.assertIn("did not give node-linux-", done.stdout)
        self.assertIn("NPM_CONFIG_REGISTRY", done.stdout)
        self.assertEqual(len(asked), 1)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["cache"])

    def test_get_npm_parts_empty_cache_leaves_nothing(self):
        done = self.get("--cached")

        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["cache"])

    def test_get_npm_parts_registry_without_them_is_told_with_the_remedy(self):
        address, asked = self.registry(b"")

        done = self.get(NPM_CONFIG_REGISTRY=f"{address}/npm/")

        self.assertEqual(done.returncode, 1)
        self.assertIn("did not give: acorn-", done.stdout)
        self.assertIn("NPM_CONFIG_REGISTRY", done.stdout)
        self.assertIn("/npm/typescript/-/typescript-5.9.3.tgz", asked)

    def test_get_npm_parts_other_bytes_than_pinned_are_not_used(self):
        address, _ = self.registry(b"not what was pinned")
        (self.folder / ".npmrc").write_text(f"fund=false\nregistry = {address}/\n", "utf-8")

        done = self.get(HOME=str(self.folder), NPM_CONFIG_REGISTRY="")

        self.assertEqual(done.returncode, 1)
        self.assertEqual(list(self.cache.iterdir()), [])
        self.assertFalse((self.folder / "npm").exists())


class ConfigureTest(SetupTest):
    """A project of one module, configured in a world that does not fit."""

    def configure(self, module, **environment):
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(t C)\nfind_package(PkgConfig REQUIRED)\n"
            f'include("{ROOT}/cmake/{module}.cmake")\n', "utf-8")
        done = self.run_command("cmake", "-S", self.folder, "-B", self.folder / "build",
                                **environment)
        return done.returncode, " ".join(done.stdout.split())

    def python_of(self, prefix):
        """Makes python3-embed name the headers of this machine's and the program of `prefix`."""
        version, flags = (
            subprocess.run(["pkg-config", word, "python3-embed"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.strip()
            for word in ("--modversion", "--cflags"))
        (self.folder / "python3-embed.pc").write_text(
            f"exec_prefix={prefix}\nName: Python\nDescription: another one\nVersion: {version}\n"
            f"Libs: -lpython{version}\nCflags: {flags}\n", "utf-8")
        return {"version": version, "PKG_CONFIG_PATH": str(self.folder)}

    def test_configure_interpreter_missing_is_named(self):
        world = self.python_of(self.folder / "nowhere")
        version = world.pop("version")

        status, said = self.configure("Python", **world)

        self.assertNotEqual(status, 0)
        self.assertIn(f"there is no {self.folder}/nowhere/bin/python{version}", said)
        self.assertIn("script/bootstrap", said)

    def test_configure_interpreter_of_another_micro_version_is_refused(self):
        world = self.python_of(self.folder)
        program = self.folder / "bin" / ("python" + world.pop("version"))
        program.parent.mkdir()
        program.write_text("#!/bin/sh\nprintf '3.11.99\\n/usr/include\\n/a.a\\n-lm\\n'\n", "utf-8")
        program.chmod(0o755)

        status, said = self.configure("Python", **world)

        self.assertNotEqual(status, 0)
        self.assertIn("Two different Pythons", said)
        self.assertIn("3.11.99", said)

    def test_configure_without_quickjs_names_the_remedy(self):
        status, said = self.configure("QuickJS")

        self.assertNotEqual(status, 0)
        self.assertIn("No QuickJS sources", said)
        self.assertIn("Run script/bootstrap", said)


if __name__ == "__main__":
    unittest.main()
