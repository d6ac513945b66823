// SPDX-License-Identifier: Apache-2.0
// A matrix product by cuBLASLt: its implementation is chosen once and enqueued any number of times.
#pragma once
#include <compare>
#include <memory>

#include "kernels/api.hpp"
#include "kernels/cuda/driver_api.hpp"

namespace nw::cuda {

/// The operation on the result: adds a vector with one element per row of D, sets negative sums to zero; or, for the
/// gradient of a weight, also writes the sums of op(B)'s columns (one for each column of D). Both vectors have the type
/// of D.
enum class Epilogue : int { none, bias, relu, relu_bias, bias_gradient };

/// D = op(A) op(B), all column-major; op(A) has `rows` rows, op(B) `columns` columns.
struct Product {
  std::int64_t rows = 0, columns = 0, inner = 0;
  bool a_transposed = false, b_transposed = false;
  DType operands = DType::f32, result = DType::f32;  // f32, bf16 or f16
  bool tf32 = false;                                 // f32 operands may be rounded to tf32
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
  /// False: it computes without tensor cores, many times slower, though the operands would allow them.
  bool uses_tensor_cores() const { return uses_tensor_cores_; }
  /// Returns the library's status; 0: enqueued on the stream.
  int enqueue(const ProductAddresses&, DriverStream) const;

 private:
  PreparedProduct() = default;
  int describe(const Product&);
  int choose(bool fits_tensor_cores);
  int choose_among(std::uint64_t implementations);
  void *handle_ = nullptr, *product_ = nullptr, *a_ = nullptr, *b_ = nullptr, *d_ = nullptr;
  bool has_bias_ = false, uses_tensor_cores_ = true;
  MatmulChoice choice_{};
};

}  // namespace nw::cuda
