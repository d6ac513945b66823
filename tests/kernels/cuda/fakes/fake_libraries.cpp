// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/fakes/fake_libraries.hpp"

#include <mutex>

#include "kernels/math/half.hpp"
#include "tests/kernels/cuda/fakes/fake_objects.hpp"

namespace nw::cuda {
namespace {

FakeLibraries asked;
std::vector<std::string>& calls = *new std::vector<std::string>;
std::mutex calls_mutex;

}  // namespace

std::atomic<std::int64_t> fake_objects{0};

int fake_response(const std::string& function) { return function == asked.fails ? asked.status : 0; }
const std::string& fake_refused() { return asked.refuses; }
bool fake_sums_without_notes() { return asked.sums_without_notes; }
const std::vector<std::pair<std::int64_t, double>>& fake_engines() { return asked.engines; }
void fake_note(const std::string& call) {
  const std::scoped_lock lock(calls_mutex);
  calls.push_back(call);
}
const std::vector<std::string>& fake_library_calls() { return calls; }
std::int64_t fake_library_objects() { return fake_objects; }

double fake_load(const void* data, int type, std::uint64_t index) {
  if (type == 2) return static_cast<float>(static_cast<const math::Half*>(data)[index]);
  if (type == 14) return static_cast<float>(static_cast<const math::Bf16*>(data)[index]);
  return static_cast<const float*>(data)[index];
}
void fake_store(void* data, int type, std::uint64_t index, double value) {
  const auto v = static_cast<float>(value);
  if (type == 2)
    static_cast<math::Half*>(data)[index] = math::Half(v);
  else if (type == 14)
    static_cast<math::Bf16*>(data)[index] = math::Bf16(v);
  else
    static_cast<float*>(data)[index] = v;
}

Libraries fake_libraries(const FakeLibraries& wanted) {
  asked = wanted;
  calls.clear();
  Libraries l;
  if (wanted.cublas_lt)
    l.cublas_lt = fake_cublas_lt();
  else
    l.missing_cublas_lt = text(NW_TR("there is no {0}"), "cuBLASLt");
  if (wanted.cudnn)
    l.cudnn = fake_cudnn();
  else
    l.missing_cudnn = text(NW_TR("there is no {0}"), "cuDNN");
  return l;
}

}  // namespace nw::cuda
