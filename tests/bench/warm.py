# SPDX-License-Identifier: MIT
"""A kernel with a preload list, and contexts of its warm zygote, for the benchmarks of forks and
memory."""

import sys
import time

from raw_client import Kernel

MODULES = ("numpy", "pandas", "matplotlib.pyplot")
IMPORTS = "import " + ", ".join(MODULES)
PID = "__import__('os').getpid()"


def ask(kernel, code, expression):
    """Runs the code, then returns the text of the expression's value."""
    msg_id = kernel.send(kernel.shell, "execute_request", {
        "code": code, "silent": False, "store_history": True, "allow_stdin": False,
        "stop_on_error": True, "user_expressions": {"it": expression}})
    _, content = kernel.wait_reply(kernel.shell, msg_id)
    kernel.wait_idle(msg_id)
    assert content["status"] == "ok", content
    value = content["user_expressions"]["it"]
    assert value["status"] == "ok", value
    return value["data"]["text/plain"]


class WarmKernel(Kernel):
    """Pandia; ready when a new context comes from the warm zygote."""

    def __init__(self, pandia, modules=MODULES):
        super().__init__([pandia, "kernel", "-f", "{connection_file}", "--python", sys.executable,
                          "--history-file", ":memory:", "--preload", ",".join(modules)])
        self.made = self.kept = 0
        self.kernel_info()
        self.settle()
        loaded = f"{modules[-1]!r} in __import__('sys').modules"
        end = time.monotonic() + 60
        while ask(self, f"%%context {self.new_name()}", loaded) != "True":
            assert time.monotonic() < end, "the warm zygote is not ready"
            self.forget_all()

    def new_name(self):
        self.made += 1
        return f"c{self.made}"

    def forget_all(self):
        """Deletes the contexts that were made."""
        for number in range(self.kept + 1, self.made + 1):
            msg_id = self.send(self.control, "delete_context_request",
                               {"context_id": f"c{number}"})
            _, content = self.wait_reply(self.control, msg_id)
            assert content["status"] == "ok", content
        self.kept = self.made
