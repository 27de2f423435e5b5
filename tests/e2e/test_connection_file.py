# SPDX-License-Identifier: MIT
"""A connection file that cannot be used: one line that names the file, the field and the remedy,
exit code 2, and nothing left behind. And the odd ones that can be used."""
import json
import os
import shutil
import socket
import stat
import subprocess

import pytest

from support.build import BUILD, PANDIA, environment, sanitizer_reports, scaled
from support.client import PORTS
from support.kernel import connection_info
from support.processes import Adopted, children, describe
from support.waiting import wait_until

LANGUAGE = "mock"
NOBODY = 65534


@pytest.fixture
def refused(tmp_path):
    """Runs `pandia kernel` on a file that it must refuse; returns its one line."""
    def run(path, *args, prefix=(), folder=tmp_path, code=2):
        adopted = Adopted()
        before = sorted(tmp_path.rglob("*"))
        done = subprocess.run([*prefix, PANDIA, "kernel", "-f", path, "--language", "mock", *args],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=scaled(20), cwd=folder, env=environment(tmp_path))
        assert not sanitizer_reports(tmp_path)
        assert done.returncode == code, done.stderr
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1, done.stderr
        assert sorted(tmp_path.rglob("*")) == before, "files are left"
        assert not adopted.now(), [describe(pid) for pid in children()]
        return done.stderr
    return run


@pytest.fixture
def write(tmp_path):
    """Writes a connection file with some fields changed; a field of None is left out."""
    def write(text=None, **fields):
        path = tmp_path / "connection.json"
        info = {**connection_info(tmp_path), **fields}
        info = {name: value for name, value in info.items() if value is not None}
        path.write_bytes(text if isinstance(text, bytes) else json.dumps(info).encode())
        return path
    return write


def test_no_file_is_refused(tmp_path):
    done = subprocess.run([PANDIA, "kernel"], capture_output=True, text=True, timeout=scaled(20),
                          env=environment(tmp_path))

    assert done.returncode == 2
    assert "-f" in done.stderr
    assert done.stderr.count("\n") == 1


def test_missing_file_is_refused(refused, tmp_path):
    path = tmp_path / "nowhere.json"

    line = refused(path)

    assert str(path) in line
    assert "No such file" in line


def test_folder_is_refused(refused, tmp_path):
    line = refused(tmp_path)

    assert str(tmp_path) in line
    assert "directory" in line


def test_unreadable_file_is_refused(refused, write, tmp_path):
    path = write()
    prefix = ()
    if os.geteuid() == 0:
        # Root reads everything; and pytest's folders are for their owner only.
        if shutil.which("setpriv") is None:
            pytest.skip("no setpriv")
        if not os.stat(BUILD).st_mode & stat.S_IXOTH:
            pytest.skip("the build is for its owner only")
        prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        folder = tmp_path
        while folder != folder.parent:
            if not folder.stat().st_mode & stat.S_IXOTH:
                folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
            folder = folder.parent
    path.chmod(0)

    line = refused(path, prefix=prefix, folder="/")

    assert str(path) in line
    assert "Permission denied" in line


@pytest.mark.parametrize("text", [b"", b"{", b"not json", b"\xff\xfe", b"{}{}", b"{'key': 1}",
                                  b"\0" * 100, b"[" * 60000])
def test_file_that_is_not_json_is_refused(refused, write, text):
    path = write(text)

    line = refused(path)

    assert str(path) in line
    assert "JSON" in line


@pytest.mark.parametrize("text", [b"[]", b"1", b'"text"', b"null", b"true"])
def test_file_that_is_no_object_is_refused(refused, write, text):
    line = refused(write(text))

    assert "connection.json" in line
    assert "object" in line


def test_huge_file_is_refused(refused, write):
    assert "connection.json" in refused(write(b'{"key": "' + b"x" * (1 << 20) + b'"}'))


def test_device_that_never_ends_is_refused(refused):
    assert "/dev/zero" in refused("/dev/zero")


WRONG = [("transport", value) for value in (1, [], {}, True, "udp", "inproc", "")]
WRONG += [("ip", value) for value in (1, [], {}, False, "a b", "x;tcp://*", "1.2.3.4/8", "x\0y")]
WRONG += [("key", value) for value in (1, [], {}, True, "k" * 10000, "a\0b")]
WRONG += [("signature_scheme", value)
          for value in (1, [], True, "hmac-md5", "hmac-sha512", "sha256", "HMAC-SHA256")]
WRONG += [("kernel_name", value) for value in (1, [], {})]
WRONG += [(port, value) for port in PORTS.values()
          for value in ("5000", 1.5, -1, 65536, True, [], {}, 1e10, None)]


@pytest.mark.parametrize("field, value", WRONG, ids=[f"{f}={str(v)[:20]!a}" for f, v in WRONG])
def test_wrong_value_is_refused_with_its_field(refused, write, field, value):
    changes = {field: value}
    if field == "ip":
        changes |= {"transport": "tcp", **dict.fromkeys(PORTS.values(), 0)}

    line = refused(write(**changes))

    assert "connection.json" in line
    assert field in line


def test_port_in_use_is_refused_with_its_field(refused, write):
    for field in PORTS.values():
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            holder.listen()
            port = holder.getsockname()[1]
            ports = {**dict.fromkeys(PORTS.values(), 0), field: port}

            line = refused(write(transport="tcp", ip="127.0.0.1", **ports))

        assert field in line
        assert str(port) in line
        assert "in use" in line
        assert "connection.json" in line


def test_address_that_cannot_be_bound_is_refused_with_its_field(refused, write):
    line = refused(write(transport="tcp", ip="256.0.0.1", **dict.fromkeys(PORTS.values(), 0)))

    assert 'field "' in line
    assert "tcp://256.0.0.1:" in line
    assert " cannot be bound; check ip and transport" in line
    assert "is cannot" not in line


def test_same_port_twice_is_refused_with_both_fields(refused, write):
    line = refused(write(shell_port=7, iopub_port=7))

    assert "shell_port" in line
    assert "iopub_port" in line


def test_address_of_another_machine_is_refused(refused, write):
    line = refused(write(transport="tcp", ip="192.0.2.1", **dict.fromkeys(PORTS.values(), 0)))

    assert "192.0.2.1" in line
    assert "connection.json" in line


def test_folder_of_sockets_that_is_missing_is_refused(refused, write, tmp_path):
    line = refused(write(ip=str(tmp_path / "nowhere" / "s")))

    assert "nowhere" in line


def test_long_socket_path_is_refused(refused, write, tmp_path):
    line = refused(write(ip=str(tmp_path / ("long" * 40))))

    assert "ip" in line
    assert "shorter" in line


@pytest.mark.parametrize("ip", ["0.0.0.0", "*", "::"])
def test_empty_key_on_open_address_is_refused(refused, write, ip):
    line = refused(write(transport="tcp", ip=ip, key="", **dict.fromkeys(PORTS.values(), 0)))

    assert "key" in line
    assert ip in line
    assert "connection.json" in line


def test_absent_key_on_open_address_is_refused(refused, write):
    line = refused(write(transport="tcp", ip="0.0.0.0", key=None,
                         **dict.fromkeys(PORTS.values(), 0)))

    assert "key" in line


# Connection files that are odd, but right.


@pytest.mark.parametrize("ip", ["127.0.0.1", "localhost", "127.1.2.3"])
def test_empty_key_on_loopback_is_served_with_a_warning(start_kernel, ip):
    kernel = start_kernel(language="mock", transport="tcp", key="", ip=ip)

    assert kernel.client().run("print x").ok().stdout == "x\n"
    kernel.take_log("key is empty")


@pytest.mark.parametrize("scheme", ["", "hmac-sha256"])
def test_empty_key_may_have_no_scheme(start_kernel, scheme):
    kernel = start_kernel(language="mock", key="", signature_scheme=scheme)

    assert kernel.client().run("print x").ok().stdout == "x\n"
    kernel.take_log("key is empty")


def test_chosen_ports_are_written_back_for_the_owner_only(start_kernel):
    kernel = start_kernel(language="mock", transport="tcp", own_field="kept?")
    before = dict(kernel.connection)
    kernel.client()

    written = json.loads(kernel.file.read_text("utf-8"))

    assert stat.S_IMODE(kernel.file.stat().st_mode) == 0o600
    assert len({written[name] for name in PORTS.values()}) == 5
    assert all(1024 < written[name] < 65536 for name in PORTS.values())
    for name in ("transport", "ip", "key", "signature_scheme", "kernel_name"):
        assert written[name] == before[name]
    leftovers = [path.name for path in kernel.folder.iterdir() if path.name.startswith("conn")]
    assert leftovers == ["connection.json"], "a temporary file is left"


def test_some_chosen_ports_leave_the_others(start_kernel):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        port = holder.getsockname()[1]
    kernel = start_kernel(language="mock", transport="tcp", hb_port=port)

    client = kernel.client()

    assert kernel.connection["hb_port"] == port
    assert client.beat() == b"ping"


def test_named_ports_leave_the_file_untouched(start_kernel):
    kernel = start_kernel(language="mock")
    kernel.file.chmod(0o640)
    before = kernel.file.read_bytes(), kernel.file.stat().st_mtime_ns, kernel.file.stat().st_mode
    kernel.client().run("print x").ok()

    assert (kernel.file.read_bytes(), kernel.file.stat().st_mtime_ns,
            kernel.file.stat().st_mode) == before


def test_unknown_fields_are_ignored(start_kernel):
    kernel = start_kernel(language="mock", jupyter_session="/x/y.ipynb", surprise={"a": [1, None]})

    assert kernel.client().run("print x").ok().stdout == "x\n"


def test_transport_and_address_have_defaults(start_kernel):
    info = {"key": "k", **dict.fromkeys(PORTS.values(), 0)}
    kernel = start_kernel(language="mock", connection=info)
    wait_until(lambda: json.loads(kernel.file.read_text("utf-8")).get("transport"), "written back")
    kernel.connection = json.loads(kernel.file.read_text("utf-8"))

    assert kernel.connection["transport"] == "tcp"
    assert kernel.connection["ip"] == "127.0.0.1"
    assert kernel.client().run("print x").ok().stdout == "x\n"


def test_ipv6_loopback_is_served(start_kernel):
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("no IPv6 here")
    kernel = start_kernel(language="mock", transport="tcp", ip="::1")

    assert kernel.client().run("print x").ok().stdout == "x\n"


def test_unicode_key_is_its_utf8_bytes(start_kernel):
    client = start_kernel(language="mock", key="schlüssel 🔑").client()

    assert client.run("print x").ok().stdout == "x\n"


@pytest.mark.parametrize("args", [
    ["--HistoryManager.hist_file=:memory:"], ["--profile-dir", "/nowhere"], ["--no-such-flag"],
    ["--IPKernelApp.parent_appname=x", "--matplotlib=inline"], ["-x"], ["word", "another"],
    ["--debug"]], ids=" ".join)
def test_unknown_arguments_of_launchers_are_ignored(start_kernel, args):
    client = start_kernel(language="mock", args=args).client()

    assert client.run("print x").ok().stdout == "x\n"
