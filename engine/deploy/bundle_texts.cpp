// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/bundle_texts.hpp"

#include <fmt/format.h>

#include "engine/core/version.hpp"
#include "engine/deploy/c_text.hpp"

namespace nw::deploy {
namespace {

constexpr const char* c_example =
    R"C(/* Reads a file of raw pixels (rows of NW_WIDTH pixels of NW_CHANNELS bytes) and prints the class. */
#include <stdio.h>
#include <stdlib.h>

#include "nw_model.h"

#ifdef NW_WEIGHTS_FILE
static int load_weights(const char *name) {
  const size_t size = 12 + 4 * (size_t)NW_WEIGHTS;
  void *bytes = malloc(size + 1); /* kept: the library reads the weights there */
  FILE *f = fopen(name, "rb");
  const size_t read = f && bytes ? fread(bytes, 1, size + 1, f) : 0;
  if (f) fclose(f);
  return nw_init(bytes, read);
}
#endif

int main(int argc, char **argv) {
  static unsigned char pixels[NW_HEIGHT * NW_WIDTH * NW_CHANNELS];
  static float scores[NW_OUTPUTS];
  FILE *f;
  int i;
#ifdef NW_WEIGHTS_FILE
  if (load_weights("c/nw_model.weights") != NW_OK)
    return fprintf(stderr, "c/nw_model.weights is not the network's\n"), 1;
#endif
  if (nw_selftest() != NW_OK) return fprintf(stderr, "the self-test fails\n"), 1;
  if (argc < 2) return printf("self-test passed\n"), 0;
  f = fopen(argv[1], "rb");
  if (!f || fread(pixels, 1, sizeof pixels, f) != sizeof pixels)
    return fprintf(stderr, "%s is too short\n", argv[1]), 1;
  fclose(f);
  nw_predict_u8(pixels, scores);
  for (i = 0; i < NW_OUTPUTS; ++i) printf("%d %s %.6g\n", i, nw_class_name(i), (double)scores[i]);
  printf("class %d %s\n", nw_best(scores), nw_class_name(nw_best(scores)));
  return 0;
}
)C";

// "@": the folder of OpenCV's headers.
constexpr const char* cpp_example = R"C(// Reads a photo with OpenCV and prints its class.
#include <fstream>
#include <iostream>
#include <iterator>
#include <@imgcodecs.hpp>
#include <@imgproc.hpp>
#include <vector>

#include "nw_model.h"

int main(int argc, char** argv) {
#ifdef NW_WEIGHTS_FILE
  static std::vector<char> weights;
  std::ifstream file("c/nw_model.weights", std::ios::binary);
  weights.assign(std::istreambuf_iterator<char>(file), {});
  if (nw_init(weights.data(), weights.size()) != NW_OK)
    return std::cerr << "c/nw_model.weights is not the network's\n", 1;
#endif
  if (nw_selftest() != NW_OK) return std::cerr << "the self-test fails\n", 1;
  if (argc < 2) return std::cout << "self-test passed\n", 0;
  cv::Mat photo = cv::imread(argv[1], NW_CHANNELS == 1 ? cv::IMREAD_GRAYSCALE : cv::IMREAD_COLOR);
  if (photo.empty()) return std::cerr << argv[1] << " cannot be read\n", 1;
  cv::resize(photo, photo, cv::Size(NW_WIDTH, NW_HEIGHT), 0, 0, cv::INTER_AREA);
  if (NW_CHANNELS == 3) cv::cvtColor(photo, photo, cv::COLOR_BGR2RGB);
  std::vector<float> scores(NW_OUTPUTS);
  nw_predict_u8(photo.data, scores.data());
  const int best = nw_best(scores.data());
  std::cout << "class " << best << ' ' << nw_class_name(best) << '\n';
}
)C";

constexpr const char* ctypes_example =
    R"PY("""Predicts with the C library: make, then python3 examples/example_ctypes.py [FILE of raw pixels]."""
import ctypes
import json
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent.parent
about = json.loads((here / "preprocessing.json").read_text(encoding="utf-8"))
classes = json.loads((here / "classes.json").read_text(encoding="utf-8"))
library = ctypes.CDLL(str(here / "libnw_model.so"))
weights = here / "c" / "nw_model.weights"
if weights.exists():
    kept = ctypes.create_string_buffer(weights.read_bytes(), weights.stat().st_size)
    library.nw_init.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    if library.nw_init(kept, weights.stat().st_size) != 0:
        sys.exit("c/nw_model.weights is not the network's")
if library.nw_selftest() != 0:
    sys.exit("the self-test fails")
if len(sys.argv) < 2:
    print("self-test passed")
    sys.exit(0)
size = about["channels"] * about["height"] * about["width"]
pixels = pathlib.Path(sys.argv[1]).read_bytes()[:size]
if len(pixels) < size:
    sys.exit(f"{sys.argv[1]} is too short")
scores = (ctypes.c_float * about["outputs"])()
library.nw_predict_u8(pixels, scores)
best = library.nw_best(scores)
print("class", best, classes[best] if best < len(classes) else "")
)PY";

constexpr const char* onnx_example =
    R"PY("""Computes the golden samples with onnxruntime and compares: python3 examples/example_onnxruntime.py."""
import json
import pathlib
import sys

import numpy as np
import onnxruntime

here = pathlib.Path(__file__).resolve().parent.parent


def tensors(path):
    """The float tensors of a safetensors file."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    begin = 8 + length

    def tensor(t):
        first, end = t["data_offsets"]
        return np.frombuffer(data[begin + first:begin + end], np.float32).reshape(t["shape"])

    return {name: tensor(t) for name, t in header.items() if name != "__metadata__"}


golden = tensors(here / "golden.safetensors")
session = onnxruntime.InferenceSession(str(here / "model.onnx"), providers=["CPUExecutionProvider"])
scores = session.run(None, {session.get_inputs()[0].name: golden["inputs"]})[0]
difference = float(np.abs(scores.reshape(golden["scores"].shape) - golden["scores"]).max())
print("largest difference", difference)
sys.exit(0 if difference <= 1e-3 * max(1.0, float(np.abs(golden["scores"]).max())) else 1)
)PY";

constexpr const char* cmake_text = R"(cmake_minimum_required(VERSION 3.13)
project(nw_model C)
set(CMAKE_C_STANDARD 99)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
add_library(nw_model c/nw_model.c)
target_include_directories(nw_model PUBLIC c)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/c/nw_model.weights)
  target_compile_definitions(nw_model PUBLIC NW_WEIGHTS_FILE)
endif()
if(UNIX)
  target_link_libraries(nw_model PUBLIC m)
endif()
add_executable(example examples/example.c)
target_link_libraries(example nw_model)
enable_testing()
add_test(NAME selftest COMMAND example WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})

find_package(OpenCV QUIET COMPONENTS core imgproc imgcodecs)
if(OpenCV_FOUND)
  enable_language(CXX)
  add_executable(example_opencv examples/example.cpp)
  target_link_libraries(example_opencv nw_model opencv_core opencv_imgproc opencv_imgcodecs)
endif()
)";

constexpr const char* make_text = R"(# make: a shared library for Python, and the C example; make test: the self-test.
CFLAGS ?= -O3 -march=native
FLAGS = -std=c99 -Wall -Wextra -pedantic -Ic $(if $(wildcard c/nw_model.weights),-DNW_WEIGHTS_FILE)

all: libnw_model.so example

libnw_model.so: c/nw_model.c c/nw_model.h
	$(CC) $(FLAGS) $(CFLAGS) -fPIC -shared c/nw_model.c -o $@ -lm

example: examples/example.c c/nw_model.c c/nw_model.h
	$(CC) $(FLAGS) $(CFLAGS) examples/example.c c/nw_model.c -o $@ -lm

test: example
	./example

clean:
	rm -f libnw_model.so example

.PHONY: all test clean
)";

constexpr const char* license_text =
    "The C library, the examples and the build files of this folder were written by Netwright and are under the "
    "Apache\n"
    "License 2.0 (SPDX-License-Identifier: Apache-2.0, https://www.apache.org/licenses/LICENSE-2.0).\n\n"
    "The weights, in model.onnx, model.safetensors and c/, belong to whoever trained the network, within what the\n"
    "licence of the training data allows. Netwright claims nothing of them.\n";

std::string cpp_text(const BundleInputs&, const CLibrary&) {
  std::string text(cpp_example);
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, "opencv2/");
  return text;
}

std::string readme_text(const BundleInputs& b, const CLibrary& c) {
  return fmt::format(
      "# {}\n\nA network with its proof, written by Netwright {}. `PROOF.json` says what was compared and holds the "
      "SHA-256 of every\nother file; `netwright-cli verify DIR` compares them.\n\n"
      "- `c/`: a C99 library without dependencies, {} weights, {} bytes of memory for a picture. `make test` runs its "
      "self-test.\n"
      "- `model.onnx`: takes pixels from 0 to 255 (N,C,H,W). `model.safetensors`: the weights under PyTorch's names.\n"
      "- `preprocessing.json`, `classes.json`: what the C library and the ONNX file do inside already.\n"
      "- `golden.safetensors`: pictures, and the outputs that every form of the network must give.\n"
      "- `examples/`: C, C++ with OpenCV, Python with ctypes and with onnxruntime.\n",
      c_words(b.source.name), c_words(version()), c.parameters, c.arena * 4);
}

std::string preprocessing_text(const BundleInputs& b, const CLibrary& c) {
  const RunDefinition& d = b.proof.definition;
  const std::size_t channels = static_cast<std::size_t>(d.channels);
  std::vector<float> mean = b.source.mean, deviation = b.source.deviation;
  mean.resize(channels, 0);
  deviation.resize(channels, 1);
  return Json{{"channels", d.channels},
              {"height", d.height},
              {"width", d.width},
              {"order", d.channels == 3 ? "RGB" : "grey"},
              {"outputs", c.outputs},
              {"divide_by", 255},
              {"mean", mean},
              {"std", deviation},
              {"inside_onnx", !b.source.mean.empty()},
              {"inside_c", true}}
             .dump(2) +
         "\n";
}

std::string classes_text(const BundleInputs& b, const CLibrary&) {
  return Json(b.source.classes).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

const BundleText texts[] = {
    {"README.md", readme_text},
    {"LICENSE.txt", [](const BundleInputs&, const CLibrary&) { return std::string(license_text); }},
    {"MODEL_CARD.markdown", [](const BundleInputs& b, const CLibrary&) { return b.model_card; }},
    {"preprocessing.json", preprocessing_text},
    {"classes.json", classes_text},
    {"CMakeLists.txt", [](const BundleInputs&, const CLibrary&) { return std::string(cmake_text); }},
    {"Makefile", [](const BundleInputs&, const CLibrary&) { return std::string(make_text); }},
    {"examples/example.c", [](const BundleInputs&, const CLibrary&) { return std::string(c_example); }},
    {"examples/example.cpp", cpp_text},
    {"examples/example_ctypes.py", [](const BundleInputs&, const CLibrary&) { return std::string(ctypes_example); }},
    {"examples/example_onnxruntime.py", [](const BundleInputs&, const CLibrary&) { return std::string(onnx_example); }},
};

}  // namespace

std::span<const BundleText> bundle_texts() { return texts; }

}  // namespace nw::deploy
