// SPDX-License-Identifier: Apache-2.0
// When and how a step is computed by the kernels for small products (blocks/small_product.hpp, blocks/small_conv.hpp).
// On an H100 cuBLASLt and cuDNN take 8 to 60 microseconds for a layer of LeNet-5, most of it for launches and for
// waiting on memory with few multiprocessors busy.
#pragma once
#include "kernels/cuda/launches.hpp"

namespace nw::cuda {

/// The most multiply-adds for which they are used; beyond, the libraries' tensor cores pay.
inline constexpr i64 most_of_small_linear = i64{1} << 23, most_of_small_conv = i64{1} << 25;

struct SmallProductSizes {
  i64 rows, columns, inner;
};

/// d = a b^T, see SmallProduct; false: it is not small. `finish` sets what the form has in addition.
template <class T, class R, ProductForm form, class Finish>
bool small_product(Preparing& p, const SmallProductSizes& s, const T* a, const T* b, R* d, Finish finish) {
  if (!p.engines.uses_small_kernels() || s.rows * s.columns * s.inner > most_of_small_linear) return false;
  const bool pairs = form == ProductForm::forward ||
                     (s.columns % 2 == 0 && (form == ProductForm::grad_input || s.rows % 2 == 0)),
             fours = form == ProductForm::grad_weight || s.inner % 4 == 0;
  const auto launch = [&](auto wide) {
    SmallProduct<T, R, form, wide()> f{};
    f.a = a, f.b = b, f.d = d;
    f.rows = static_cast<int>(s.rows), f.columns = static_cast<int>(s.columns), f.inner = static_cast<int>(s.inner);
    finish(f);
    p.each(f.blocks(), f);
  };
  if (pairs && fours)
    launch(std::true_type{});
  else
    launch(std::false_type{});
  p.chose("own kernel for small products");
  return true;
}

inline SmallConvShape small(const ConvShape& s) {
  const auto i = [](i64 v) { return static_cast<int>(v); };
  return {i(s.c),  i(s.h),  i(s.w),  i(s.o),  i(s.oh), i(s.ow), i(s.kh),
          i(s.kw), i(s.sh), i(s.sw), i(s.ph), i(s.pw), i(s.dh), i(s.dw)};
}
/// Whether the functor F computes this convolution.
template <class F>
bool is_small_conv(const Preparing& p, const ConvShape& s) {
  return p.engines.uses_small_kernels() && F::fits(s) && s.n * s.oh * s.ow * s.weights() <= most_of_small_conv;
}

}  // namespace nw::cuda
