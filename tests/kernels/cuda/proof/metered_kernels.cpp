// SPDX-License-Identifier: Apache-2.0
// Compiled with -fsanitize=thread. The kernels' namespace is another one here, so that no other file shares the code of
// their functions.
#include "tests/kernels/cuda/proof/metered_kernels.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using nw::proof::GridThread;
using nw::proof::MeteredKernel;

#define nw nw_metered
#include "kernels/cuda/blocks/list.hpp"
#include "kernels/cuda/grid.hpp"

namespace nw::cuda {
namespace {

template <class F>
void element(const void* functor, i64 index) {
  (*static_cast<const F*>(functor))(index);
}
template <class F>
void phase(const void* functor, i64 block, int thread, int phase, void* shared) {
  (*static_cast<const F*>(functor))(block, thread, phase, *static_cast<typename F::Shared*>(shared));
}
template <class F>
void all_elements(const void* functor, i64 count, const GridThread& t, void*) {
  run_elements(*static_cast<const F*>(functor), count, t);
}
template <class F>
void all_blocks(const void* functor, i64 count, const GridThread& t, void* shared) {
  run_blocks(*static_cast<const F*>(functor), count, *static_cast<typename F::Shared*>(shared), t);
}
const MeteredKernel all_kernels[] = {
#define NW_METERED_ELEMENTS(name, ...) {"nw_" #name, 0, 1, 0, element<__VA_ARGS__>, nullptr, all_elements<__VA_ARGS__>},
    NW_CUDA_ELEMENTS(NW_METERED_ELEMENTS)
#define NW_METERED_BLOCKS(name, ...)                                                       \
  {"nw_" #name, __VA_ARGS__::threads, __VA_ARGS__::phases,    sizeof(__VA_ARGS__::Shared), \
   nullptr,     phase<__VA_ARGS__>,   all_blocks<__VA_ARGS__>},
        NW_CUDA_BLOCKS(NW_METERED_BLOCKS)};

}  // namespace
}  // namespace nw::cuda
#undef nw

namespace nw::proof {

std::span<const MeteredKernel> metered_kernels() { return nw_metered::cuda::all_kernels; }
const MeteredKernel& metered_kernel(const char* name) {
  for (const MeteredKernel& k : metered_kernels())
    if (std::strcmp(k.name, name) == 0) return k;
  std::abort();
}

}  // namespace nw::proof
