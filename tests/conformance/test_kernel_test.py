# SPDX-License-Identifier: MIT
"""The suite jupyter_kernel_test, unchanged, with all of its tests."""
import jupyter_kernel_test


class TestPython(jupyter_kernel_test.KernelTests):
    kernel_name = "pandia-python"
    language_name = "python"
    file_extension = ".py"

    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    code_generate_error = "raise ValueError('on purpose')"
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "'a' + 'b'", "result": "'ab'"},
        {"code": "[1, 2, 3]", "result": "[1, 2, 3]"},
    ]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\n  return x * 2\n\n\n"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x * 2", "if True:"]
    invalid_code_samples = ["import = 7q", "x = = 1", "for 5 in x:\n    pass\n"]

    code_display_data = [{"code": "display(42)", "mime": "text/plain"}]
    code_history_pattern = "6*7"
    supported_history_operations = ("tail", "range", "search")

    completion_samples = [
        {"text": "isinst", "matches": {"isinstance"}},
        {"text": "import os.pat", "matches": {"path"}},
        {"text": "'a'.isalnu", "matches": {"isalnum"}},
    ]
    code_page_something = "print?"
    code_inspect_sample = "print"
    code_clear_output = "from pandia_display import clear_output; clear_output()"


class TestPythonWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "pandia-python"
    support_iopub_welcome = True


class TestJavaScript(jupyter_kernel_test.KernelTests):
    kernel_name = "pandia-javascript"
    language_name = "javascript"
    file_extension = ".js"

    code_hello_world = "console.log('hello, world')"
    code_stderr = "console.error('test')"
    code_generate_error = "throw new Error('on purpose')"
    code_execute_result = [
        {"code": "6*7", "result": "42"},
        {"code": "const a = 'a'; `${a}b`", "result": "'ab'"},
        {"code": "[1, {b: 2}]", "result": "[ 1, { b: 2 } ]"},
        {"code": "await Promise.resolve(5)", "result": "5"},
    ]
    complete_code_samples = ["1", "console.log('hello, world')", "const f = x => {\n  return x\n}"]
    incomplete_code_samples = ["console.log(`hello", "function f(x) {", "if (true) {", "f(1,"]
    invalid_code_samples = ["import = 7q", "let = = 1", "for 5 in x {}"]

    code_display_data = [
        {"code": "display(42)", "mime": "text/plain"},
        {"code": "display.html('<b>x</b>')", "mime": "text/html"},
        {"code": "display.image(new Uint8Array(1), {width: 1, height: 1})", "mime": "image/png"},
    ]
    code_history_pattern = "6?7*"
    supported_history_operations = ("tail", "range", "search")

    completion_samples = [
        {"text": "parseFlo", "matches": {"parseFloat"}},
        {"text": "console.tra", "matches": {"trace"}},
        {"text": "'a'.padSt", "matches": {"padStart"}},
    ]
    code_page_something = "parseFloat?"
    code_inspect_sample = "parseFloat"
    code_clear_output = "console.clear()"


class TestTypeScript(TestJavaScript):
    kernel_name = "pandia-typescript"
    language_name = "typescript"
    file_extension = ".ts"

    code_generate_error = "throw new Error('on purpose' as string)"
    code_execute_result = [
        {"code": "6*7", "result": "42"},
        {"code": "const a: string = 'a'; `${a}b`", "result": "'ab'"},
        {"code": "enum E { A = 1, B }; E.B as number", "result": "2"},
        {"code": "await Promise.resolve<number>(5)", "result": "5"},
    ]
    complete_code_samples = ["let x: number = 1", "interface A { b: string }", "(x: number) => x"]
    incomplete_code_samples = ["interface A {", "function f(x: number", "enum E { A,"]
    invalid_code_samples = ["let x: = 1", "let = = 1", "function 5() {}"]


class TestJavaScriptWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "pandia-javascript"
    support_iopub_welcome = True


class TestTypeScriptWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "pandia-typescript"
    support_iopub_welcome = True
