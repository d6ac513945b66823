// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/not_finite_event.hpp"

#include "engine/core/enum_names.hpp"

namespace nw {

std::string_view name_of(Pass p) {
  switch (p) {
    case Pass::forward:
      return "forward";
    case Pass::backward:
      return "backward";
    case Pass::update:
      return "update";
  }
  return "";
}

Json to_json(const NotFinite& n) {
  return {{"pass", name_of(n.pass)},
          {"layer", n.layer},
          {"tensor", n.tensor},
          {"kernel", n.kernel},
          {"reached_weights", n.reached_weights}};
}

NotFinite not_finite_from(JsonReader& r) {
  return {.pass = named<Pass>(r.string("pass")).value_or(Pass::forward),
          .layer = r.string("layer"),
          .tensor = r.string("tensor"),
          .kernel = r.string_or("kernel", ""),
          .reached_weights = r.boolean_or("reached_weights", false)};
}

}  // namespace nw
