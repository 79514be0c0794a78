"""Writes a C++ source that holds a file's bytes: python3 embed.py INPUT OUTPUT."""

import pathlib
import sys


def main():
    data = pathlib.Path(sys.argv[1]).read_bytes()
    rows = [", ".join(str(byte) for byte in data[at : at + 24]) for at in range(0, len(data), 24)]
    pathlib.Path(sys.argv[2]).write_text(
        '#include "schema/builtin_files.h"\n\nnamespace transom {\nnamespace {\n'
        "constexpr unsigned char kBytes[] = {\n" + ",\n".join(rows) + "};\n}  // namespace\n\n"
        "std::string_view builtin_descriptor_set() {\n"
        "  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)};\n}\n\n}  // namespace transom\n"
    )


if __name__ == "__main__":
    main()
