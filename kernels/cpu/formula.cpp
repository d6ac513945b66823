// SPDX-License-Identifier: Apache-2.0
// Element-wise programs over parts of shards. y may be in place of an input: a block's inputs are read before its
// result is written.
#include <algorithm>
#include <memory>

#include "kernels/cpu/operators.hpp"
#include "kernels/formula_program.hpp"

namespace nw::cpu {
namespace {

/// A program, and its constants as vectors of 16 lanes.
struct Prepared {
  math::Program program;
  std::vector<float> constants;
  explicit Prepared(const StepAttrs& attrs) : program(program_of(attrs)) {
    for (int i = 0; i < program.constants; ++i)
      constants.insert(constants.end(), static_cast<std::size_t>(shard_samples), program.constant[i]);
  }
};

/// What a program makes of no image may be infinite, and sums over the batch would read it.
void clear_padding(const FormulaArgs& f, std::int64_t valid) {
  for (std::int64_t at = 0; valid < shard_samples && at < f.count; at += shard_samples)
    std::fill(f.y + at + std::max<std::int64_t>(valid, 0), f.y + at + shard_samples, 0.0f);
}

PreparedKernel formula(KernelContext& c) {
  const auto prepared = std::make_shared<const Prepared>(c.step.attrs);
  std::vector<Lanes> inputs;
  for (int i = 0; i < prepared->program.inputs; ++i) inputs.push_back(in(c, i));
  const Lanes y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  return {{per_channel(c, y,
                       [=, &k, &state](std::int64_t s, Part part, int) {
                         const std::int64_t at = part.begin(y.per_sample()) * shard_samples;
                         FormulaArgs f{&prepared->program,
                                       prepared->constants.data(),
                                       {},
                                       y.shard(s) + at,
                                       part.end(y.per_sample()) * shard_samples - at};
                         for (std::size_t i = 0; i < inputs.size(); ++i) f.x[i] = inputs[i].shard(s) + at;
                         k.layer.formula(f);
                         clear_padding(f, valid_lanes(state, s));
                       })},
          ""};
}

}  // namespace

KernelTable formula_kernels() { return {{"formula", formula}}; }

}  // namespace nw::cpu
