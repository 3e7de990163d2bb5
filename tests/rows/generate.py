#!/usr/bin/env python3
"""Writes every row file again: `python3 tests/rows/generate.py`. Needs Python 3.10 and mpmath 1.3; the result is the same on every machine."""

import pathlib
import shutil
import sys

import dxbc
import wgsl


def main():
    root = pathlib.Path(__file__).resolve().parent
    for language, source in (("dxbc", dxbc), ("wgsl", wgsl)):
        folder = root / language
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, blocks in source.files():
            text = "\n".join(block.text() for block in blocks)
            (folder / f"{name}.rows").write_text(text)
            rows = sum(len(block.rows) for block in blocks)
            special = sum(1 for block in blocks for row in block.rows if row[2])
            if rows < 40 or special < 10:
                print(f"{language}/{name}: {rows} rows, {special} special", file=sys.stderr)


main()
