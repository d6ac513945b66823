// SPDX-License-Identifier: Apache-2.0
// A matrix product by cuBLASLt: described, its implementation chosen once, enqueued any number of times.
#pragma once
#include <compare>
#include <memory>

#include "kernels/api.hpp"
#include "kernels/cuda/driver_api.hpp"

namespace nw::cuda {

/// What is done on the way out: a vector as long as D has rows is added, negative sums become zero; or, of a weight's
/// gradient, the sums of op(B)'s columns (one for each column of D) are written as well. Both are stored as D is.
enum class Epilogue : int { none, bias, relu, relu_bias, bias_gradient };

/// D = op(A) op(B), all column-major; op(A) has `rows` rows, op(B) `columns` columns.
struct Product {
  std::int64_t rows = 0, columns = 0, inner = 0;
  bool a_transposed = false, b_transposed = false;
  DType operands = DType::f32, result = DType::f32;  // f32, bf16 or f16
  bool tf32 = false;                                 // f32 operands may lose what tf32 has no room for
  Epilogue epilogue = Epilogue::none;
  auto operator<=>(const Product&) const = default;
  std::int64_t a_leading() const { return a_transposed ? inner : rows; }
  std::int64_t b_leading() const { return b_transposed ? columns : inner; }
};

struct ProductAddresses {
  const void *a = nullptr, *b = nullptr;
  void *d = nullptr, *bias = nullptr;  // bias: read, or written by bias_gradient
  void* workspace = nullptr;
};

class PreparedProduct {
 public:
  /// Chooses the implementation. Error: cuBLASLt has none for this product, with its status.
  static Result<std::shared_ptr<PreparedProduct>> make(void* handle, const Product&);
  ~PreparedProduct();
  PreparedProduct(const PreparedProduct&) = delete;
  PreparedProduct& operator=(const PreparedProduct&) = delete;
  std::int64_t workspace_bytes() const { return static_cast<std::int64_t>(choice_.workspace_bytes); }
  /// The library's status; 0: enqueued on the stream.
  int enqueue(const ProductAddresses&, DriverStream) const;

 private:
  PreparedProduct() = default;
  int describe(const Product&);
  int choose();
  void *handle_ = nullptr, *product_ = nullptr, *a_ = nullptr, *b_ = nullptr, *d_ = nullptr;
  bool has_bias_ = false;
  MatmulChoice choice_{};
};

}  // namespace nw::cuda
