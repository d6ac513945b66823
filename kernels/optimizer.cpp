// SPDX-License-Identifier: Apache-2.0
#include "kernels/optimizer.hpp"

#include <algorithm>

namespace nw {

const Optimizer* find_optimizer(std::string_view name) {
  for (const Optimizer& o : all_optimizers())
    if (o.name == name) return &o;
  return nullptr;
}

std::int64_t optimizer_index(const Optimizer& o) { return &o - all_optimizers().data(); }

const OptimizerField* find_field(const Optimizer& o, std::string_view name) {
  const auto at =
      std::find_if(o.fields.begin(), o.fields.end(), [&](const OptimizerField& f) { return f.name == name; });
  return at == o.fields.end() ? nullptr : &*at;
}

}  // namespace nw
