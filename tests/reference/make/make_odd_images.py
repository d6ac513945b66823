#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/reference/odd_images: small images in class folders, one for each unusual format variant, and odd_images.json: the
result of torchvision's ImageFolder for them, GIF files included (classes, order, class indices, pixels after PIL's convert("RGB")).
Run with torchvision 0.29, Pillow 13, NumPy 2:

    python tests/reference/make/make_odd_images.py
"""
import io
import json
import shutil
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image
from torchvision.datasets import ImageFolder
from torchvision.datasets.folder import IMG_EXTENSIONS, default_loader

here = Path(__file__).resolve().parents[1]
root = here / "odd_images"
height, width = 11, 18


def picture(channels, seed=0):
    """A smooth image with an edge, so that subsampling and smoothing change pixels."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [(x * (9 + 3 * c) + y * (17 - 5 * c) + 40 * c + 13 * seed + 60 * (x > 8 + c)) % 256 for c in range(channels)]
    return np.stack(planes, axis=-1).astype(np.uint8)


rgb, rgba = Image.fromarray(picture(3)), Image.fromarray(picture(4), "RGBA")
grey = Image.fromarray(picture(1)[..., 0])
deep = (picture(1)[..., 0].astype(np.uint16) * 211 % 1024).astype(np.uint16)      # 16-bit grey: values below and above 255


def put(folder, name, image, **options):
    file = root / folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    image.save(file, **options)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_of_16_bits(channels):
    """A PNG written by hand, because PIL does not write 16-bit colours. Type 2 is RGB, 4 grey and alpha, 6 RGB and alpha."""
    values = (picture(channels).astype(np.uint32) * 251 + 77) % 65536
    lines = b"".join(b"\0" + line.astype(">u2").tobytes() for line in values)
    header = struct.pack(">IIBBBBB", width, height, 16, {2: 4, 3: 2, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")


def put_bytes(folder, name, content):
    file = root / folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


shutil.rmtree(root, ignore_errors=True)
palette = rgb.quantize(7)
turned = Image.Exif()
turned[0x0112] = 6
bits = grey.point(lambda v: 255 if v > 120 else 0).convert("1")

# Names sort by their bytes: capitals first, non-ASCII characters last.
put("Png", "grey.png", grey)
put("Png", "grey-16.png", Image.fromarray(deep))
put_bytes("Png", "rgb-16.png", png_of_16_bits(3))
put_bytes("Png", "rgba-16.png", png_of_16_bits(4))
put_bytes("Png", "grey-alpha-16.png", png_of_16_bits(2))
put("Png", "grey-alpha.png", rgba.convert("LA"))
put("Png", "rgb.PNG", rgb)
put("Png", "rgba.png", rgba)
put("Png", "palette.png", palette)
put("Png", "palette-transparent.png", palette, transparency=2)
put("Png", "one-bit.png", bits)
put("jpeg", "grey.jpg", grey, quality=88)
put("jpeg", "cmyk.jpg", Image.fromarray(picture(4, 3), "CMYK"), quality=92)
put("jpeg", "4-4-4.jpeg", rgb, quality=90, subsampling=0)
put("jpeg", "4-2-2.jpg", rgb, quality=90, subsampling=1)
put("jpeg", "4-2-0.jpg", rgb, quality=90, subsampling=2)
put("jpeg", "progressive.jpg", rgb, quality=85, progressive=True, subsampling=2)
put("jpeg", "restarts.jpg", rgb, quality=85, restart_marker_blocks=1)
put("jpeg", "exif-turned.jpg", rgb, quality=90, exif=turned)
put("other/deeper", "rgb.bmp", rgb)
put("other", "palette.bmp", palette)
put("other", "one-bit.bmp", bits)
put("other", "grey.bmp", grey)
put("other", "lossless.webp", rgb, lossless=True)
put("other", "alpha.webp", rgba, lossless=True, exact=True)
put("other", "lossy.webp", rgb, quality=90)
put("other", "rgb.tiff", rgb, compression="tiff_lzw")
put("other", "grey-16.tif", Image.fromarray(deep))


# ---- GIF: PIL's first frame -------------------------------------------------------------------------------------------------
def gif(image, **options):
    out = io.BytesIO()
    image.save(out, "GIF", **options)
    return out.getvalue()


def elsewhere(image, screen, left, top, **options):
    """A GIF whose image is at (left, top) of a logical screen of another size."""
    content = gif(image, **options)
    at = content.index(b"\x2c\0\0\0\0" + struct.pack("<HH", *image.size))
    return content[:6] + struct.pack("<HH", *screen) + content[10:at + 1] + struct.pack("<HH", left, top) + content[at + 5:]


many = Image.fromarray(picture(3, 2)).quantize(200)
put_bytes("gif", "colours.gif", gif(many, interlace=0))
put_bytes("gif", "interlaced.gif", gif(many, interlace=1))
put_bytes("gif", "grey.GIF", gif(grey))
put_bytes("gif", "transparent.gif", gif(palette, transparency=2))
put_bytes("gif", "film.gif", gif(palette, save_all=True, append_images=[palette.transpose(Image.Transpose.ROTATE_180)], duration=40, loop=0))
put_bytes("gif", "small-on-a-screen.gif", elsewhere(palette.crop((4, 2, 13, 7)), (width, height), 5, 4))
put_bytes("gif", "transparent-on-a-screen.gif", elsewhere(palette.crop((4, 2, 13, 7)), (width, height), 5, 4, transparency=3))
put_bytes("gif", "beyond-the-screen.gif", elsewhere(palette.crop((6, 3, width, height)), (7, 4), 6, 3))
four = gif(rgb.quantize(4), optimize=False)
put_bytes("gif", "few-colours.gif", four)
put_bytes("gif", "beyond-its-colours.gif", four[:10] + b"\x80" + four[11:13] + b"\xff\x80\0\0\x40\xff" + four[25:])   # the palette has two of the four colours used


# ---- PNM: as text and as bytes, any highest value ---------------------------------------------------------------------------
def pnm(kind, values, highest, comment=""):
    """A file of format P1 to P6; `values` has shape height × width (× 3)."""
    head = f"P{kind}\n{comment}{values.shape[1]} {values.shape[0]}\n" + ("" if kind in (1, 4) else f"{highest}\n")
    if kind == 4:
        return head.encode() + np.packbits(values.astype(bool), axis=1).tobytes()
    if kind >= 5:
        return head.encode() + values.astype(">u2" if highest > 255 else np.uint8).tobytes()
    return (head + "\n".join(" ".join(str(v) for v in line.ravel()) for line in values) + "\n").encode()


wide = picture(3).astype(np.uint32) * 257 + 9
wide = (wide % 65536).astype(np.uint16)
put_bytes("pnm", "bytes.ppm", pnm(6, picture(3), 255))
put_bytes("pnm", "bytes.pgm", pnm(5, picture(1)[..., 0], 255, "# made by hand\n#\n"))
put_bytes("pnm", "up-to-100.pgm", pnm(5, picture(1)[..., 0] % 120, 100))
put_bytes("pnm", "up-to-7.ppm", pnm(6, picture(3) % 8, 7))
put_bytes("pnm", "of-16-bits.ppm", pnm(6, wide, 65535))
put_bytes("pnm", "of-10-bits.ppm", pnm(6, wide % 1024, 1023))
put_bytes("pnm", "grey-16.pgm", pnm(5, deep, 65535))
put_bytes("pnm", "of-10-bits-grey-16.pgm", pnm(5, deep % 9, 1023))
put_bytes("pnm", "text.ppm", pnm(3, picture(3) % 201, 200, "# text\n"))
put_bytes("pnm", "text-of-12-bits.PPM", pnm(3, wide % 4096, 4095))
put_bytes("pnm", "text.pgm", pnm(2, picture(1)[..., 0], 255))
put_bytes("pnm", "text-grey-16.pgm", pnm(2, deep, 1023))
put_bytes("pnm", "bits.pgm", pnm(4, np.asarray(bits), 1))
put_bytes("pnm", "bits-as-text.pgm", pnm(1, np.asarray(bits).astype(int), 1))
put_bytes("pnm", "bits-without-space.pgm", b"P1 18 11\n10#one\n" + b"".join(b"%d" % v for v in np.asarray(bits).ravel()[2:]))
put("été", "rgb.png", Image.fromarray(picture(3, 5)))

data = ImageFolder(root, loader=default_loader, is_valid_file=lambda file: file.lower().endswith((*IMG_EXTENSIONS, ".gif")))
images = []
for (path, label), (image, _) in zip(data.samples, data):
    pixels = np.asarray(image)
    assert pixels.dtype == np.uint8 and pixels.shape[2] == 3
    images.append({"file": str(Path(path).relative_to(root)), "label": label, "height": pixels.shape[0], "width": pixels.shape[1], "rgb": pixels.tobytes().hex()})
(here / "odd_images.json").write_text(json.dumps({"classes": data.classes, "images": images}, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
print(sum(f.stat().st_size for f in [here / "odd_images.json", *root.rglob("*.*")] if f.is_file()), "bytes in", len(images), "images")
