#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layers.py [ROOT] - checks every #include of every C file against layers.txt.

Fails on an edge that is not in the table, on a folder the table does not know, on a header named
*_impl.h included from outside its folder, and on a third-party header in too many files. What an
included header includes counts as well: a file must not reach, by any number of steps, a room that
its own room may not use.
"""
import fnmatch
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
SKIPPED = {"build", "node_modules"}


class TableError(Exception):
    pass


class Table:
    """The rooms in their order, what each may include, and the headers that are counted."""

    def __init__(self, text):
        self.system = []
        self.rooms = {}
        self.at_most = {}
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#", 1)[0].strip()
            if line:
                try:
                    self._add(*(part.strip() for part in line.split(":", 1)))
                except (TypeError, ValueError) as problem:
                    raise TableError(f"layers.txt:{number}: {problem or line}") from None

    def _add(self, name, words):
        words = words.split()
        if name == "system":
            self.system += words
        elif name == "at most":
            self.at_most[words[0]] = int(words[1])
        elif name in self.rooms:
            raise ValueError(f"{name} is listed twice")
        else:
            self.rooms[name] = self._allowed(name, words)

    def _allowed(self, name, words):
        allowed = {"rooms": {name}, "headers": set()}
        for word in words:
            if word == "*":
                allowed["rooms"] |= set(self.rooms)
            elif word.endswith(".h"):
                allowed["headers"].add(word)
            elif word in self.rooms:
                allowed["rooms"].add(word)
            else:
                raise ValueError(f"{name} may use only rooms above it, and {word} is not one")
        return allowed

    def room_of(self, path):
        """The room with the longest name that contains `path`, or None."""
        inside = [room for room in self.rooms if path.startswith(room + "/")]
        return max(inside, key=len, default=None)

    def may_use(self, room, target):
        """Whether files of `room` may see headers of `target`."""
        return target in self.rooms[room]["rooms"]

    def is_system(self, header):
        return any(fnmatch.fnmatchcase(header, pattern) for pattern in self.system)

    def complaint(self, path, bracket, header):
        """Why the file `path` may not include `header`, or None when it may."""
        room = self.room_of(path)
        if room is None:
            return "is in no room of layers.txt"
        allowed = self.rooms[room]
        if bracket == "<":
            if self.is_system(header) or header in allowed["headers"]:
                return None
            return f"includes <{header}>, which {room} may not"
        target = self.room_of(header)
        if target is None:
            return f'includes "{header}", which is in no room (write the path from the root)'
        if not self.may_use(room, target):
            return f'includes "{header}", but {room} may not use {target}'
        if header.endswith("_impl.h") and target != room and not path.startswith("tests/"):
            return f'includes "{header}", which is private to {target}'
        if not header.endswith(".h"):
            return f'includes "{header}", which is not a header'
        return None


def sources(root):
    """Every C file below root, as a path from root."""
    for path in sorted(root.rglob("*.[ch]")):
        parts = path.relative_to(root).parts
        if not any(part in SKIPPED or part.startswith(".") for part in parts[:-1]):
            yield "/".join(parts)


def direct_complaints(includes, table):
    """What is wrong with the includes that stand in the files."""
    for path, found in includes.items():
        for bracket, header in found:
            why = table.complaint(path, bracket, header)
            if why:
                yield f"{path}: {why}"


def count_complaints(includes, table):
    """Third-party headers that are in too many files."""
    for header, most in table.at_most.items():
        paths = [path for path, found in includes.items() if not path.startswith("tests/")
                 for _, included in found if included == header]
        if len(paths) > most:
            yield (f"<{header}> is in {len(paths)} files, at most {most} may have it: "
                   f"{' '.join(paths)}")


def chains(includes, path):
    """The shortest way from `path` to every header of the project that it reaches: lists of
    headers, the nearest first."""
    found = {}
    ways = [[]]
    for way in ways:  # grows on the way: breadth first
        for bracket, header in includes.get(way[-1] if way else path, ()):
            if bracket == '"' and header not in found and header != path:
                found[header] = [*way, header]
                ways.append(found[header])
    return found.values()


def detours(includes, table):
    """(file, the way) to the first header of each room that a file reaches through the headers of
    others and may not use."""
    for path in includes:
        room = table.room_of(path)
        seen = set()
        for way in chains(includes, path) if room else ():
            target = table.room_of(way[-1])
            if target and len(way) > 1 and target not in seen and not table.may_use(room, target):
                seen.add(target)
                yield path, way


def detour_complaints(includes, table):
    for path, way in detours(includes, table):
        yield (f'{path}: reaches "{way[-1]}" by {" ".join(way[:-1])}, '
               f"but {table.room_of(path)} may not use {table.room_of(way[-1])}")


def check(root, table):
    """Gives the complaints and the number of files looked at."""
    includes = {path: INCLUDE.findall((root / path).read_text("utf-8")) for path in sources(root)}
    complaints = [*direct_complaints(includes, table), *detour_complaints(includes, table),
                  *count_complaints(includes, table)]
    return complaints, len(includes)


def main(argv):
    here = pathlib.Path(__file__).resolve().parent
    root = pathlib.Path(argv[1]) if len(argv) > 1 else here.parent.parent
    table = Table((here / "layers.txt").read_text("utf-8"))
    complaints, files = check(root, table)
    for complaint in complaints:
        print(complaint)
    print(f"layers: {files} files, {len(complaints)} complaints")
    return 1 if complaints or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
