// SPDX-License-Identifier: Apache-2.0
// A layer that has no form in 8 bits, computed alone in fp32 between whole numbers.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/compile/flat_network.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::compress::int8 {

/// One thread at a time.
class RealLayer {
 public:
  /// `weights`: by the layer's names in files. For up to `batch` images at once. Errc::bad_input: the layer reads
  /// several values, or values that are neither images nor vectors; its weights are missing.
  static Result<std::unique_ptr<RealLayer>> make(const FlatLayer&, const exchange::Weights& weights,
                                                 std::int64_t batch);
  /// Numbers in the order C, H, W: (count, inputs) to (count, outputs).
  Status run(std::span<const float> in, std::int64_t count, std::vector<float>& numbers);

 private:
  RealLayer() = default;
  Compiled compiled_;
  int output_ = -1;
  std::unique_ptr<Team> team_;
  std::shared_ptr<const Device> device_;
  std::unique_ptr<Executable> executable_;  // last member, destroyed first
};

}  // namespace nw::compress::int8
