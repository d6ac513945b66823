// SPDX-License-Identifier: Apache-2.0
// Checks a plan against the list of kernels, the device, and the callers that read values by name.
#include <algorithm>

#include "engine/compile/context.hpp"
#include "kernels/catalogue.hpp"

namespace nw::compiling {
namespace {

/// Removes and returns the first word of a list; empty if there is none.
std::string_view next_word(std::string_view& list) {
  list.remove_prefix(std::min(list.find_first_not_of(' '), list.size()));
  const std::string_view word = list.substr(0, list.find(' '));
  list.remove_prefix(word.size());
  return word;
}

bool has_word(std::string_view list, std::string_view wanted) {
  for (std::string_view word = next_word(list); !word.empty(); word = next_word(list))
    if (word == wanted) return true;
  return false;
}

/// Whether `values` match a signature such as "x w b?": b may be -1 or missing. "x*" stands for one or more.
bool fits(std::string_view signature, const std::vector<int>& values) {
  std::size_t at = 0;
  for (std::string_view word = next_word(signature); !word.empty(); word = next_word(signature)) {
    if (word.back() == '*')
      return at < values.size() &&
             std::all_of(values.begin() + static_cast<long>(at), values.end(), [](int v) { return v >= 0; });
    const bool given = at < values.size() && values[at] >= 0;
    if (!given && word.back() != '?') return false;
    ++at;
  }
  return values.size() <= at;
}

bool in_catalogue(const Step& s) {
  const KernelInfo* kernel = find_kernel(s.kernel);
  if (!kernel || !fits(kernel->inputs, s.inputs) || !fits(kernel->outputs, s.outputs)) return false;
  return std::all_of(s.attrs.begin(), s.attrs.end(),
                     [&](const auto& attr) { return has_word(kernel->attrs, attr.first); });
}

}  // namespace

void check_steps(Context& c) {
  // If a kernel that every device has is rejected, the number format is the reason: reported once, not per layer.
  const Text format = c.target.device ? c.target.device->supports(c.out.plan, {.kernel = "all_reduce"}) : Text{};
  if (!format.empty()) {
    c.report(Severity::error, nullptr, format);
    return;
  }
  for (const Step& s : c.out.plan.steps) {
    Text why;
    if (!in_catalogue(s))
      why = text(NW_TR("This is a bug of Netwright: no kernel {0} accepts these operands"), s.kernel);
    else if (c.target.device)
      why = c.target.device->supports(c.out.plan, s);
    if (why.empty()) continue;
    const auto it = std::find_if(c.nodes.begin(), c.nodes.end(), [&](const FlatNode& n) { return n.name == s.label; });
    c.report(Severity::error, it == c.nodes.end() ? nullptr : &*it, why);
  }
}

// The output of a bypassed layer is its input value. The value of the Input is called "images" whatever the layer's
// name.
void name_aliases(Context& c) {
  Plan& plan = c.out.plan;
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    const FlatNode& node = c.nodes[i];
    const int from = c.passed[i];
    if (!node.live || from < 0 || (!node.passes_through && from != c.input) || plan.find(node.name) >= 0) continue;
    const int value = plan.find(from == c.input ? "images" : c.nodes[static_cast<std::size_t>(from)].name);
    if (value < 0) continue;
    Value alias = plan.values[static_cast<std::size_t>(value)];
    alias.name = node.name;
    alias.role = Role::activation;
    alias.alias_of = value;
    alias.offset_bytes = -1;
    plan.values.push_back(std::move(alias));
  }
}

}  // namespace nw::compiling
