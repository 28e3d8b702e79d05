#!/usr/bin/python3
"""Writes the declarations of the C interface for ctypes, from include/pliant/*.h.

The headers are regular enough for a parser of two pages: no compiler is needed, and comments become
documentation. The build runs it, so that the package cannot differ from the headers; the tests compare
sizes and offsets with those that the C compiler gives. usage: python_abi.py OUT
"""
import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
NUMBERS = {
    "int": "c_int", "unsigned": "c_uint", "bool": "c_bool", "char": "c_char", "double": "c_double",
    "size_t": "c_size_t", "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64",
    "uint64_t": "c_uint64", "uint8_t": "c_uint8", "void": "None",
}


def headers():
    """The public headers, each after those that it includes."""
    order = []

    def visit(name):
        text = (SOURCE / "include" / name).read_text()
        for other in re.findall(r'#include "(pliant/\w+\.h)"', text):
            if other not in [n for n, _ in order]:
                visit(other)
        if name not in [n for n, _ in order]:
            order.append((name, text))

    visit("pliant/pliant.h")
    return order


def blank(pattern, text):
    """The text with matches replaced by as many spaces; line feeds stay."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.M | re.S)


def words(comment):
    return " ".join(re.sub(r"^\s*//", "", line).strip() for line in comment.splitlines()).strip()


class Headers:
    def __init__(self):
        self.constants, self.enums, self.structs, self.functions = {}, {}, {}, {}
        self.callbacks, self.docs = {}, {}
        for _, text in headers():
            self.read(text)

    def read(self, text):
        self.text = text
        code = blank(r"//[^\n]*", text)
        for name, value in re.findall(r"^#define (PLI_\w+) ([-\d.e]+)$", code, re.M):
            self.constants[name] = float(value) if "." in value or "e" in value else int(value)
        code = blank(r"^#(\\\n|[^\n])*", code)
        code = re.sub(r'extern "C" \{', lambda m: " " * len(m.group()), code)
        code = re.sub(r"PLI_API|\bstruct (?=pli_\w+\*)", lambda m: " " * len(m.group()), code)
        at = 0
        while True:
            start = re.compile(r"\S").search(code, at)
            if not start:
                return
            at = self.declaration(code, start.start())

    def declaration(self, code, at):
        """Reads one declaration; returns where it ends."""
        if code.startswith("}", at):
            return at + 1
        macro = re.compile(r"PLI_DEFAULT_DEF\(\w+\)").match(code, at)
        if macro:
            return macro.end()
        end = depth = at
        depth = 0
        inline = code.startswith("static", at)
        for end in range(at, len(code)):
            depth += (code[end] == "{") - (code[end] == "}")
            if depth == 0 and (code[end] == ";" or inline and code[end] == "}"):
                break
        if not inline:
            self.one(code[at:end], at)
        return end + 1

    def one(self, text, at):
        doc = self.comment_before(at)
        record = re.match(r"(?:typedef )?(struct|enum)\s*(\w*)\s*\{(.*)\}\s*(\w*)$", text, re.S)
        if record and record[1] == "enum":
            self.enum(record[4], record[3], at + record.start(3), doc)
        elif record:
            self.struct(record[4], record[3], at + record.start(3), doc)
        elif text.startswith("typedef struct"):
            pass  # an opaque handle
        elif text.startswith("typedef"):
            m = re.match(r"typedef (.*?)(\w+)\s*\((.*)\)$", text, re.S)
            self.callbacks[m[2]] = self.signature(m[1], m[3])
        else:
            m = re.match(r"(.*?)(\w+)\s*\((.*)\)$", text, re.S)
            self.functions[m[2]] = self.signature(m[1], m[3])
            self.docs[m[2]] = doc

    def comment_before(self, at):
        lines = self.text[:at].split("\n")[:-1]
        first = len(lines)
        while first > 0 and lines[first - 1].startswith("//"):
            first -= 1
        return words("\n".join(lines[first:]))

    def comment_after(self, at):
        """On the rest of the line, and on lines after it that hold nothing else."""
        lines = self.text[at:].split("\n")
        rest = lines[0].partition("//")[2]
        for line in lines[1:]:
            if not rest or not re.match(r"\s{12,}//", line):
                break
            rest += " " + line.strip().lstrip("/").strip()
        return rest.strip()

    def enum(self, name, body, at, doc):
        value, members = -1, []
        for part in re.finditer(r"(\w+)(?:\s*=\s*([^,]+))?\s*(?:,|$)", body):
            if part[2]:
                value = eval("(" + re.sub(r"(\d)u\b", r"\1", part[2]) + ")", {}, dict(self.constants))
            else:
                value += 1
            self.constants[part[1]] = value
            members.append(part[1])
        if name:
            self.enums[name] = (members, doc)

    def struct(self, name, body, at, doc):
        fields, docs = [], {}
        for part in re.finditer(r"[^;]+;", body):
            text = part.group()[:-1].strip()
            names = []
            call = re.match(r"(.*?)\(\*(\w+)\)\s*\((.*)\)$", text, re.S)
            if call:
                names = [(call[2], self.function_type(self.signature(call[1], call[3])))]
            else:
                names = list(self.members(text))
            fields += names
            comment = self.comment_after(at + part.end())
            for member, _ in names:
                docs[member] = comment
        self.structs[name] = (fields, docs, doc)

    def members(self, text):
        m = re.match(r"((?:const )?\w+)(.*)$", text, re.S)
        base = m[1]
        for part in m[2].split(","):
            d = re.match(r"\s*((?:\*|\bconst\b|\s)*)(\w+)((?:\[[\w +]+\])*)$", part)
            kind = self.type(base, d[1], False)
            for size in reversed(re.findall(r"\[([\w +]+)\]", d[3])):
                kind = f"{kind} * {eval(size, {}, dict(self.constants))}"
            yield d[2], kind

    def type(self, base, stars, result):
        """The ctypes name. Pointers are c_void_p, so that addresses, arrays and None can be given."""
        base = base.replace("const", "").strip()
        depth = stars.count("*")
        if depth == 0:
            return NUMBERS.get(base) or ("c_int" if base in self.enums else base)
        if depth == 1 and base == "char":
            return "c_char_p"
        if depth == 1 and base in self.callbacks:
            return base
        if depth == 1 and result and base in self.structs:
            return f"POINTER({base})"
        return "c_void_p"

    def signature(self, returned, arguments):
        m = re.match(r"\s*((?:const )?\w+)\s*([*\s]*)$", returned, re.S)
        result = self.type(m[1], m[2], True)
        kinds = []
        for part in re.split(r",", arguments):
            part = part.strip()
            if part == "void":
                continue
            d = re.match(r"((?:const )?\w+)\s*((?:\*|\bconst\b|\s)*)(\w+)?((?:\[\w*\])*)$", part)
            stars = d[2] + ("*" if d[4] else "")
            # A text that is written to is an address.
            writes = d[1] == "char" and stars.count("*") == 1
            kinds.append("c_void_p" if writes else self.type(d[1], stars, False))
        return result, kinds

    def function_type(self, signature):
        result, kinds = signature
        return f"CFUNCTYPE({', '.join([result.replace('c_char_p', 'c_void_p')] + kinds)})"


def render(h):
    out = ['"""Declarations of the C interface. Written by tools/python_abi.py: do not edit."""',
           "from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int,",
           "                    c_int32, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_uint8, c_void_p)",
           ""]
    for name, value in h.constants.items():
        out.append(f"{name} = {value}")
    out += ["", "ENUMS = {"]
    for name, (members, _) in h.enums.items():
        out.append(f"    {name!r}: {members!r},")
    out += ["}", ""]
    done = set()
    items = [("callback", n) for n in h.callbacks] + [("struct", n) for n in h.structs]

    def needs(kind, name):
        text = str(h.callbacks[name] if kind == "callback" else h.structs[name][0])
        others = set(h.callbacks) | set(h.structs)
        return (set(re.findall(r"\bpli_\w+", text)) & others) - {name}

    while items:
        for kind, name in list(items):
            if needs(kind, name) <= done:
                out += [f"{name} = {h.function_type(h.callbacks[name])}", ""] if kind == "callback" \
                    else struct_lines(name, *h.structs[name])
                done.add(name)
                items.remove((kind, name))
    out += ["", "# Result and arguments of each function.", "FUNCTIONS = {"]
    for name, (result, kinds) in h.functions.items():
        out.append(f"    {name!r}: ({result}, ({', '.join(kinds)}{',' if len(kinds) == 1 else ''})),")
    out += ["}", ""]
    return "\n".join(out)


def struct_lines(name, fields, docs, doc):
    lines = ["", f"class {name}(Structure):"]
    if doc:
        lines.append(f"    {doc!r}")
    lines.append("    _fields_ = [")
    lines += [f"        ({field!r}, {kind})," for field, kind in fields]
    lines += ["    ]", "    _docs_ = {"]
    lines += [f"        {field!r}: {text!r}," for field, text in docs.items() if text]
    lines += ["    }", ""]
    return lines


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python_abi.py OUT")
    Path(sys.argv[1]).write_text(render(Headers()))


if __name__ == "__main__":
    main()
