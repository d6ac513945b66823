#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What another reader finds in a PDF: one JSON object with its text, its pages and its pictures.

    pdf_peer.py FILE

Reads with pypdf, else with poppler's pdftotext and pdfimages; ends with 77 where there is neither. report_pdf_test.cpp calls it with the
Python that NETWRIGHT_PYTHON names, or python3.
"""
import json
import shutil
import subprocess
import sys
import unicodedata


def parts_of(page):
    return [part.get_object() for part in page["/Resources"].get("/XObject", {}).values()]


def is_picture(part):
    return part["/Subtype"] == "/Image" and min(part["/Width"], part["/Height"]) > 100


def by_pypdf(file):
    from pypdf import PdfReader
    pages = PdfReader(file, strict=True).pages
    return {"reader": "pypdf", "pages": len(pages), "text": "\n".join(page.extract_text() for page in pages),
            "pictures": sum(is_picture(part) for page in pages for part in parts_of(page))}


def by_poppler(file):
    def output(*words):
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout
    text = output("pdftotext", "-layout", file, "-")
    rows = [line.split() for line in output("pdfimages", "-list", file).splitlines()[2:]]
    return {"reader": "poppler", "pages": text.count("\f"), "text": text,
            "pictures": sum(row[2] == "image" and min(int(row[3]), int(row[4])) > 100 for row in rows)}


def main():
    try:
        found = by_pypdf(sys.argv[1])
    except ImportError:
        if not shutil.which("pdftotext") or not shutil.which("pdfimages"):
            print("no reader of PDF: neither pypdf nor poppler's programs (poppler-utils)")
            return 77
        found = by_poppler(sys.argv[1])
    # Qt names a sign by the first letter of its font that looks so: a tab for a space, a radical for a word of the same form.
    found["text"] = " ".join(unicodedata.normalize("NFKC", found["text"]).split())
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
