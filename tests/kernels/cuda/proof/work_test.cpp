// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "engine/design/precision.hpp"
#include "tests/kernels/cuda/proof/step_costs.hpp"

namespace nw::proof {
namespace {

TEST(Work, Print) {
  for (const Template& t : all_templates())
    for (const DType type : {DType::f32, DType::f16}) {
      try {
        const StepCosts s = costs_of(t, type, usual_batch(t));
        fmt::print("{} {} b{}: {} launches, {:.1f} MB read {:.1f} MB written {:.1f} Gops\n", t.name,
                   precision_name(type), s.batch, s.launches.size(), s.read() / 1e6, s.written() / 1e6,
                   s.operations() / 1e9);
        for (const Cost& c : s.launches)
          if (getenv("ALL") || (c.loads > 64 / together && c.threads && c.threads < 33000))
            fmt::print("    {} threads {} blocks {} loads {} read {:.0f} written {:.0f} accesses {:.0f} ops {:.0f}\n",
                       c.kernel, c.threads, c.blocks, c.loads, c.read, c.written, c.accesses, c.operations);
      } catch (const std::exception& e) { fmt::print("{} {}\n", t.name, e.what()); }
    }
}

}  // namespace
}  // namespace nw::proof
