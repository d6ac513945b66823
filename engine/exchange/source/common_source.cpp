// SPDX-License-Identifier: Apache-2.0
// What the files of both libraries share: heading, constants, helpers, and their assembly.
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/version.hpp"
#include "engine/exchange/source/settings_source.hpp"
#include "engine/exchange/source/writers.hpp"

namespace nw::exchange {
namespace {

std::string floats_text(const std::vector<float>& values) {
  std::vector<std::string> all;
  for (const float v : values) {
    const std::string text = fmt::format("{}", v);
    all.push_back(text.find_first_of(".e") == std::string::npos ? text + ".0" : text);
  }
  return python_list(all);
}

bool is_finite_list(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return v > -1e30F && v < 1e30F; });
}

/// nn.Module.train() sets an attribute of this name, and PyTorch takes no module for it.
bool has_the_modes_name(const std::string& name) { return ("." + name + ".").find(".training.") != std::string::npos; }

Status check_names(const SourceScope& scope, SourceLanguage language) {
  std::set<std::string> names;
  for (const SourceItem& i : scope.items) {
    names.insert(i.name);
    if (language == SourceLanguage::pytorch && !i.call.maker.empty() && has_the_modes_name(i.name))
      return fail(Errc::bad_input, NW_TR("{0}: PyTorch's modules keep their mode under the name training; rename it"),
                  i.name);
  }
  for (const SourceItem& i : scope.items) {
    const std::string prefix = i.name + ".";
    for (auto it = names.lower_bound(prefix); it != names.end() && it->starts_with(prefix); ++it) {
      const std::string inner = it->substr(prefix.size(), it->find('.', prefix.size()) - prefix.size());
      if (i.call.parameter || std::find(i.weights.begin(), i.weights.end(), inner) != i.weights.end())
        return fail(Errc::bad_input, NW_TR("{0} is the name of a part of {1}; rename one of the two"), *it, i.name);
    }
  }
  return {};
}

}  // namespace

std::span<const LayerRecord> layer_records(SourceLanguage language) {
  switch (language) {
    case SourceLanguage::pytorch:
      return torch_layer_records();
    case SourceLanguage::keras:
      return keras_layer_records();
  }
  return {};
}

std::span<const SourceHelper> source_helpers(SourceLanguage language) {
  switch (language) {
    case SourceLanguage::pytorch:
      return torch_source_helpers();
    case SourceLanguage::keras:
      return keras_source_helpers();
  }
  return {};
}

std::set<std::string> reserved_names(SourceLanguage language) {
  std::set<std::string> names{"x",         "i",         "self",         "name",        "range",
                              "super",     "slice",     "len",          "min",         "max",
                              "nn",        "torch",     "np",           "keras",       "layers",
                              "ops",       "json",      "math",         "gzip",        "os",
                              "random",    "argparse",  "Path",         "OrderedDict", "Image",
                              "load_file", "save_file", "safe_open",    "Samples",     "Photos",
                              "Augmented", "Lion",      "LARS",         "CosineRate",  "Schedule",
                              "model",     "network",   "Exception",    "object",      "type",
                              "int",       "float",     "str",          "list",        "dict",
                              "tuple",     "print",     "zip",          "sum",         "main",
                              "train",     "evaluate",  "predict",      "build_model", "load_weights",
                              "named",     "layer",     "check_weights"};
  for (const SourceHelper& h : source_helpers(language)) names.emplace(h.name);
  return names;
}

void add_heading(PythonLines& out, const SourceFile& f, SourceLanguage language) {
  const Shape& in = f.network.main.input;
  const std::string library(title_of(language));
  out.add(0, "\"\"\"" + python_escaped(f.source.name.empty() ? "A network" : f.source.name) + " in " + library + ".");
  out.space(1);
  out.add(0, "Written by Netwright " + version() + " as a file to read and to change.");
  out.space(1);
  out.add(0, fmt::format("Input: images of {} x {} pixels (height x width) with {} channel{}.", in[2], in[3], in[1],
                         in[1] == 1 ? "" : "s"));
  out.add(0, "Preprocessing: (pixel / 255 - MEAN) / DEVIATION for each channel; pixels are 0 to 255.");
  const std::string scores = f.flat.loss->name == "CrossEntropy"
                                 ? "one score for each class; softmax makes them shares."
                             : f.flat.loss->name == "BCEWithLogits" ? "scores; the sigmoid makes them shares."
                             : f.flat.loss->name == "BCE"           ? "shares between 0 and 1."
                                                                    : "the predicted numbers.";
  out.add(0, "Output: " + scores);
  out.add(0, "Weights: the safetensors file beside this one, by the names of the layers.");
  out.space(1);
  out.add(0, language == SourceLanguage::pytorch
                 ? "Needs torch, safetensors, numpy and Pillow; for training torchvision too."
                 : "Needs keras 3 with one of its backends, safetensors, numpy and Pillow.");
  out.add(0, "\"\"\"");
}

/// Modules that the rest of the file uses.
void add_imports(PythonLines& out, SourceLanguage language, const std::string& body) {
  struct Import {
    std::string_view line, mark;  // "": always; a line without words separates groups
  };
  static const std::vector<Import> torch{{"", ""},
                                         {"import argparse", ""},
                                         {"import gzip", "gzip."},
                                         {"import json", ""},
                                         {"import math", "math."},
                                         {"import random", ""},
                                         {"from collections import OrderedDict", "OrderedDict("},
                                         {"from pathlib import Path", ""},
                                         {"", ""},
                                         {"import numpy as np", ""},
                                         {"import torch", ""},
                                         {"from PIL import Image", ""},
                                         {"from safetensors import safe_open", ""},
                                         {"from safetensors.torch import load_file, save_file", ""},
                                         {"from torch import nn", ""},
                                         {"", ""}};
  static const std::vector<Import> keras{{"", ""},
                                         {"import argparse", ""},
                                         {"import math", "math."},
                                         {"from pathlib import Path", ""},
                                         {"", ""},
                                         {"import keras", ""},
                                         {"import numpy as np", ""},
                                         {"from keras import layers, ops", ""},
                                         {"from PIL import Image", ""},
                                         {"from safetensors import safe_open", ""},
                                         {"from safetensors.numpy import load_file", ""},
                                         {"", ""}};
  for (const Import& i : language == SourceLanguage::pytorch ? torch : keras)
    if (i.mark.empty() || body.find(i.mark) != std::string::npos) out.add(0, i.line);
}

void add_constants(PythonLines& out, const SourceFile& f) {
  const Shape& in = f.network.main.input;
  const bool known = !f.source.mean.empty() && is_finite_list(f.source.mean) && is_finite_list(f.source.deviation);
  out.add(0, "WEIGHTS = Path(__file__).with_name(" + python_string(f.source.weights_file) + ")");
  out.add(0, "EXPORT = " + python_string(f.source.export_number) + "  # the number that WEIGHTS holds too");
  out.add(0, fmt::format("IMAGE_SHAPE = ({}, {}, {})  # channels, height, width", in[1], in[2], in[3]));
  if (known) {
    out.code(0, "MEAN = ", code(floats_text(f.source.mean)));
    out.code(0, "DEVIATION = ", code(floats_text(f.source.deviation)));
  } else {
    out.add(0, fmt::format("MEAN = [0.0] * {}  # the project names none; training measures them", in[1]));
    out.add(0, fmt::format("DEVIATION = [1.0] * {}", in[1]));
  }
  PythonCode classes{"CLASSES = [", {}, "]"};
  for (const std::string& c : f.source.classes) classes.parts.push_back(code(python_string(c)));
  if (!classes.parts.empty())
    out.code(0, "", classes);
  else
    out.add(0, "CLASSES = []  # without names, the numbers of the classes are printed");
}

/// The files of two exports, as an interrupted one leaves them, are told apart before they compute anything.
constexpr std::string_view weights_check = R"PY(
def check_weights(file):
    """Refuses the weights beside this file if another export wrote them; other files are the caller's choice."""
    if Path(file) != WEIGHTS:
        return
    with safe_open(file, "np") as weights:
        number = (weights.metadata() or {}).get("export")
    if number != EXPORT:
        raise ValueError(
            f"{WEIGHTS.name} and {Path(__file__).name} are of different exports: "
            "export both again, or copy the weights to a file of another name and name that file")
)PY";

void add_helpers(PythonLines& out, const SourceFile& f, SourceLanguage language) {
  for (const SourceHelper& h : source_helpers(language)) {
    if (!f.network.helpers.contains(std::string(h.name))) continue;
    out.space(2);
    out.text(0, h.text);
  }
}

Result<std::string> source_code(const SourceInput& source, SourceLanguage language) {
  NW_ASSIGN(const FlatNetwork flat, flatten(source.doc, {.training = false, .batch = 1}));
  if (flat.layers.size() > most_source_layers)
    return fail(Errc::bad_input, NW_TR("The network has {0} layers; at most {1} are written as source code"),
                flat.layers.size(), most_source_layers);
  PythonNames names(reserved_names(language));
  const std::string main_class = names.class_name(source.name, "Network");
  NW_ASSIGN(SourceNetwork network, source_network(flat, language, reserved_names(language), main_class));
  NW_TRY(check_names(network.main, language));
  for (const SourceScope& s : network.classes) NW_TRY(check_names(s, language));
  const SourceFile file{source, flat, network};
  PythonLines modules, body, out;
  if (language == SourceLanguage::pytorch)
    add_torch_modules(modules, file);
  else
    add_keras_functions(modules, file);
  if (modules.str().find("put_part(") != std::string::npos) network.helpers.insert({"put_part", "part_of"});
  add_constants(body, file);
  body.space(2);
  body.text(0, weights_check);
  add_helpers(body, file, language);
  body.space(2);
  body.text(0, modules.str());
  if (language == SourceLanguage::pytorch)
    add_torch_training(body, file);
  else
    add_keras_training(body, file);
  add_heading(out, file, language);
  add_imports(out, language, body.str());
  out.text(0, body.str());
  return out.str();
}

}  // namespace nw::exchange
