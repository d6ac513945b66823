// SPDX-License-Identifier: Apache-2.0
// Weight gradients in groups that are summed over devices at once, while the backward pass goes on.
#pragma once
#include <functional>
#include <vector>

#include "kernels/api.hpp"

namespace nw {

/// A range of weight gradients that is reduced at once, in elements, and the step of the plan that computes the last of
/// them; -1: none does.
struct GradientBucket {
  std::int64_t begin = 0, count = 0;
  int ready = -1;
  bool operator==(const GradientBucket&) const = default;
};

struct BucketRule {
  std::int64_t least = (1 << 20) / 4;  // elements
  /// A gradient that is complete before those before it in the region begins a bucket: the others are late.
  bool split_late = false;
};

/// Divides the flat region into contiguous buckets of whole gradients, in order. `grads`: offset and ready step of
/// every gradient. A bucket has an eighth of all elements, but not fewer than `least` and not many more than 25 MiB.
std::vector<GradientBucket> make_buckets(std::vector<GradientBucket> grads, const BucketRule& = {});

/// The buckets of a plan; `offset_of` gives the place of a weight's gradient in the flat region, in elements.
std::vector<GradientBucket> buckets_of(const Plan&, const std::function<std::int64_t(int value)>& offset_of,
                                       const BucketRule& = {});

/// Elements of the buckets that are complete before the last one: what can be exchanged while a device computes.
std::int64_t early_elements(const std::vector<GradientBucket>&);

}  // namespace nw
