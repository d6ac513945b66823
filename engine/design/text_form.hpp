// SPDX-License-Identifier: Apache-2.0
// A network as text that people write, and back:
//   conv1: Conv2d out_channels=6 kernel_size=5
//   sum: Add <- conv1, relu1 bypassed
// One layer a line: its name, its type (or its block's name), settings that differ from the default, flags, and after
// "<-" what feeds it, input by input ("_": nothing, "name:1": its second output). Without "<-" the line above feeds it.
// "#" begins a remark.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw {

std::string network_text(const GraphDoc&, const std::string& scope);
/// The line of a layer in network_text, from 0; -1: there is none of that name.
int line_of(std::string_view text, std::string_view name);

struct TextFault {
  int line = 0;  // from 0
  Text what;
};
struct TextReading {
  std::vector<TextFault> faults;  // when there are any, `edit` is empty
  Edit edit;                      // makes the document equal to the text
};
/// Layers are matched by name, a renamed one by position and type: what the text does not contain (position, folding,
/// unknown keys) is kept.
TextReading read_network_text(const GraphDoc&, const std::string& scope, std::string_view text);

}  // namespace nw
