// SPDX-License-Identifier: Apache-2.0
// Parts of generated files. Private to engine/exchange/source.
#pragma once
#include "engine/exchange/source/python_text.hpp"
#include "engine/exchange/source/source_code.hpp"
#include "engine/exchange/source/source_tree.hpp"

namespace nw::exchange {

std::span<const LayerRecord> torch_layer_records();
std::span<const SourceHelper> torch_source_helpers();
std::span<const LayerRecord> keras_layer_records();
std::span<const SourceHelper> keras_source_helpers();

/// What the parts of one file know.
struct SourceFile {
  const SourceInput& source;
  const FlatNetwork& flat;
  const SourceNetwork& network;
};
/// Names that no class or variable of a network gets: modules, functions and constants of the file.
std::set<std::string> reserved_names(SourceLanguage);
/// The documentation at the beginning of the file.
void add_heading(PythonLines&, const SourceFile&, SourceLanguage);
/// MEAN, DEVIATION, CLASSES, IMAGE_SHAPE and the settings of the training.
void add_constants(PythonLines&, const SourceFile&);
void add_helpers(PythonLines&, const SourceFile&, SourceLanguage);

void add_torch_modules(PythonLines&, const SourceFile&);
void add_torch_training(PythonLines&, const SourceFile&);  // the loop, and the program's main function
void add_keras_functions(PythonLines&, const SourceFile&);
void add_keras_training(PythonLines&, const SourceFile&);

}  // namespace nw::exchange
