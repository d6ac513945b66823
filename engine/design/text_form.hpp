// SPDX-License-Identifier: Apache-2.0
// The text form of a network, written and parsed:
//   conv1: Conv2d out_channels=6 kernel_size=5
//   sum: Add <- conv1, relu1 bypassed
// One layer per line: its name, its type (or the name of its block), attributes that differ from the default, flags,
// and after "<-" the source of each input ("_": not connected, "name:1": the second output). Without "<-" the line
// above is the source. "#" begins a comment.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw {

std::string network_text(const GraphDoc&, const std::string& scope);
/// The line of a layer in network_text, from 0; -1: no layer has that name.
int line_of(std::string_view text, std::string_view name);

struct TextFault {
  int line = 0;  // from 0
  Text what;
};
struct TextReading {
  std::vector<TextFault> faults;  // if there are any, `edit` is empty
  Edit edit;                      // makes the document equal to the text
};
/// Layers are matched by name, a renamed one by position and type. Properties that the text does not contain (position,
/// collapsed state, unknown keys) stay.
TextReading read_network_text(const GraphDoc&, const std::string& scope, std::string_view text);

}  // namespace nw
