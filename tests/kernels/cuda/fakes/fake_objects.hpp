// SPDX-License-Identifier: Apache-2.0
// Shared parts of the fake libraries: counted objects, numbers of any type, a list of calls.
#pragma once
#include <atomic>

#include "tests/kernels/cuda/fakes/fake_libraries.hpp"

namespace nw::cuda {

CublasLtTable fake_cublas_lt();
CudnnTable fake_cudnn();

/// 0, or the status with which this function must fail.
int fake_response(const std::string& function);
/// FakeLibraries::refuses
const std::string& fake_refused();
/// FakeLibraries::sums_without_notes
bool fake_sums_without_notes();
const std::vector<std::pair<std::int64_t, double>>& fake_engines();
void fake_note(const std::string& call);
extern std::atomic<std::int64_t> fake_objects;

template <class T, class... A>
int fake_make(const char* function, void** object, A... values) {
  if (const int status = fake_response(function)) return status;
  ++fake_objects;
  return *object = new T{values...}, 0;
}
template <class T>
int fake_drop(void* object) {
  --fake_objects;
  delete static_cast<T*>(object);
  return 0;
}

/// Types by cudaDataType: 0 f32, 2 f16, 14 bf16.
double fake_load(const void* data, int type, std::uint64_t index);
void fake_store(void* data, int type, std::uint64_t index, double value);

}  // namespace nw::cuda
