"""The form of row files: see README.md."""


class Block:
    """A program and rows for it. Columns of inputs and outputs are `digits` wide each."""

    def __init__(self, title, program, inputs, outputs, digits=None):
        self.title = title
        self.program = program
        self.inputs = inputs
        self.outputs = outputs
        self.digits = digits
        self.rows = []
        self.seen = set()

    def row(self, operands, results, why=None):
        """Adds a row, unless its result is open or its operands stand already; tells whether it did."""
        if None in results or operands in self.seen:
            return False
        self.seen.add(operands)
        self.rows.append((operands, results, why))
        return True

    def width(self, entry):
        """Hexadecimal digits of a column: two components hold one number of 64 bits."""
        return 16 if len(entry.split(".")[-1]) == 2 else 8

    def text(self):
        lines = [f"# {self.title}"]
        lines += [f"program: {line}" for line in self.program]
        lines += [f"inputs: {' '.join(self.inputs)}", f"outputs: {' '.join(self.outputs)}"]
        widths = self.digits or ([self.width(entry) for entry in self.inputs], [self.width(entry) for entry in self.outputs])
        for operands, results, why in self.rows:
            assert len(operands) == len(widths[0]) and len(results) == len(widths[1]), (self.program, operands, results)
            left = " ".join(f"{bits:0{width}x}" for bits, width in zip(operands, widths[0]))
            right = " ".join(f"{bits:0{width}x}" for bits, width in zip(results, widths[1]))
            lines.append(f"{left} -> {right}" + (f" # {why}" if why else ""))
        return "\n".join(lines) + "\n"
