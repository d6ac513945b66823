// SPDX-License-Identifier: Apache-2.0
// How fast networks were trained on processors that somebody measured: the figures of docs/performance.md, to compare
// with those of this computer. One record a processor.
#pragma once
#include <array>
#include <span>
#include <string_view>

namespace nw::scaling {

/// The templates that are compared, in the order of the figures; each with its own batch.
inline constexpr std::array<std::string_view, 4> compared_networks{"lenet5", "mlp", "resnet18-cifar", "vgg13-cifar"};
/// Threads of those trainings.
inline constexpr int compared_threads = 2;

/// Images per second in the order of compared_networks; 0: not measured.
using TrainingSpeeds = std::array<double, compared_networks.size()>;

struct KnownProcessor {
  std::string_view name, instruction_set, date;  // "AMD EPYC", "avx512bf16", "2026-11-27"
  TrainingSpeeds fp32, sixteen_bits;             // sixteen_bits: with the faster of bf16 and automatic
};
/// The newest first.
std::span<const KnownProcessor> known_processors();

}  // namespace nw::scaling
