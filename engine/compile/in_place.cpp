// SPDX-License-Identifier: Apache-2.0
// Results that lie where an operand lay that nobody reads any more: a processor fetches each line it writes, so this is
// a third of what moves. For the layout of batches in lanes alone, whose kernels are known to read a place before they
// write it.
#include <algorithm>
#include <array>

#include "engine/compile/context.hpp"
#include "kernels/catalogue.hpp"

namespace nw::compiling {
namespace {

/// Inputs [first, last) of a kernel that its first output may replace, most wanted first.
struct InPlaceCandidate {
  std::string_view kernel;
  std::size_t first, last;
  bool rounds = false;  // only where it rounds its operands itself: then it makes each number in one go
};
constexpr std::array replaceable = {InPlaceCandidate{"relu_grad", 0, 1},
                                    InPlaceCandidate{"add", 0, 2},
                                    InPlaceCandidate{"add_relu", 0, 2},
                                    InPlaceCandidate{"add_relu_grad", 1, 3},
                                    InPlaceCandidate{"batch_norm_grad_input", 0, 2},
                                    InPlaceCandidate{"conv2d_grad_input_relu", 2, 3, true}};

Value& value(Plan& p, int v) { return p.values[static_cast<std::size_t>(v)]; }

bool same_form(const Value& a, const Value& b) {
  return a.layout == Layout::lanes16 && b.layout == Layout::lanes16 && a.dtype == b.dtype && a.batched && b.batched &&
         a.shape == b.shape;
}

/// Input k of step i, and all that lies there, is read by nobody else from here on.
bool ends_here(Plan& p, std::size_t i, std::size_t k) {
  const int root = root_of(p, p.steps[i].inputs[k]);
  const Role role = value(p, root).role;
  if (role != Role::gradient && role != Role::saved && role != Role::activation) return false;
  const auto lies_there = [&](int v) { return v >= 0 && root_of(p, v) == root; };
  for (std::size_t other = 0; other < p.steps[i].inputs.size(); ++other)
    if (other != k && lies_there(p.steps[i].inputs[other])) return false;
  for (std::size_t later = i + 1; later < p.steps.size(); ++later)
    for (const auto* list : {&p.steps[later].inputs, &p.steps[later].outputs})
      if (std::any_of(list->begin(), list->end(), lies_there)) return false;
  return true;
}

}  // namespace

void write_in_place(Plan& p) {
  if (!p.training) return;  // what is not trained may be looked at
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    const Step& s = p.steps[i];
    const auto row = std::find_if(replaceable.begin(), replaceable.end(),
                                  [&](const InPlaceCandidate& r) { return r.kernel == s.kernel; });
    if (row == replaceable.end() || (row->rounds && !rounds_operands(s)) || value(p, s.outputs[0]).alias_of >= 0)
      continue;
    for (std::size_t k = row->first; k < std::min(row->last, s.inputs.size()); ++k) {
      if (s.inputs[k] < 0 || !same_form(value(p, s.inputs[k]), value(p, s.outputs[0])) || !ends_here(p, i, k)) continue;
      value(p, s.outputs[0]).alias_of = s.inputs[k];
      break;
    }
  }
}

}  // namespace nw::compiling
