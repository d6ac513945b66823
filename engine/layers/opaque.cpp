// SPDX-License-Identifier: Apache-2.0
// An operator of an ONNX file that no layer is made of. It stands on the canvas with its connections and says why it
// cannot be trained; only importing makes one.
#include "engine/design/opaque.hpp"
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

/// The output's sizes in the file; unknown sizes stay unknown (rank 0).
Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const std::vector<std::int64_t> sizes = a.sizes("shape");
  if (sizes.empty()) return Shape{};
  std::vector<std::int64_t> all{in.empty() || in[0].rank() == 0 ? 1 : in[0][0]};
  all.insert(all.end(), sizes.begin(), sizes.end());
  return Shape(all);
}

Text refusal(const Attrs& a) { return opaque_refusal(a.choice("operator"), a.choice("reason")); }

}  // namespace

extern const LayerType opaque_layer{
    .name = opaque_type,
    .group = "Foreign",
    .stem = "opaque",
    .summary = text(NW_TR("An operator of an ONNX file that no layer is made of. The network can be edited, but not be "
                          "trained or exported, until it is removed or replaced.")),
    .inputs = -1,
    .fields = {text_field("operator", text(NW_TR("Operator")), longest_opaque_name,
                          text(NW_TR("Name of the operator in the file."))),
               text_field("domain", text(NW_TR("Domain")), longest_opaque_name,
                          text(NW_TR("Whose operator it is; empty: ONNX's own."))),
               integer_field("version", text(NW_TR("Version")), 0, 0, 1'000'000,
                             text(NW_TR("Version of the domain's operators that the file uses."))),
               text_field("reason", text(NW_TR("Reason")), longest_opaque_reason,
                          text(NW_TR("Why no layer is made of it."))),
               integer_field("inputs", text(NW_TR("Inputs")), 0, 0, 100'000,
                             text(NW_TR("Inputs that the operator has in the file, its weights included."))),
               integer_field("output", text(NW_TR("Output")), 0, 0, 100'000,
                             text(NW_TR("Which of the operator's outputs it is, counted from 0."))),
               sizes_field("shape", text(NW_TR("Shape")), 1, largest_opaque_size,
                           text(NW_TR("Sizes of the output in the file; empty: the file does not give them.")))},
    .infer = infer,
    .refusal = refusal};

}  // namespace nw
