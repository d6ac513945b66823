// SPDX-License-Identifier: Apache-2.0
// NVIDIA's two libraries for products, cuBLASLt and cuDNN 9 (its graph API, through the backend's C functions), as
// tables like the driver's. Either may be missing; Netwright's kernels are then used instead.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/result.hpp"

namespace nw::cuda {

/// The symbol of a table's member ("cublasLtMatmul"); tests look the symbols up in the toolkit's libraries.
struct Symbol {
  const char* name;
  std::size_t offset;  // of the member
};

/// cublasLtMatmulAlgo_t and cublasLtMatmulHeuristicResult_t.
struct MatmulAlgo {
  std::uint64_t data[8];
};
struct MatmulChoice {
  MatmulAlgo algo;
  std::size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
};

/// libcublasLt. Matrices are column-major; handles and descriptors are opaque pointers.
struct CublasLtTable {
  std::size_t (*version)();
  int (*create)(void** handle);
  int (*destroy)(void* handle);
  int (*product_make)(void** product, int compute, int scale_type);
  int (*product_drop)(void* product);
  int (*product_set)(void* product, int attribute, const void* value, std::size_t bytes);
  int (*matrix_make)(void** matrix, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading);
  int (*matrix_drop)(void* matrix);
  int (*preference_make)(void** preference);
  int (*preference_drop)(void* preference);
  int (*preference_set)(void* preference, int attribute, const void* value, std::size_t bytes);
  int (*choose)(void* handle, void* product, void* a, void* b, void* c, void* d, void* preference, int wanted,
                MatmulChoice*, int* found);
  int (*multiply)(void* handle, void* product, const void* alpha, const void* a, void* a_matrix, const void* b,
                  void* b_matrix, const void* beta, const void* c, void* c_matrix, void* d, void* d_matrix,
                  const MatmulAlgo*, void* workspace, std::size_t workspace_bytes, void* stream);
};

/// libcudnn. cudnn_names.hpp has the constants of its descriptors.
struct CudnnTable {
  std::size_t (*version)();
  int (*create)(void** handle);
  int (*destroy)(void* handle);
  int (*set_stream)(void* handle, void* stream);
  const char* (*error_string)(int status);
  void (*last_error)(char* message, std::size_t bytes);
  int (*make)(int kind, void** descriptor);
  int (*drop)(void* descriptor);
  int (*set)(void* descriptor, int attribute, int type, std::int64_t count, const void* values);
  int (*get)(const void* descriptor, int attribute, int type, std::int64_t wanted, std::int64_t* count, void* values);
  int (*finish)(void* descriptor);
  int (*execute)(void* handle, void* plan, void* arguments);
};

struct Libraries {
  CublasLtTable cublas_lt{};
  CudnnTable cudnn{};
  /// Which library is missing and how to get it; empty: it is present.
  Text missing_cublas_lt, missing_cudnn;
  bool has_cublas_lt() const { return cublas_lt.create && missing_cublas_lt.empty(); }
  bool has_cudnn() const { return cudnn.create && missing_cudnn.empty(); }
};

/// Opens this machine's libraries: see kernels/library_search.hpp.
Libraries open_libraries();

std::span<const Symbol> cublas_lt_symbols();
std::span<const Symbol> cudnn_symbols();

}  // namespace nw::cuda
