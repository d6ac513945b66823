// SPDX-License-Identifier: Apache-2.0
// The record that is an optimizer. It drives the settings and their JSON, limits, lowering, the catalogue of kernels,
// the names of states in checkpoints, and the window's panel. Adding an optimizer = adding one file
// kernels/optimizers/x.hpp that defines a struct of that name: its `record`, its Scalars, and its update as an element
// function that every backend compiles.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/math/update.hpp"

#define NW_TR(english) english  // as in kernels/result.hpp, which the device's compiler need not read

namespace nw {

/// One hyper-parameter of an optimizer. Its name is the key in project files and the attribute of the step. A name that
/// several optimizers share has the same text and range in each; only defaults differ (see optimizer_fields.hpp).
struct OptimizerField {
  enum class Kind : std::uint8_t { real, boolean };
  std::string_view name;
  Kind kind = Kind::real;
  double otherwise = 0;     // the default; a boolean's is 0 or 1
  double lo = 0, hi = 1;    // both allowed
  double step = 0;          // of the window's control; 0: 1, 2, 5, 10
  const char* label = "";   // NW_TR
  const char* help = "";    // NW_TR: one sentence
  const char* zero = "";    // NW_TR: shown instead of 0; empty: the number
  std::string_view unit{};  // behind the number
  std::string_view only{};  // shown where this other field is not 0; empty: always
};

/// A tensor that the optimizer keeps for each weight: "momentum conv1.weight" in optimizer.safetensors.
struct OptimizerState {
  std::string_view name;
  std::string_view only{};  // kept where this field is not 0; empty: always
};

struct Optimizer {
  static constexpr int most_fields = 8, most_states = 4, most_scalar_bytes = 64;
  std::string_view name;     // in project files, and of the kernel: "sgd"
  std::string_view title;    // "SGD"
  const char* summary = "";  // NW_TR: one sentence for the window and the documentation
  std::span<const OptimizerField> fields{};
  std::span<const OptimizerState> state{};
  bool norms = false;  // scalars() needs UpdatePoint's norms; a weight_norms step comes before the update
  /// Writes the struct's Scalars for one weight in one step. `values`: in the order of `fields`. Set by the list.
  void (*scalars)(const double* values, const UpdatePoint&, void* to) = nullptr;
};

/// In the order of the file names; made by CMake.
std::span<const Optimizer> all_optimizers();
const Optimizer* find_optimizer(std::string_view name);  // nullptr: no such optimizer
/// Index in all_optimizers().
std::int64_t optimizer_index(const Optimizer&);
const OptimizerField* find_field(const Optimizer&, std::string_view name);  // nullptr: no such field

}  // namespace nw
