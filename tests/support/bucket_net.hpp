// SPDX-License-Identifier: Apache-2.0
// A network for tests of several GPUs.
#pragma once
#include "tests/kernels/lenet_plan.hpp"

namespace nw::test {

/// With a batch norm over all ranks, unless each has statistics of its own, and with gradients of several buckets.
inline NetBuilder net_of_several_buckets(std::int64_t samples, int ranks, bool own_statistics = false) {
  NetBuilder n(samples, {samples, 1, 12, 12});
  n.own_statistics = own_statistics;
  n.tiny.plan.world = ranks;
  n.conv("conv1", 8, 3, 1, 1);
  n.batch_norm("bn1");
  n.activation("relu");
  n.flatten();
  n.linear("fc1", 400);
  n.activation("relu");
  n.linear("fc2", 600);
  n.activation("relu");
  n.linear("fc3", 500);
  n.linear("fc4", 10);
  n.train("sgd", sgd_attrs());
  return n;
}

}  // namespace nw::test
