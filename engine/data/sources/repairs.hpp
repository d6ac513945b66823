// SPDX-License-Identifier: Apache-2.0
// Repairs of a data choice that cannot be opened, or that leaves the size of its images open.
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

struct PixelSize {
  std::int64_t height = 0, width = 0;
  bool operator==(const PixelSize&) const = default;
};
/// "Resize images to 32×32" for each of the sizes, without repetitions; none if the source does not resize.
std::vector<DataRepair> size_choices(const DataChoice&, const std::vector<PixelSize>&);

}  // namespace nw
