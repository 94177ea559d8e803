"""Makes the wheel and the source archive, with the standard library alone: the build backend of pyproject.toml (PEP 517), and a program.

    python3 backend.py DIST

A wheel (PEP 427) is a zip file with the package and a folder of metadata. Two builds of the same files are equal byte by byte.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
NAME = "skua"

# The time of all files in the archives: the first that a zip file can have.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
TAR_TIME = 315532800


def version() -> str:
    """Return the version of skua that the library was made with."""
    protocol = HERE / "skua" / "_protocol.py"
    if not protocol.is_file():
        raise SystemExit(f"{protocol} is missing; scripts/clients generates it")
    found = re.search(r'^VERSION = "(.*)"$', protocol.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise SystemExit("skua/_protocol.py has no VERSION")
    return found.group(1)


def license_text() -> bytes:
    """Return the license: in a source archive it is beside this file, in the repository at its top."""
    for folder in (HERE, *HERE.parents):
        if (folder / "LICENSE").is_file():
            return (folder / "LICENSE").read_bytes()
    raise SystemExit("there is no LICENSE in this folder or one around it")


def metadata() -> bytes:
    """Return what package indexes and pip read."""
    about = (HERE / "README.md").read_text(encoding="utf-8")
    head = f"""\
Metadata-Version: 2.1
Name: {NAME}
Version: {version()}
Summary: Drive a browser with skua: typed commands, results and errors
License: Apache-2.0
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.11
Description-Content-Type: text/markdown
"""
    return f"{head}\n{about}".encode()


def package_files() -> dict[str, bytes]:
    """Return the files of the package by their paths."""
    names = sorted(path for path in (HERE / "skua").iterdir() if path.suffix == ".py" or path.name == "py.typed")
    return {f"skua/{path.name}": path.read_bytes() for path in names}


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return what has to be installed for a build: nothing."""
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None) -> str:
    """Write the wheel into a folder and return its name."""
    info = f"{NAME}-{version()}.dist-info"
    files = package_files()
    files[f"{info}/METADATA"] = metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: skua\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/LICENSE"] = license_text()
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{NAME}-{version()}-py3-none-any.whl"
    os.makedirs(wheel_directory, exist_ok=True)
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, data)
    return name


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Write the source archive into a folder and return its name."""
    top = f"{NAME}-{version()}"
    files = package_files()
    for name in ("README.md", "backend.py", "pyproject.toml"):
        files[name] = (HERE / name).read_bytes()
    files["LICENSE"] = license_text()
    files["PKG-INFO"] = metadata()
    os.makedirs(sdist_directory, exist_ok=True)
    with (
        open(os.path.join(sdist_directory, f"{top}.tar.gz"), "wb") as out,
        gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{top}/{path}")
            entry.size, entry.mtime, entry.mode = len(data), TAR_TIME, 0o644
            archive.addfile(entry, io.BytesIO(data))
    return f"{top}.tar.gz"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(build_wheel(sys.argv[1]))
    print(build_sdist(sys.argv[1]))
