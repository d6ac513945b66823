// SPDX-License-Identifier: Apache-2.0
// What a node of type "Opaque" keeps of an operator of an ONNX file that no layer is made of. It is drawn and edited,
// but neither trained nor exported. All of it comes from files and is untrusted: bounded, in one line, shown as plain
// text.
#pragma once
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

inline constexpr std::string_view opaque_type = "Opaque";
inline constexpr std::int64_t longest_opaque_name = 100, longest_opaque_reason = 400;  // bytes
inline constexpr std::int64_t largest_opaque_size = 1 << 20;                           // of each size of the output

/// An operator as the file has it.
struct OpaqueOperator {
  std::string name, domain;       // domain "": ONNX itself
  std::int64_t version = 0;       // of the domain's operators; 0: the file names none
  std::int64_t inputs = 0;        // all of them, weights included
  std::int64_t output = 0;        // which of its outputs the node stands for
  std::vector<std::int64_t> out;  // sizes of that output for one sample; empty: the file does not give them
  Text reason;                    // why no layer is made of it, as "it …"
};
/// The attributes of its node; names and reason are cut to their limits.
AttrMap opaque_attributes(const OpaqueOperator&);

/// A text attribute of such a node, in one line; empty: it has none.
std::string opaque_word(const Node&, std::string_view attribute);
/// Why a network with the operator is not trained. `reason`: as kept_sentence() gives it.
Text opaque_refusal(const std::string& name, const std::string& reason);

/// A sentence in one attribute: its template and arguments, separated by "|", so that the window can translate it.
std::string kept_sentence(const Text&, std::int64_t longest);
Text sentence_from(std::string_view kept);

}  // namespace nw
