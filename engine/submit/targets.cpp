// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/submit/target.hpp"

namespace nw::submit {

bool Target::takes(std::string_view field) const {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

const Target* find_target(std::string_view name) {
  for (const Target* target : all_targets())
    if (target->name == name) return target;
  return nullptr;
}

std::string target_names() {
  std::string names;
  for (const Target* target : all_targets()) names += (names.empty() ? "" : ", ") + std::string(target->name);
  return names;
}

}  // namespace nw::submit
