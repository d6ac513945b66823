// SPDX-License-Identifier: Apache-2.0
// The element kernels over contiguous floats; outputs may be in place of inputs.
#include "kernels/cpu/vector/functions.hpp"
#include "kernels/cpu/vector/rounding.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

template <class F>
NW_INLINE void map(const float* x, float* y, i64 count, F f) {
  for (i64 i = 0; i < count; i += width) store(y + i, f(load(x + i)));
}
template <class F>
NW_INLINE void map(const float* dy, const float* v, float* dx, i64 count, F f) {
  for (i64 i = 0; i < count; i += width) store(dx + i, f(load(dy + i), load(v + i)));
}

}  // namespace

void unary(Unary op, const float* x, float* y, i64 count, ElementParameters p) {
  switch (op) {
#define NW_CASE(name, Formula, ...) \
  case Unary::name:                 \
    return map(x, y, count, [p](Vec v) NW_INLINE_LAMBDA { return math::value<math::Formula>(v, p); });
    NW_ELEMENT_KERNELS(NW_CASE)
#undef NW_CASE
  }
}

void unary_gradient(Unary op, const float* dy, const float* v, float* dx, i64 count, ElementParameters p) {
  switch (op) {
#define NW_CASE(name, Formula, ...) \
  case Unary::name:                 \
    return map(dy, v, dx, count, [p](Vec d, Vec u) NW_INLINE_LAMBDA { return math::gradient<math::Formula>(d, u, p); });
    NW_ELEMENT_KERNELS(NW_CASE)
#undef NW_CASE
  }
}

void round_bf16(const float* x, float* y, i64 count) {
  map(x, y, count, [](Vec v) { return reinterpret_cast<Vec>(rounded_words(v)); });
}

void add(const float* a, const float* b, float* y, i64 count) {
  map(a, b, y, count, [](Vec u, Vec v) { return u + v; });
}
void add_relu(const float* a, const float* b, float* y, i64 count) {
  map(a, b, y, count, [](Vec u, Vec v) { return u + v <= 0.0f ? Vec{} : u + v; });
}

}  // namespace nw::cpu::NW_ISA
