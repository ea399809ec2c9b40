#!/usr/bin/env python3
"""Writes csrc/lex/idna_tables.c from the Unicode Character Database.

    apt-get download unicode-data && dpkg -x unicode-data_*.deb ucd
    tools/make_idna_tables.py ucd/usr/share/unicode > csrc/lex/idna_tables.c

Which code points an internationalized label may hold is derived as RFC 5892 section 3 says; the rest
are the properties that its contextual rules, the Bidi rule of RFC 5893 and normalization form C ask
for. Code points that share all of them share one word of traits.

The longest labels: a bound on the length of a Punycode text (RFC 3492) by the number of code
points and the largest of them. A delta that needs d digits is at least the least number that needs d
digits under any bias that can occur; reaching it takes a distance between code points, of which
there is only so much. The sum of digits is maximized under that alone, so it is never too small.
"""
import sys
import unicodedata
from pathlib import Path

LAST = 0x10FFFF
ROLES = {0x2D: 2, 0x2E: 3, 0x3002: 3, 0xFF0E: 3, 0xFF61: 3, 0xB7: 4, 0x375: 5, 0x5F3: 6, 0x5F4: 6, 0x30FB: 7,
         0x200C: 8, 0x200D: 9, 0x6C: 10}
UPPER = 1
EXCEPTIONS = dict.fromkeys([0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007, 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB], True)
EXCEPTIONS.update(dict.fromkeys([*range(0x660, 0x66A), *range(0x6F0, 0x6FA)], True))
EXCEPTIONS.update(dict.fromkeys([0x640, 0x7FA, 0x302E, 0x302F, *range(0x3031, 0x3036), 0x303B], False))
IGNORABLE_BLOCKS = [(0x20D0, 0x20FF), (0x1D100, 0x1D1FF), (0x1D200, 0x1D24F)]
LETTER_DIGITS = {"Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"}
SIZES = [0x80, 0x250, 0x800, 0x3100, 0x10000, LAST + 1]  # a code point below SIZES[i] is of size i
BIDI = {"L": 0, "R": 1, "AL": 1, "AN": 2, "EN": 3, "NSM": 4, "ES": 5, "CS": 5, "ET": 5, "ON": 5, "BN": 5}
LABEL, PREFIX = 63, 4


def lines(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def span(text):
    low, _, high = text.partition("..")
    return range(int(low, 16), int(high or low, 16) + 1)


def read_set(path, *names):
    return {point for fields in lines(path) if fields[1] in names for point in span(fields[0])}


class Database:
    def __init__(self, root):
        self.category, self.bidi, self.ccc, self.mapping = {}, {}, {}, {}
        first = None
        for fields in lines(root / "UnicodeData.txt"):
            point = int(fields[0], 16)
            if fields[1].endswith(", First>"):
                first = point
                continue
            for each in range(first, point + 1) if fields[1].endswith(", Last>") else [point]:
                self.category[each], self.bidi[each], self.ccc[each] = fields[2], fields[4], int(fields[3])
                if fields[5]:
                    self.mapping[each] = fields[5].split()
        self.folded = {int(fields[0], 16) for fields in lines(root / "CaseFolding.txt") if fields[1] in "CF"}
        core, props = root / "DerivedCoreProperties.txt", root / "PropList.txt"
        self.ignorable = read_set(core, "Default_Ignorable_Code_Point") | read_set(props, "White_Space",
                                                                                   "Noncharacter_Code_Point")
        self.jamo = read_set(root / "HangulSyllableType.txt", "L", "V", "T")
        self.maybe, self.never, self.excluded = set(), set(), set()
        for fields in lines(root / "DerivedNormalizationProps.txt"):
            if fields[1] == "NFC_QC":
                (self.maybe if fields[2] == "M" else self.never).update(span(fields[0]))
            elif fields[1] == "Full_Composition_Exclusion":
                self.excluded.update(span(fields[0]))
        self.script = {point: fields[1] for fields in lines(root / "Scripts.txt") for point in span(fields[0])}
        self.joining = {int(fields[0], 16): fields[2] for fields in lines(root / "ArabicShaping.txt")}

    def unstable(self, point):
        if unicodedata.category(chr(point)) == "Cn":  # newer than Python's tables
            return point in self.mapping or point in self.folded
        folded = unicodedata.normalize("NFKC", chr(point)).casefold()
        return unicodedata.normalize("NFKC", folded) != chr(point)

    def allowed(self, point):
        if point in EXCEPTIONS:
            return EXCEPTIONS[point]
        if point not in self.category or 0xD800 <= point <= 0xDFFF:
            return False
        if point == 0x2D or 0x30 <= point <= 0x39 or 0x61 <= point <= 0x7A or point in (0x200C, 0x200D):
            return True
        if self.unstable(point) or point in self.ignorable or point in self.jamo:
            return False
        if any(low <= point <= high for low, high in IGNORABLE_BLOCKS):
            return False
        return self.category[point] in LETTER_DIGITS

    def join(self, point):
        if point in self.joining:
            return self.joining[point]
        return "T" if self.category[point] in ("Mn", "Me", "Cf") else "U"


def traits_of(data, point, orders, composers):
    role = ROLES.get(point, UPPER if 0x41 <= point <= 0x5A else 0)
    join, script = data.join(point), data.script.get(point)
    size = next(i for i, limit in enumerate(SIZES) if point < limit)
    return (role | BIDI[data.bidi[point]] << 4 | orders[data.ccc[point]] << 7 | (join in "LD") << 13
            | (join in "RD") << 14 | (join == "T") << 15 | (data.category[point][0] == "M") << 16
            | (point in data.maybe) << 17 | (point in composers) << 18 | (script == "Greek") << 19
            | (script == "Hebrew") << 20 | (script in ("Hiragana", "Katakana", "Han") and point != 0x30FB) << 21
            | (data.ccc[point] == 9) << 22 | size << 23)


def threshold(k, bias):
    return min(max(k - bias, 1), 26)


def least_with_digits(digits, bias, k=36):
    if digits == 1:
        return 0
    t = threshold(k, bias)
    return t + (36 - t) * least_with_digits(digits - 1, bias, k + 36)


def largest_bias(delta):
    k = 0
    while delta > 455:
        delta //= 35
        k += 36
    return k + 36 * delta // (delta + 38) + 1


def most_digits(basic, count, distance):
    """The digits of `count` - `basic` insertions, for code points up to 0x80 + `distance`."""
    top = largest_bias((distance + 1) * count + count)
    needs = {h: [min(least_with_digits(d, bias) for bias in ([72] if h == basic else range(top + 1)))
                 for d in range(1, 8)] for h in (basic, basic + 1)}
    cheapest = {0: 0}  # digits so far -> least distance used
    for h in range(basic, count):
        following = {}
        for total, used in cheapest.items():
            for d, need in enumerate(needs[basic if h == basic else basic + 1], 1):
                cost = used + max(0, -(-(need - h) // (h + 1)))
                if cost <= distance and cost < following.get(total + d, distance + 1):
                    following[total + d] = cost
        cheapest = following
    return max(cheapest)


def longest_label(count, size):
    if size == 0:
        return count
    distance = SIZES[size] - 1 - 0x80
    return PREFIX + max(basic + (basic > 0) + most_digits(basic, count, distance) for basic in range(count))


MOST_BEYOND = 24


def digits_of(beyond, size):
    """Of `beyond` insertions into whatever fits into a label."""
    distance = SIZES[size] - 1 - 0x80
    return max(most_digits(basic, basic + beyond, distance) for basic in range(LABEL - PREFIX - beyond))


def main():
    data = Database(Path(sys.argv[1]))
    points = [point for point in range(LAST + 1)
              if (data.allowed(point) or 0x41 <= point <= 0x5A or ROLES.get(point) == 3) and point not in data.never]
    orders = {ccc: i for i, ccc in enumerate(sorted({data.ccc[point] for point in points}))}
    valid = set(points)
    composers = set()
    for point, mapping in data.mapping.items():
        if len(mapping) == 2 and not mapping[0].startswith("<"):
            composers.add(point)  # a mark of a lower class would slip in between and find its first part
            if int(mapping[1], 16) in valid and point not in data.excluded:
                composers.add(int(mapping[0], 16))
    words = [traits_of(data, point, orders, composers) for point in points]
    distinct = sorted(set(words))
    index = {word: i for i, word in enumerate(distinct)}
    ranges = []
    for point, word in zip(points, words):
        if ranges and ranges[-1][1] == point - 1 and ranges[-1][2] == index[word]:
            ranges[-1][1] = point
        else:
            ranges.append([point, point, index[word]])

    print("""/*
 * lex/idna_tables.c - generated by tools/make_idna_tables.py from the Unicode Character Database 15.0.0.
 * Do not edit.
 *
 * Copyright of the data: Unicode, Inc., under the Unicode License (unicode.org/license.txt).
 */
#include "lex/idna_tables.h"
""")
    print(f"const uint32_t gm_idna_traits[{len(distinct)}] = {{")
    write([f"0x{word:X}," for word in distinct])
    print("};\n\nconst gm_idna_range gm_idna_ranges[] = {")
    write([f"{{0x{low:X},{high - low},{i}}}," for low, high, i in ranges])
    print(f"}};\n\nconst size_t gm_idna_range_count = {len(ranges)};\n")
    print("const uint8_t gm_idna_longest[6][64] = {")
    for size in range(6):
        row, over = [0], False
        for count in range(1, 64):
            length = LABEL + 1 if over else min(longest_label(count, size), LABEL + 1)
            over = length > LABEL
            row.append(length)
        print("    {" + ",".join(map(str, row)) + "},")
    print("};\n\nconst uint8_t gm_idna_digits[6][GM_IDNA_MOST_BEYOND + 1] = {\n    {0},")
    for size in range(1, 6):
        row, over = [0], False
        for beyond in range(1, MOST_BEYOND + 1):
            digits = LABEL if over else min(digits_of(beyond, size), LABEL)
            over = digits >= LABEL - PREFIX
            row.append(digits)
        print("    {" + ",".join(map(str, row)) + "},")
    print("};")
    print(len(distinct), len(ranges), len(orders), file=sys.stderr)


def write(items):
    line = "   "
    for item in items:
        if len(line) + len(item) > 118:
            print(line)
            line = "   "
        line += " " + item
    print(line)


main()
