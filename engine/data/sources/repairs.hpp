// SPDX-License-Identifier: Apache-2.0
// Repairs of a data choice that cannot be opened.
#pragma once
#include <vector>

#include "engine/design/choice.hpp"
#include "kernels/result.hpp"

namespace nw {

struct DataRepair {
  Text label;  // "Read as \"Image folder or archive\""
  DataChoice data;
};
/// Other choices that the user probably meant, the most likely first; at least one, at most three. The last one can
/// always be opened. A few dozen file-system calls; no file is read.
std::vector<DataRepair> data_repairs(const DataChoice&);

}  // namespace nw
