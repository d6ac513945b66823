// SPDX-License-Identifier: Apache-2.0
// Plans without the values that none of their steps uses.
#include "engine/compile/context.hpp"

namespace nw::compiling {
namespace {

/// Renumbers the values: those that `kept` names, that steps use, and in whose memory one of these is stored.
void keep_values(Plan& p, std::vector<bool> kept) {
  for (const Step& s : p.steps)
    for (const auto* list : {&s.inputs, &s.outputs})
      for (const int v : *list)
        if (v >= 0) kept[static_cast<std::size_t>(v)] = true;
  for (std::size_t v = 0; v < p.values.size(); ++v)
    for (int root = p.values[v].alias_of; kept[v] && root >= 0;
         root = p.values[static_cast<std::size_t>(root)].alias_of)
      kept[static_cast<std::size_t>(root)] = true;
  std::vector<int> now(p.values.size(), -1);
  std::vector<Value> values;
  for (std::size_t v = 0; v < p.values.size(); ++v)
    if (kept[v]) {
      now[v] = static_cast<int>(values.size());
      values.push_back(std::move(p.values[v]));
    }
  p.values = std::move(values);
  for (Value& v : p.values)
    if (v.alias_of >= 0) v.alias_of = now[static_cast<std::size_t>(v.alias_of)];
  for (Step& s : p.steps)
    for (auto* list : {&s.inputs, &s.outputs})
      for (int& v : *list)
        if (v >= 0) v = now[static_cast<std::size_t>(v)];
}

template <class Keep>
void keep_where(Plan& p, Keep keep) {
  std::vector<bool> kept;
  for (const Value& v : p.values) kept.push_back(keep(v));
  keep_values(p, std::move(kept));
}

}  // namespace

void drop_unused(Plan& p, bool activations) {
  keep_where(p, [&](const Value& v) {
    return v.role != Role::gradient && v.role != Role::saved && (v.role != Role::activation || !activations);
  });
}

void keep_read_values(Plan& p, bool model) {
  keep_where(p, [&](const Value& v) { return model && (v.role == Role::weight || v.role == Role::buffer); });
}

void keep_update_values(Plan& p) {
  keep_where(p, [](const Value& v) {
    return v.role == Role::weight || v.role == Role::weight_grad || v.role == Role::optimizer ||
           v.role == Role::buffer || v.name == "targets";
  });
}

void keep_model_values(Plan& p, const std::set<std::string>& model) {
  keep_where(p, [&](const Value& v) {
    if (v.role == Role::weight || v.role == Role::buffer) return model.contains(v.name);
    if (v.role != Role::weight_grad && v.role != Role::optimizer) return v.name == "targets";
    return model.contains(v.name.substr(v.name.find(' ') + 1));
  });
}

}  // namespace nw::compiling
