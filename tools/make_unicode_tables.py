#!/usr/bin/env python3
"""Writes csrc/lex/unicode_tables.c from the Unicode Character Database.

    apt-get download unicode-data && dpkg -x unicode-data_*.deb ucd
    tools/make_unicode_tables.py ucd/usr/share/unicode > csrc/lex/unicode_tables.c

A set of code points is written as the distances between its boundaries (first of a range, first
after it, first of the next ...), each as a little-endian base-128 number. All sets lie in one array
of bytes; a table of names, sorted, says where each begins. See csrc/lex/unicode.c.
"""
import re
import sys
from pathlib import Path

LAST = 0x10FFFF

# Table 68 of ECMA-262: the binary properties that \p{...} knows, and no others.
BINARY = """ASCII ASCII_Hex_Digit Alphabetic Any Assigned Bidi_Control Bidi_Mirrored Case_Ignorable Cased
Changes_When_Casefolded Changes_When_Casemapped Changes_When_Lowercased Changes_When_NFKC_Casefolded
Changes_When_Titlecased Changes_When_Uppercased Dash Default_Ignorable_Code_Point Deprecated Diacritic Emoji
Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic Extender
Grapheme_Base Grapheme_Extend Hex_Digit IDS_Binary_Operator IDS_Trinary_Operator ID_Continue ID_Start
Ideographic Join_Control Logical_Order_Exception Lowercase Math Noncharacter_Code_Point Pattern_Syntax
Pattern_White_Space Quotation_Mark Radical Regional_Indicator Sentence_Terminal Soft_Dotted
Terminal_Punctuation Unified_Ideograph Uppercase Variation_Selector White_Space XID_Continue
XID_Start""".split()


def lines(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line and not line.startswith("@"):
            yield [field.strip() for field in line.split(";")]


def span(text):
    low, _, high = text.partition("..")
    return range(int(low, 16), int(high or low, 16) + 1)


def read_sets(path, into, wanted=None):
    for fields in lines(path):
        if wanted is None or fields[1] in wanted:
            into.setdefault(fields[1], set()).update(span(fields[0]))


def general_categories(root):
    found, first = {}, None
    for fields in lines(root / "UnicodeData.txt"):
        point, name, category = int(fields[0], 16), fields[1], fields[2]
        if name.endswith(", First>"):
            first = point
            continue
        points = range(first, point + 1) if name.endswith(", Last>") else [point]
        found.setdefault(category, set()).update(points)
    everything = set(range(LAST + 1))
    found["Cn"] = everything.difference(*found.values())
    for group in "LMNPSZC":
        found[group] = set().union(*(points for name, points in found.items() if name[0] == group and len(name) == 2))
    found["LC"] = found["Lu"] | found["Ll"] | found["Lt"]
    return found


def value_aliases(root, prop):
    for fields in lines(root / "PropertyValueAliases.txt"):
        if fields[0] == prop:
            yield fields[1:]


def property_aliases(root):
    return {fields[1]: fields[0] for fields in lines(root / "PropertyAliases.txt")}


def script_extensions(root, scripts, short_names):
    extended = {name: set(points) for name, points in scripts.items()}
    long_names = {short: long for long, short in short_names.items()}
    for fields in lines(root / "ScriptExtensions.txt"):
        points = set(span(fields[0]))
        names = {long_names[short] for short in fields[1].split()}
        for name in extended:
            if name in names:
                extended[name] |= points
            else:
                extended[name] -= points
    return extended


def binary_properties(root, categories):
    found = {}
    for path in ("PropList.txt", "DerivedCoreProperties.txt", "emoji/emoji-data.txt"):
        read_sets(root / path, found, BINARY)
    read_sets(root / "DerivedNormalizationProps.txt", found, ["Changes_When_NFKC_Casefolded"])
    read_sets(root / "extracted" / "DerivedBinaryProperties.txt", found, ["Bidi_Mirrored"])
    found["ASCII"] = set(range(128))
    found["Any"] = set(range(LAST + 1))
    found["Assigned"] = found["Any"] - categories["Cn"]
    assert sorted(found) == sorted(BINARY), set(BINARY) ^ set(found)
    return found


def encode(points):
    boundaries, previous = [], None
    for point in sorted(points):
        if previous is None or point != previous + 1:
            if previous is not None:
                boundaries.append(previous + 1)
            boundaries.append(point)
        previous = point
    if previous is not None:
        boundaries.append(previous + 1)
    out, last = bytearray(), 0
    for boundary in boundaries:
        gap, last = boundary - last, boundary
        while gap >= 128:
            out.append(gap % 128 + 128)
            gap //= 128
        out.append(gap)
    return bytes(out)


class Table:
    def __init__(self):
        self.blob, self.places = bytearray(), {}

    def place(self, points):
        code = encode(points)
        if code not in self.places:
            self.places[code] = len(self.blob)
            self.blob += code
        return self.places[code], len(code)


def write_names(name, entries):
    print(f"\nconst gm_unicode_name gm_unicode_{name}[] = {{")
    row = "   "
    for alias, (offset, length) in sorted(entries.items()):
        item = f' {{"{alias}", {offset}, {length}}},'
        if len(row) + len(item) > 118:
            print(row)
            row = "   "
        row += item
    print(row + f"\n}};\nconst size_t gm_unicode_{name}_count = {len(entries)};")


def main():
    root = Path(sys.argv[1])
    version = re.search(r"DerivedCoreProperties-([\d.]+)\.txt", (root / "DerivedCoreProperties.txt").read_text()).group(1)
    table = Table()

    categories = general_categories(root)
    category_names = {}
    for names in value_aliases(root, "gc"):
        for name in names:
            category_names[name] = table.place(categories[names[0]])

    scripts, short_names, script_lists = {}, {}, []
    read_sets(root / "Scripts.txt", scripts)
    for names in value_aliases(root, "sc"):
        if names[1] in scripts:
            short_names[names[1]] = names[0]
            script_lists.append(names)
    extended = script_extensions(root, scripts, short_names)
    script_names, extension_names = {}, {}
    for names in script_lists:
        for name in names:
            script_names[name] = table.place(scripts[names[1]])
            extension_names[name] = table.place(extended[names[1]])

    aliases = property_aliases(root)
    binary_names = {}
    for name, points in binary_properties(root, categories).items():
        place = table.place(points)
        binary_names[name] = place
        if name in aliases and name not in ("ASCII", "Any", "Assigned"):
            binary_names[aliases[name]] = place

    print("/*\n * lex/unicode_tables.c - generated by tools/make_unicode_tables.py from the Unicode Character Database")
    print(f" * {version}. Do not edit.\n *\n * Copyright of the data: Unicode, Inc., under the Unicode License (unicode.org/license.txt).\n */")
    print('#include "lex/unicode_tables.h"\n\nconst uint8_t gm_unicode_sets[] = {')
    row = "   "
    for byte in table.blob:
        item = f"{byte},"
        if len(row) + len(item) > 119:
            print(row)
            row = "   "
        row += item if row != "   " else " " + item
    print(row + "\n};")
    write_names("categories", category_names)
    write_names("scripts", script_names)
    write_names("script_extensions", extension_names)
    write_names("binary_properties", binary_names)


main()
