// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/matmul.hpp"

#include <stdexcept>

namespace nw::cuda {
namespace {

// Constants of cuBLASLt's interface (13.0).
constexpr int type_f32 = 0, type_f16 = 2, type_bf16 = 14;
constexpr int compute_f32 = 68, compute_tf32 = 77;
constexpr int product_transpose_a = 3, product_transpose_b = 4, product_epilogue = 7, product_bias_pointer = 8,
              product_bias_type = 26;
constexpr int prefer_workspace = 1, prefer_reductions = 3, prefer_alignment_a = 5, prefer_alignment_d = 8,
              prefer_implementations = 12;
constexpr std::uint64_t without_tensor_cores = 1;     // implementations by fused multiply-add
constexpr std::uint32_t reductions_in_order = 2 | 4;  // excludes in-place reductions, which add in an undefined order
constexpr std::uint32_t alignment_bytes = 64;         // of every value of a plan
constexpr std::uint64_t most_workspace_bytes = 32 << 20;
constexpr int status_not_supported = 15;

/// cuBLASLt's number of a type of operands or results; a plan stores no other types.
int type_of(DType t) {
  switch (t) {
    case DType::f32:
    case DType::tf32:
      return type_f32;
    case DType::f16:
      return type_f16;
    case DType::bf16:
      return type_bf16;
    case DType::f64:
    case DType::i64:
    case DType::u8:
      break;
  }
  throw std::logic_error("a library was given numbers of a type that it does not multiply");
}
std::uint32_t number_of(Epilogue e) {
  constexpr std::uint32_t numbers[] = {1, 4, 2, 6, 512};
  return numbers[static_cast<int>(e)];
}
const CublasLtTable& lt() { return driver_api().libraries.cublas_lt; }

template <class T>
int set(void* product, int attribute, T value) {
  return lt().product_set(product, attribute, &value, sizeof value);
}

// Calls the functions up to the first that returns a status other than 0, and returns this status.
template <class... F>
int in_order(F... calls) {
  int status = 0;
  (void)((status = calls(), status == 0) && ...);
  return status;
}

}  // namespace

Result<std::shared_ptr<PreparedProduct>> PreparedProduct::make(void* handle, const Product& product) {
  std::shared_ptr<PreparedProduct> p(new PreparedProduct);
  p->handle_ = handle;
  int status = p->describe(product);
  if (status == 0) status = p->choose(product.tf32 || product.operands != DType::f32);
  if (status != 0) return fail(Errc::other, NW_TR("cuBLASLt has no such product (status {0})"), status);
  return p;
}

PreparedProduct::~PreparedProduct() {
  for (void* m : {a_, b_, d_})
    if (m) lt().matrix_drop(m);
  if (product_) lt().product_drop(product_);
}

int PreparedProduct::describe(const Product& p) {
  const auto matrix = [&](void*& m, DType type, bool transposed, std::int64_t rows, std::int64_t columns) {
    const std::int64_t stored_rows = transposed ? columns : rows, stored_columns = transposed ? rows : columns;
    return lt().matrix_make(&m, type_of(type), static_cast<std::uint64_t>(stored_rows),
                            static_cast<std::uint64_t>(stored_columns), stored_rows);
  };
  has_bias_ = p.epilogue != Epilogue::none && p.epilogue != Epilogue::relu;
  const int status = in_order(
      [&] {
        return lt().product_make(&product_, p.tf32 && p.operands == DType::f32 ? compute_tf32 : compute_f32, type_f32);
      },
      [&] { return set(product_, product_transpose_a, std::int32_t{p.a_transposed}); },
      [&] { return set(product_, product_transpose_b, std::int32_t{p.b_transposed}); },
      [&] { return set(product_, product_epilogue, number_of(p.epilogue)); },
      [&] { return matrix(a_, p.operands, p.a_transposed, p.rows, p.inner); },
      [&] { return matrix(b_, p.operands, p.b_transposed, p.inner, p.columns); },
      [&] { return matrix(d_, p.result, false, p.rows, p.columns); });
  if (status != 0 || !has_bias_) return status;
  // The address is not known yet; the choice depends only on its alignment.
  const std::uintptr_t somewhere = alignment_bytes;
  return in_order([&] { return set(product_, product_bias_pointer, somewhere); },
                  [&] { return set(product_, product_bias_type, std::int32_t{type_of(p.result)}); });
}

// Where the operands allow tensor cores, implementations without them are used only if there is no other.
int PreparedProduct::choose(bool fits_tensor_cores) {
  uses_tensor_cores_ = true;
  const int status = choose_among(fits_tensor_cores ? ~without_tensor_cores : ~std::uint64_t{0});
  if (status != status_not_supported || !fits_tensor_cores) return status;
  uses_tensor_cores_ = false;
  return choose_among(~std::uint64_t{0});
}

int PreparedProduct::choose_among(std::uint64_t implementations) {
  void* preference = nullptr;
  if (const int status = lt().preference_make(&preference)) return status;
  int found = 0;
  int status = in_order(
      [&] {
        return lt().preference_set(preference, prefer_workspace, &most_workspace_bytes, sizeof most_workspace_bytes);
      },
      [&] {
        return lt().preference_set(preference, prefer_reductions, &reductions_in_order, sizeof reductions_in_order);
      },
      [&] {
        return lt().preference_set(preference, prefer_implementations, &implementations, sizeof implementations);
      });
  for (int side = prefer_alignment_a; side <= prefer_alignment_d && status == 0; ++side)
    status = lt().preference_set(preference, side, &alignment_bytes, sizeof alignment_bytes);
  if (status == 0) status = lt().choose(handle_, product_, a_, b_, d_, d_, preference, 1, &choice_, &found);
  lt().preference_drop(preference);
  if (status != 0) return status;
  return found > 0 ? choice_.state : status_not_supported;
}

int PreparedProduct::enqueue(const ProductAddresses& at, DriverStream stream) const {
  constexpr float one = 1, zero = 0;
  if (has_bias_)
    if (const int status = set(product_, product_bias_pointer, at.bias)) return status;
  return lt().multiply(handle_, product_, &one, at.a, a_, at.b, b_, &zero, at.d, d_, at.d, d_, &choice_.algo,
                       at.workspace, choice_.workspace_bytes, stream);
}

}  // namespace nw::cuda
