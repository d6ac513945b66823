// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/int8/isa/functions.hpp"
#include "kernels/cpu/int8/isa/vectors.hpp"

namespace nw::int8::NW_INT8_ISA {

const Kernels& kernels() {
  static constexpr Kernels table{NW_INT8_NAME, depth, product, depthwise, pool, pair, quantize};
  return table;
}

}  // namespace nw::int8::NW_INT8_ISA
