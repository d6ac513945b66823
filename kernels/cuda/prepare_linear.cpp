// SPDX-License-Identifier: Apache-2.0
// Linear layers: cuBLASLt with the bias, its gradient and ReLU as epilogue; our own kernels where cuBLASLt is missing.
// A row-major matrix is its transpose in column-major order: y^T (out x N) = w^T^T (out x in) x^T (in x N).
#include "kernels/cuda/small_products.hpp"

namespace nw::cuda {
namespace {

// The vectors that are multiplied: samples, or all pixels of images.
i64 rows_of(const Preparing& p) {
  const Sizes s = sizes_of(p.c.in_value(0));
  return s.n * s.pixels();
}

Product product_of(const Preparing& p, i64 rows, i64 columns, i64 inner) {
  Product r{.rows = rows,
            .columns = columns,
            .inner = inner,
            .operands = p.c.in_value(0).dtype,
            .result = p.c.out_value(0).dtype};
  r.tf32 = p.c.plan.compute == DType::tf32;
  return r;
}

bool enqueue(Preparing& p, const Product& product, ProductAddresses at, const char* with) {
  const auto prepared = p.engines.product(product);
  if (!prepared) return false;
  at.workspace = p.scratch<std::byte>(prepared->workspace_bytes());
  p.call([prepared, at, &engines = p.engines](DriverStream stream) -> Status {
    const int status = prepared->enqueue(at, stream);
    return status == 0 ? Status() : Status(engines.failed("cuBLASLt", status));
  });
  p.chose(std::string("cuBLASLt") + (prepared->uses_tensor_cores() ? "" : ", without tensor cores") + with);
  return true;
}

// cuBLASLt adds a bias only if it is stored in the type of the result.
template <class T>
void* bias_as(Preparing& p) {
  if (!p.c.has_in(2)) return nullptr;
  return stored<T>(p, p.c.in(2), p.c.in_value(2).shape.elements());
}

template <class T, bool relu>
void linear(Preparing& p) {
  const Shape& w = p.c.in_value(1).shape;
  const i64 batch = rows_of(p), out = w[0], in = w[1];
  const auto finish = [&p](auto& f) { f.bias = p.c.has_in(2) ? p.c.in(2) : nullptr, f.relu = relu; };
  if (small_product<T, T, ProductForm::forward>(p, {batch, out, in}, p.c.in<T>(0), p.c.in<T>(1), p.c.out<T>(0), finish))
    return;
  Product product = product_of(p, out, batch, in);
  product.a_transposed = true;
  product.epilogue = p.c.has_in(2) ? (relu ? Epilogue::relu_bias : Epilogue::bias)
                     : relu        ? Epilogue::relu
                                   : Epilogue::none;
  if (enqueue(p, product, {p.c.in(1), p.c.in(0), p.c.out(0), bias_as<T>(p)},
              p.c.has_in(2) ? ", bias added on the way" : ""))
    return;
  p.each(batch * out, Linear<T>{p.c.in<T>(0), p.c.in<T>(1), p.c.in(2), p.c.out<T>(0), in, out});
  if (relu) p.each(batch * out, AddBias<T>{p.c.out<T>(0), nullptr, out, true});
  p.chose("own kernel");
}

template <class T>
void linear_grad_input(Preparing& p) {
  const Shape& w = p.c.in_value(1).shape;
  const i64 batch = rows_of(p), out = w[0], in = w[1];
  if (small_product<T, T, ProductForm::grad_input>(p, {batch, in, out}, p.c.in<T>(0), p.c.in<T>(1), p.c.out<T>(0),
                                                   [](auto&) {}))
    return;
  if (enqueue(p, product_of(p, in, batch, out), {p.c.in(1), p.c.in(0), p.c.out(0)}, "")) return;
  p.each(batch * in, LinearGradInput<T>{p.c.in<T>(0), p.c.in<T>(1), p.c.out<T>(0), in, out});
  p.chose("own kernel");
}

// The contents of padding samples add nothing, because their dy is zero.
template <class T>
bool grad_weight_by_library(Preparing& p, i64 batch, i64 out, i64 in) {
  Product product = product_of(p, in, out, batch);
  product.b_transposed = true;
  const ProductAddresses at{p.c.in(1), p.c.in(0), p.c.out(0), p.c.out(1)};
  if (p.c.has_out(1)) {
    product.epilogue = Epilogue::bias_gradient;
    if (enqueue(p, product, at, ", bias gradient on the way")) return true;
    product.epilogue = Epilogue::none;
  }
  if (!enqueue(p, product, {at.a, at.b, at.d}, p.c.has_out(1) ? ", bias gradient by own kernel" : "")) return false;
  bias_gradient<T>(p);
  return true;
}

template <class T>
void linear_grad_weight(Preparing& p) {
  const Shape& w = p.c.out_value(0).shape;
  const i64 batch = rows_of(p), out = w[0], in = w[1], weights = out * in, slices = slices_for(weights, batch);
  const auto finish = [&p](auto& f) {
    f.row_sums = p.c.has_out(1) ? p.c.out(1) : nullptr;
    f.step = p.block;
    f.rows_per_sample = static_cast<int>(sizes_of(p.c.in_value(0)).pixels());
  };
  if (small_product<T, float, ProductForm::grad_weight>(p, {out, in, batch}, p.c.in<T>(0), p.c.in<T>(1), p.c.out(0),
                                                        finish))
    return;
  if (grad_weight_by_library<T>(p, batch, out, in)) return;
  auto* parts = p.scratch<double>(slices * weights);
  p.each(slices * weights, LinearGradWeight<T>{p.c.in<T>(0), p.c.in<T>(1), parts, batch, in, out, slices,
                                               sizes_of(p.c.in_value(0)).pixels(), p.block});
  p.sum(parts, p.c.out(0), weights, slices);
  bias_gradient<T>(p);
  p.chose("own kernel");
}

template <class T>
void plain_linear(Preparing& p) {
  linear<T, false>(p);
}
template <class T>
void linear_relu(Preparing& p) {
  linear<T, true>(p);
}

}  // namespace

Table linear_entries() {
  return {{"linear", NW_TYPED(plain_linear)},
          {"linear_relu", NW_TYPED(linear_relu)},
          {"linear_grad_input", NW_TYPED(linear_grad_input)},
          {"linear_grad_weight", NW_TYPED(linear_grad_weight)}};
}

}  // namespace nw::cuda
