// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/fakes/fake_contexts.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace nw::cuda {
namespace {

int contexts[fake_gpus] = {0, 1, 2, 3, 4, 5, 6, 7};
std::atomic<int> retained[fake_gpus], sticky[fake_gpus];
std::atomic<std::int64_t> calls{0}, kernels_run{0};
FakeFault fault;
thread_local int current = -1;
thread_local const char* calling = "";
std::atomic<const char*> failed_call{""};
std::mutex misuse_mutex;
std::vector<std::string>& misuses = *new std::vector<std::string>;

// Errors that a call returns once and that leave the context as it was; all others stay.
bool is_sticky(int code) {
  constexpr int once[] = {error_invalid_value, error_out_of_memory, error_invalid_handle, error_not_found,
                          error_not_ready};
  return std::find(std::begin(once), std::end(once), code) == std::end(once) && (code < 900 || code > 908);
}
bool is_faulty(int gpu) { return fault.gpu < 0 || fault.gpu == gpu; }
[[noreturn]] void hang() {
  for (;;) ::pause();
}
int fail_now(int gpu) {
  failed_call = calling;
  if (fault.code == fake_hangs) hang();
  if (is_sticky(fault.code)) sticky[gpu] = fault.code;
  return fault.code;
}
int response_of(int gpu) {
  const std::int64_t call = is_faulty(gpu) ? calls++ : -1;
  if (const int code = sticky[gpu]) return code;
  return call >= 0 && call == fault.at_call ? fail_now(gpu) : 0;
}

}  // namespace

int fake_current_gpu() { return current; }
DriverContext fake_context(int gpu) { return &contexts[gpu]; }
int fake_make_current(DriverContext context) {
  current = *static_cast<int*>(context);
  if (fault.quiet_contexts && sticky[current]) return 0;
  return fake_response();
}
int fake_retain(DriverContext* context, int gpu) {
  ++retained[gpu];
  *context = fake_context(gpu);
  return response_of(gpu);
}
int fake_release(int gpu) {
  if (--retained[gpu] == 0) sticky[gpu] = 0;
  return 0;
}

int fake_response() { return current < 0 ? error_no_context : response_of(current); }
int fake_sticky_error(int gpu) { return sticky[gpu]; }

bool fake_kernel_computes(int gpu) {
  if (sticky[gpu]) return false;
  if (!is_faulty(gpu)) return true;
  if (kernels_run++ != fault.at_kernel) return true;
  sticky[gpu] = fault.code == fake_hangs ? 0 : fault.code;
  if (fault.code == fake_hangs) hang();
  return false;
}

void fake_set(FakeFault wanted) {
  fault = wanted;
  calls = kernels_run = 0;
  failed_call = "";
  for (auto& error : sticky) error = 0;
}
std::int64_t fake_calls() { return calls; }
void fake_calling(const char* name) { calling = name; }
const char* fake_failed_call() { return failed_call; }
std::int64_t fake_kernels_run() { return kernels_run; }

void fake_misuse(const std::string& what) {
  const std::scoped_lock lock(misuse_mutex);
  misuses.push_back(what);
}
std::vector<std::string> fake_misuses() {
  const std::scoped_lock lock(misuse_mutex);
  return std::exchange(misuses, {});
}

}  // namespace nw::cuda
