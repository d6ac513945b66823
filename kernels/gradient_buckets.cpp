// SPDX-License-Identifier: Apache-2.0
#include "kernels/gradient_buckets.hpp"

#include <algorithm>

namespace nw {
namespace {
constexpr std::int64_t most_elements = (25 << 20) / 4;  // 25 MiB, as in PyTorch's DDP
}

std::vector<GradientBucket> make_buckets(std::vector<GradientBucket> grads, const BucketRule& rule) {
  std::sort(grads.begin(), grads.end(),
            [](const GradientBucket& a, const GradientBucket& b) { return a.begin < b.begin; });
  const std::int64_t all = grads.empty() ? 0 : grads.back().begin + grads.back().count;
  const std::int64_t size = std::clamp(all / 8, rule.least, most_elements);
  std::vector<GradientBucket> buckets;
  for (const GradientBucket& g : grads) {
    const bool before = !buckets.empty() && rule.split_late && g.ready < buckets.back().ready;
    if (buckets.empty() || before || buckets.back().count >= size) buckets.push_back({g.begin, 0, -1});
    GradientBucket& b = buckets.back();
    b.count = g.begin + g.count - b.begin;
    b.ready = std::max(b.ready, g.ready);
  }
  return buckets;
}

std::int64_t early_elements(const std::vector<GradientBucket>& buckets) {
  int last = -1;
  std::int64_t early = 0;
  for (const GradientBucket& b : buckets) last = std::max(last, b.ready);
  for (const GradientBucket& b : buckets) early += b.ready < last ? b.count : 0;
  return early;
}

std::vector<GradientBucket> buckets_of(const Plan& plan, const std::function<std::int64_t(int value)>& offset_of,
                                       const BucketRule& rule) {
  std::vector<GradientBucket> grads;
  for (int i = 0; i < static_cast<int>(plan.values.size()); ++i) {
    const Value& v = plan.values[static_cast<std::size_t>(i)];
    if (v.role != Role::weight_grad) continue;
    GradientBucket g{offset_of(i), v.shape.elements(), -1};
    for (std::size_t s = 0; s < plan.steps.size(); ++s)
      if (const auto& out = plan.steps[s].outputs; std::find(out.begin(), out.end(), i) != out.end())
        g.ready = static_cast<int>(s);
    grads.push_back(g);
  }
  return make_buckets(std::move(grads), rule);
}

}  // namespace nw
