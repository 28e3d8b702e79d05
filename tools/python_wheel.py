#!/usr/bin/python3
"""Packs the Python package of a build folder, the library and the command into a wheel.

A wheel is a zip with metadata, so the standard library suffices. It runs where the libraries of the
distribution that libpliant links are installed (docs/PYTHON.md). The same files give the same bytes.
usage: python_wheel.py BUILD OUT_FOLDER
"""
import base64
import hashlib
import platform
import re
import sys
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


def main(build, out):
    build, out = Path(build), Path(out)
    cmake = (SOURCE / "CMakeLists.txt").read_text()
    version = re.search(r"project\(pliant VERSION ([\d.]+)", cmake)[1]
    abi = re.search(r"PLI_ABI_VERSION (\d+)", (SOURCE / "include/pliant/base.h").read_text())[1]
    tag = f"py3-none-linux_{platform.machine()}"
    info = f"pliant-{version}.dist-info"
    files = {f"pliant/{p.name}": (p.read_bytes(), False)
             for p in sorted((build / "python/pliant").iterdir()) if p.is_file()}
    files[f"pliant/libpliant.so.{abi}"] = (build / f"libpliant.so.{abi}").read_bytes(), True
    files["pliant/pliant"] = (build / "pliant").read_bytes(), True
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: pliant\nVersion: {version}\n"
        "Summary: Simulation of deformable and rigid bodies by energy minimization\nLicense: MIT\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n").encode(), False
    files[f"{info}/LICENSE"] = (SOURCE / "LICENSE").read_bytes(), False
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: pliant\nRoot-Is-Purelib: false\n"
                              f"Tag: {tag}\n").encode(), False
    record = []
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}")
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode(), False
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"pliant-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, (data, executable) in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            wheel.writestr(entry, data)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python_wheel.py BUILD OUT_FOLDER")
    main(*sys.argv[1:])
