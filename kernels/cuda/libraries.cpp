// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries.hpp"

#include <dlfcn.h>

#include <cstring>

#include "kernels/library_search.hpp"

namespace nw::cuda {
namespace {

#define NW_SYMBOL(member, symbol) \
  Symbol { symbol, offsetof(CublasLtTable, member) }
constexpr Symbol cublas_lt[] = {
    NW_SYMBOL(version, "cublasLtGetVersion"),
    NW_SYMBOL(create, "cublasLtCreate"),
    NW_SYMBOL(destroy, "cublasLtDestroy"),
    NW_SYMBOL(product_make, "cublasLtMatmulDescCreate"),
    NW_SYMBOL(product_drop, "cublasLtMatmulDescDestroy"),
    NW_SYMBOL(product_set, "cublasLtMatmulDescSetAttribute"),
    NW_SYMBOL(matrix_make, "cublasLtMatrixLayoutCreate"),
    NW_SYMBOL(matrix_drop, "cublasLtMatrixLayoutDestroy"),
    NW_SYMBOL(preference_make, "cublasLtMatmulPreferenceCreate"),
    NW_SYMBOL(preference_drop, "cublasLtMatmulPreferenceDestroy"),
    NW_SYMBOL(preference_set, "cublasLtMatmulPreferenceSetAttribute"),
    NW_SYMBOL(choose, "cublasLtMatmulAlgoGetHeuristic"),
    NW_SYMBOL(multiply, "cublasLtMatmul"),
};
#undef NW_SYMBOL
#define NW_SYMBOL(member, symbol) \
  Symbol { symbol, offsetof(CudnnTable, member) }
constexpr Symbol cudnn[] = {
    NW_SYMBOL(version, "cudnnGetVersion"),
    NW_SYMBOL(create, "cudnnCreate"),
    NW_SYMBOL(destroy, "cudnnDestroy"),
    NW_SYMBOL(set_stream, "cudnnSetStream"),
    NW_SYMBOL(error_string, "cudnnGetErrorString"),
    NW_SYMBOL(last_error, "cudnnGetLastErrorString"),
    NW_SYMBOL(make, "cudnnBackendCreateDescriptor"),
    NW_SYMBOL(drop, "cudnnBackendDestroyDescriptor"),
    NW_SYMBOL(set, "cudnnBackendSetAttribute"),
    NW_SYMBOL(get, "cudnnBackendGetAttribute"),
    NW_SYMBOL(finish, "cudnnBackendFinalize"),
    NW_SYMBOL(execute, "cudnnBackendExecute"),
};
#undef NW_SYMBOL
static_assert(std::size(cublas_lt) * sizeof(void*) == sizeof(CublasLtTable));
static_assert(std::size(cudnn) * sizeof(void*) == sizeof(CudnnTable));

// The name of the first function that `library` lacks; null: all are present.
const char* fill(void* library, std::span<const Symbol> symbols, void* table) {
  const char* lacks = nullptr;
  for (const Symbol& s : symbols) {
    void* function = ::dlsym(library, s.name);
    if (!function && !lacks) lacks = s.name;
    std::memcpy(static_cast<std::byte*>(table) + s.offset, &function, sizeof function);
  }
  return lacks;
}

}  // namespace

std::span<const Symbol> cublas_lt_symbols() { return cublas_lt; }
std::span<const Symbol> cudnn_symbols() { return cudnn; }

Libraries open_libraries() {
  Libraries l;
  const LibraryFolders folders = library_folders();
  // cuDNN opens these two by their names: they are found once they are loaded.
  (void)open_library({"libnvrtc.so.13", "libnvrtc.so.12"}, folders);
  if (void* library = open_library({"libcublasLt.so.13", "libcublasLt.so.12"}, folders).handle; !library)
    l.missing_cublas_lt =
        text(NW_TR("cuBLASLt (libcublasLt.so.13) was not found: linear layers use slower kernels; it is part of the "
                   "CUDA toolkit (package libcublas-13-0)"));
  else if (const char* lacks = fill(library, cublas_lt, &l.cublas_lt))
    l.missing_cublas_lt = text(NW_TR("cuBLASLt here is too old, it has no {0}: linear layers use our own kernels, "
                                     "which are slower; install CUDA 13.0 or later"),
                               lacks);
  if (void* library = open_library({"libcudnn.so.9"}, folders).handle; !library)
    l.missing_cudnn =
        text(NW_TR("cuDNN 9 (libcudnn.so.9) was not found: convolutions use our own kernels, which are much slower; "
                   "install NVIDIA's package cudnn9-cuda-13"));
  else if (const char* lacks = fill(library, cudnn, &l.cudnn))
    l.missing_cudnn = text(NW_TR("cuDNN here is too old, it has no {0}: convolutions use our own kernels, which are "
                                 "much slower; install cuDNN 9.11 or later"),
                           lacks);
  return l;
}

}  // namespace nw::cuda
