// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 with fake GPUs, which compute on the CPU, for the real program and its real plug-in.
// NETWRIGHT_FAKE_GPU injects a failure: "CALL CODE GPU KERNEL", the fields of FakeFault; NETWRIGHT_FAKE_GPU_FREE is the
// number of free bytes; NETWRIGHT_FAKE_GPU_CALLS names a file that receives, when the process ends, the number of calls
// and the name of the one that was made to fail;
// NETWRIGHT_FAKE_GPU_COUNT is the number of GPUs, NETWRIGHT_FAKE_GPU_FIRST the one of the machine that is this driver's
// first, as under CUDA_VISIBLE_DEVICES, NETWRIGHT_FAKE_GPU_DRIVER the driver's version ("12040"),
// NETWRIGHT_FAKE_GPU_SKIPS a kernel that computes nothing.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "tests/gpu/library/exports.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace {

using nw::cuda::DriverTable;

int number(const char* variable, int otherwise) {
  const char* told = std::getenv(variable);
  return told && *told ? std::atoi(told) : otherwise;
}
DriverTable made_table() {
  DriverTable t = nw::cuda::fake_driver_table();
  t.device_count = [](int* n) { return *n = number("NETWRIGHT_FAKE_GPU_COUNT", 4), 0; };
  t.driver_version = [](int* v) { return *v = number("NETWRIGHT_FAKE_GPU_DRIVER", 13000), 0; };
  t.device_bus_id = [](char* to, int size, int device) {
    return nw::cuda::fake_driver_table().device_bus_id(to, size, number("NETWRIGHT_FAKE_GPU_FIRST", 0) + device);
  };
  return t;
}
const DriverTable& table() {
  static const DriverTable t = made_table();
  return t;
}

constexpr int misused = 97;  // the exit code of a process that no driver would survive

struct Setup {
  Setup() {
    nw::cuda::FakeFault fault;
    long long call = -1, kernel = -1;
    if (const char* told = std::getenv("NETWRIGHT_FAKE_GPU"))
      std::sscanf(told, "%lld %d %d %lld", &call, &fault.code, &fault.gpu, &kernel);
    fault.at_call = call;
    fault.at_kernel = kernel;
    if (const char* free = std::getenv("NETWRIGHT_FAKE_GPU_FREE"))
      nw::cuda::fake_free_memory(std::strtoull(free, nullptr, 10));
    nw::cuda::fake_set(fault);
    if (const char* skips = std::getenv("NETWRIGHT_FAKE_GPU_SKIPS")) nw::cuda::fake_skip(skips);
  }
  ~Setup() {
    const auto misuses = nw::cuda::fake_misuses();
    for (const std::string& m : misuses) std::fprintf(stderr, "the fake driver was misused: %s\n", m.c_str());
    if (!misuses.empty()) ::_exit(misused);
    const char* file = std::getenv("NETWRIGHT_FAKE_GPU_CALLS");
    if (std::FILE* f = file ? std::fopen(file, "w") : nullptr) {
      std::fprintf(f, "%lld %s\n", static_cast<long long>(nw::cuda::fake_calls()), nw::cuda::fake_failed_call());
      std::fclose(f);
    }
  }
} setup;

}  // namespace

#define NW_DRIVER(member, symbol) NW_EXPORT(DriverTable, table, member, symbol)
NW_DRIVER(init, cuInit)
NW_DRIVER(driver_version, cuDriverGetVersion)
NW_DRIVER(error_name, cuGetErrorName)
NW_DRIVER(error_string, cuGetErrorString)
NW_DRIVER(device_count, cuDeviceGetCount)
NW_DRIVER(device_get, cuDeviceGet)
NW_DRIVER(device_name, cuDeviceGetName)
NW_DRIVER(device_memory, cuDeviceTotalMem_v2)
NW_DRIVER(device_attribute, cuDeviceGetAttribute)
NW_DRIVER(device_bus_id, cuDeviceGetPCIBusId)
NW_DRIVER(context_retain, cuDevicePrimaryCtxRetain)
NW_DRIVER(context_release, cuDevicePrimaryCtxRelease_v2)
NW_DRIVER(context_set, cuCtxSetCurrent)
NW_DRIVER(module_load, cuModuleLoadData)
NW_DRIVER(module_unload, cuModuleUnload)
NW_DRIVER(module_function, cuModuleGetFunction)
NW_DRIVER(memory_info, cuMemGetInfo_v2)
NW_DRIVER(memory_acquire, cuMemAlloc_v2)
NW_DRIVER(memory_release, cuMemFree_v2)
NW_DRIVER(pinned_acquire, cuMemHostAlloc)
NW_DRIVER(pinned_release, cuMemFreeHost)
NW_DRIVER(fill, cuMemsetD8Async)
NW_DRIVER(copy_in, cuMemcpyHtoDAsync_v2)
NW_DRIVER(copy_out, cuMemcpyDtoHAsync_v2)
NW_DRIVER(stream_make, cuStreamCreate)
NW_DRIVER(stream_make_with_priority, cuStreamCreateWithPriority)
NW_DRIVER(stream_drop, cuStreamDestroy_v2)
NW_DRIVER(stream_wait, cuStreamSynchronize)
NW_DRIVER(stream_ready, cuStreamQuery)
NW_DRIVER(stream_wait_event, cuStreamWaitEvent)
NW_DRIVER(event_make, cuEventCreate)
NW_DRIVER(event_drop, cuEventDestroy_v2)
NW_DRIVER(event_record, cuEventRecord)
NW_DRIVER(event_wait, cuEventSynchronize)
NW_DRIVER(event_ms, cuEventElapsedTime)
NW_DRIVER(launch, cuLaunchKernel)
NW_DRIVER(capture_begin, cuStreamBeginCapture_v2)
NW_DRIVER(capture_end, cuStreamEndCapture)
NW_DRIVER(graph_make, cuGraphInstantiateWithFlags)
NW_DRIVER(graph_launch, cuGraphLaunch)
NW_DRIVER(graph_drop, cuGraphDestroy)
NW_DRIVER(graph_exec_drop, cuGraphExecDestroy)
