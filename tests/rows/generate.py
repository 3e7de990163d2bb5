#!/usr/bin/env python3
"""Writes every row file again: `python3 tests/rows/generate.py`. Needs Python 3.10 and mpmath 1.3; the result is the same on every machine."""

import pathlib
import shutil

import dxbc
import traps
import wgsl


def main():
    root = pathlib.Path(__file__).resolve().parent
    for language, source in (("dxbc", dxbc), ("wgsl", wgsl)):
        folder = root / language
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, blocks in source.files():
            blocks = list(blocks) + list(traps.blocks(language, name))
            (folder / f"{name}.rows").write_text("\n".join(block.text() for block in blocks))


main()
