"""Make the fonts of the letters in formulas: ``assets/fonts/Formulas-*.ttf``.

The letters are those of STIX Two Math, with which ziamath typesets formulas. They are enlarged so
that they are as high as those of Inter. Each font has the italic letters at their code points, and
from U+F0000 on the subscripts and the Greek capitals of ``svmviz/base/notation.py``, for which
Inter has other forms. Run it again if that module gets more letters::

    .venv/bin/python scripts/make_formula_fonts.py
"""

from pathlib import Path

import ziamath
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

from svmviz.base.notation import CAPITALS, ITALICS, SUBSCRIPTS

SOURCE = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"
FOLDER = Path(__file__).parents[1] / "assets" / "fonts"
FAMILY = "svmviz Formulas"
# Factor on all letters, with which small letters are about as high as those of Inter.
FACTOR = 1.14
# Size of subscripts, and how far they are below the line, as a fraction of the size of text.
SUBSCRIPT_SIZE, SUBSCRIPT_DEPTH = 0.7, 0.16
# Height above and below the line as in Inter, so that a formula does not change the line spacing.
ASCENT, DESCENT = 969, 242
# For each weight, the distance from the code point of an italic letter to the glyph that is taken.
# The bold letters of both alphabets follow the others at these distances.
LATIN_BOLD, GREEK_BOLD = 0x1D468 - 0x1D434, 0x1D736 - 0x1D6FC


def source_of(letter: str, *, is_bold: bool) -> int:
    """Return the code point in STIX Two Math of the glyph for an italic letter."""
    code = ord(letter)
    if not is_bold:
        return code
    if code == 0x210E:  # the italic h lies outside its alphabet
        return 0x1D489
    return code + (LATIN_BOLD if code < 0x1D6A8 else GREEK_BOLD)


def main() -> None:
    """Write both fonts."""
    for name, weight, is_bold in (("Regular", 400, False), ("SemiBold", 600, True)):
        font = TTFont(SOURCE, recalcTimestamp=False)
        letters = {ord(letter): source_of(letter, is_bold=is_bold) for letter in ITALICS.values()}
        # The bold capitals of Greek begin at U+1D6A8.
        capitals = {
            ord(private): ord(letter) + 0x1D6A8 - 0x391 if is_bold else ord(letter)
            for letter, private in CAPITALS.items()
        }
        options = Options(layout_features=[], notdef_outline=True, name_IDs=[0, 13, 14])
        options.drop_tables += ["MATH", "GSUB", "GPOS", "GDEF", "DSIG"]
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=[*letters.values(), *capitals.values()])
        subsetter.subset(font)
        scale_upem(font, round(FACTOR * 1000))
        setattr(font["head"], "unitsPerEm", 1000)  # noqa: B010 (not in the stubs)
        glyphs = font.getBestCmap() or {}
        codes = {code: glyphs[source] for code, source in (letters | capitals).items()}
        for subscript, private in SUBSCRIPTS.items():
            glyph = glyphs[source_of(ITALICS[subscript[1]], is_bold=is_bold)]
            codes[ord(private)] = add_subscript(font, glyph, f"{glyph}.sub")
        for table in font["cmap"].tables:
            table.cmap = {c: n for c, n in codes.items() if c < 0x10000 or table.format == 12}
        finish(font, name, weight)
        font.save(FOLDER / f"Formulas-{name}.ttf")


def add_subscript(font: TTFont, glyph: str, name: str) -> str:
    """Add a subscript that looks like a glyph, and return its name."""
    pen = TTGlyphPen(None)
    shift = -round(1000 * SUBSCRIPT_DEPTH)
    scaled = TransformPen(pen, (SUBSCRIPT_SIZE, 0, 0, SUBSCRIPT_SIZE, 0, shift))
    font.getGlyphSet()[glyph].draw(scaled)
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = pen.glyph()
    width, bearing = font["hmtx"][glyph]
    font["hmtx"][name] = round(SUBSCRIPT_SIZE * width), round(SUBSCRIPT_SIZE * bearing)
    return name


def finish(font: TTFont, style: str, weight: int) -> None:
    """Name a font, and give it the heights of Inter."""
    for record in (1, f"{FAMILY}"), (2, style), (4, f"{FAMILY} {style}"), (16, FAMILY), (17, style):
        font["name"].setName(record[1], record[0], 3, 1, 0x409)
    font["name"].setName(f"svmvizFormulas-{style}", 6, 3, 1, 0x409)
    heights = {
        "hhea": {"ascent": ASCENT, "descent": -DESCENT, "lineGap": 0},
        "OS/2": {
            "usWeightClass": weight,
            "sTypoAscender": ASCENT,
            "sTypoDescender": -DESCENT,
            "sTypoLineGap": 0,
            "usWinAscent": ASCENT,
            "usWinDescent": DESCENT,
        },
    }
    for table, fields in heights.items():
        for field, value in fields.items():
            setattr(font[table], field, value)


if __name__ == "__main__":
    main()
