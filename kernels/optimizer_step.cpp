// SPDX-License-Identifier: Apache-2.0
#include "kernels/optimizer_step.hpp"

namespace nw {

OptimizerValues optimizer_values(const Optimizer& o, const StepAttrs& attrs) {
  OptimizerValues values{};
  for (std::size_t i = 0; i < o.fields.size(); ++i) {
    const OptimizerField& f = o.fields[i];
    switch (f.kind) {
      case OptimizerField::Kind::real:
        values[i] = real_attr(attrs, f.name, f.otherwise);
        break;
      case OptimizerField::Kind::boolean:
        values[i] = static_cast<double>(int_attr(attrs, f.name, static_cast<std::int64_t>(f.otherwise)));
        break;
    }
  }
  return values;
}

bool keeps_state(const Optimizer& o, const OptimizerState& state, const OptimizerValues& values) {
  if (state.only.empty()) return true;
  const OptimizerField* field = find_field(o, state.only);
  return field && values[static_cast<std::size_t>(field - o.fields.data())] != 0;
}

Penalty penalty_of(const StepAttrs& attrs) {
  return {static_cast<float>(real_attr(attrs, "l1", 0)), static_cast<float>(real_attr(attrs, "l2", 0))};
}

}  // namespace nw
