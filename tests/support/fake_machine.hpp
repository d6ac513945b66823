// SPDX-License-Identifier: Apache-2.0
// A machine with GPUs, by libraries of NVIDIA's that are fakes (tests/gpu/library): this process sees them in its
// monitor, and the processes that it starts train on them. NW_FAKE_GPU is the folder of the fakes.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace nw::test {

class FakeMachine {
 public:
  /// Beside NETWRIGHT_FAKE_GPU_COUNT: the variables of tests/gpu/library, and NETWRIGHT_CUDA_PATH. Opens the fake NVML
  /// before anything else opens one: it says that there is no GPU where no FakeMachine lives.
  static bool open() {
    ::setenv("NETWRIGHT_FAKE_GPU_COUNT", "0", 0);
    static void* const nvml = ::dlopen(NW_FAKE_GPU "/libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    return nvml != nullptr;
  }
  explicit FakeMachine(int gpus, std::map<std::string, std::string> variables = {}) {
    open();
    const char* before = std::getenv("LD_LIBRARY_PATH");
    variables["LD_LIBRARY_PATH"] = NW_FAKE_GPU + std::string(before && *before ? ":" : "") + (before ? before : "");
    variables["NETWRIGHT_FAKE_GPU_COUNT"] = std::to_string(gpus);
    variables.try_emplace("NETWRIGHT_GPU_PATIENCE_S", "0");  // a fake device computes on the CPU
    for (const auto& [name, value] : variables) set(name, value);
  }
  ~FakeMachine() {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;
  /// Sets a variable for the processes that are started from now on, until the end of the machine.
  void set(const std::string& name, const std::string& value) {
    const char* now = std::getenv(name.c_str());
    before_.try_emplace(name, now ? std::optional<std::string>(now) : std::nullopt);
    ::setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace nw::test
