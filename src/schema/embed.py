"""Writes a C++ source that holds a file's bytes: python3 embed.py INPUT OUTPUT HEADER FUNCTION."""

import pathlib
import sys


def main():
    data = pathlib.Path(sys.argv[1]).read_bytes()
    rows = [", ".join(str(byte) for byte in data[at : at + 24]) for at in range(0, len(data), 24)]
    header, function = sys.argv[3:5]
    pathlib.Path(sys.argv[2]).write_text(
        f'#include "{header}"\n\nnamespace transom {{\nnamespace {{\n'
        "constexpr unsigned char kBytes[] = {\n" + ",\n".join(rows) + "};\n}  // namespace\n\n"
        f"std::string_view {function}() {{\n"
        "  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)};\n}\n\n}  // namespace transom\n"
    )


if __name__ == "__main__":
    main()
