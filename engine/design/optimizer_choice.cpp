// SPDX-License-Identifier: Apache-2.0
#include "engine/design/optimizer_choice.hpp"

#include <algorithm>

#include "kernels/optimizer.hpp"

namespace nw {
namespace {

// Whether `value` is the default of the field: of the chosen optimizer, or of any optimizer if the chosen one lacks the
// field.
bool says_nothing(const Optimizer* chosen, std::string_view field, double value) {
  if (chosen)
    if (const OptimizerField* own = find_field(*chosen, field)) return own->otherwise == value;
  const auto all = all_optimizers();
  return std::any_of(all.begin(), all.end(), [&](const Optimizer& o) {
    const OptimizerField* f = find_field(o, field);
    return f && f->otherwise == value;
  });
}

}  // namespace

void OptimizerChoice::choose(std::string_view name) {
  name_ = name;
  forget_defaults();
}

double OptimizerChoice::value(std::string_view field) const {
  if (const auto set = set_.find(field); set != set_.end()) return set->second;
  if (const Optimizer* chosen = find_optimizer(name_))
    if (const OptimizerField* own = find_field(*chosen, field)) return own->otherwise;
  for (const Optimizer& o : all_optimizers())
    if (const OptimizerField* f = find_field(o, field)) return f->otherwise;
  return 0;
}

void OptimizerChoice::set(std::string_view field, double value) {
  set_.insert_or_assign(std::string(field), value);
  forget_defaults();
}

void OptimizerChoice::forget_defaults() {
  std::erase_if(set_, [o = find_optimizer(name_)](const auto& v) { return says_nothing(o, v.first, v.second); });
}

}  // namespace nw
