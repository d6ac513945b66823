// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/driver_api.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kernels/cuda/plan_cache.hpp"
#include "kernels/library_search.hpp"

namespace nw::cuda {
namespace {

#define NW_SYMBOL(member, symbol) \
  Symbol { symbol, offsetof(DriverTable, member) }
#define NW_NCCL_SYMBOL(member, symbol) \
  Symbol { symbol, offsetof(NcclTable, member) }
constexpr Symbol symbols[] = {
    NW_SYMBOL(init, "cuInit"),
    NW_SYMBOL(driver_version, "cuDriverGetVersion"),
    NW_SYMBOL(error_name, "cuGetErrorName"),
    NW_SYMBOL(error_string, "cuGetErrorString"),
    NW_SYMBOL(device_count, "cuDeviceGetCount"),
    NW_SYMBOL(device_get, "cuDeviceGet"),
    NW_SYMBOL(device_name, "cuDeviceGetName"),
    NW_SYMBOL(device_memory, "cuDeviceTotalMem_v2"),
    NW_SYMBOL(device_attribute, "cuDeviceGetAttribute"),
    NW_SYMBOL(device_bus_id, "cuDeviceGetPCIBusId"),
    NW_SYMBOL(context_retain, "cuDevicePrimaryCtxRetain"),
    NW_SYMBOL(context_release, "cuDevicePrimaryCtxRelease_v2"),
    NW_SYMBOL(context_set, "cuCtxSetCurrent"),
    NW_SYMBOL(module_load, "cuModuleLoadData"),
    NW_SYMBOL(module_unload, "cuModuleUnload"),
    NW_SYMBOL(module_function, "cuModuleGetFunction"),
    NW_SYMBOL(memory_info, "cuMemGetInfo_v2"),
    NW_SYMBOL(memory_acquire, "cuMemAlloc_v2"),
    NW_SYMBOL(memory_release, "cuMemFree_v2"),
    NW_SYMBOL(pinned_acquire, "cuMemHostAlloc"),
    NW_SYMBOL(pinned_release, "cuMemFreeHost"),
    NW_SYMBOL(fill, "cuMemsetD8Async"),
    NW_SYMBOL(copy_in, "cuMemcpyHtoDAsync_v2"),
    NW_SYMBOL(copy_out, "cuMemcpyDtoHAsync_v2"),
    NW_SYMBOL(stream_make, "cuStreamCreate"),
    NW_SYMBOL(stream_make_with_priority, "cuStreamCreateWithPriority"),
    NW_SYMBOL(stream_drop, "cuStreamDestroy_v2"),
    NW_SYMBOL(stream_wait, "cuStreamSynchronize"),
    NW_SYMBOL(stream_ready, "cuStreamQuery"),
    NW_SYMBOL(stream_wait_event, "cuStreamWaitEvent"),
    NW_SYMBOL(event_make, "cuEventCreate"),
    NW_SYMBOL(event_drop, "cuEventDestroy_v2"),
    NW_SYMBOL(event_record, "cuEventRecord"),
    NW_SYMBOL(event_wait, "cuEventSynchronize"),
    NW_SYMBOL(event_ms, "cuEventElapsedTime"),
    NW_SYMBOL(launch, "cuLaunchKernel"),
    NW_SYMBOL(capture_begin, "cuStreamBeginCapture_v2"),
    NW_SYMBOL(capture_end, "cuStreamEndCapture"),
    NW_SYMBOL(graph_make, "cuGraphInstantiateWithFlags"),
    NW_SYMBOL(graph_launch, "cuGraphLaunch"),
    NW_SYMBOL(graph_drop, "cuGraphDestroy"),
    NW_SYMBOL(graph_exec_drop, "cuGraphExecDestroy"),
};
static_assert(std::size(symbols) * sizeof(void*) == sizeof(DriverTable));

constexpr Symbol in_nccl[] = {
    NW_NCCL_SYMBOL(version, "ncclGetVersion"),        NW_NCCL_SYMBOL(unique_id, "ncclGetUniqueId"),
    NW_NCCL_SYMBOL(comm_make, "ncclCommInitRank"),    NW_NCCL_SYMBOL(comm_drop, "ncclCommDestroy"),
    NW_NCCL_SYMBOL(comm_abort, "ncclCommAbort"),      NW_NCCL_SYMBOL(comm_error, "ncclCommGetAsyncError"),
    NW_NCCL_SYMBOL(error_text, "ncclGetErrorString"), NW_NCCL_SYMBOL(all_reduce, "ncclAllReduce"),
    NW_NCCL_SYMBOL(broadcast, "ncclBroadcast"),       NW_NCCL_SYMBOL(group_begin, "ncclGroupStart"),
    NW_NCCL_SYMBOL(group_end, "ncclGroupEnd"),
};
static_assert(std::size(in_nccl) * sizeof(void*) == sizeof(NcclTable));

Nccl open_nccl() {
  Nccl n;
  void* library = open_library({"libnccl.so.2"}, library_folders()).handle;
  if (!library) {
    n.missing =
        text(NW_TR("NCCL (libnccl.so.2) was not found: several GPUs exchange gradients through the computer's memory, "
                   "which is slower; install libnccl2"));
    return n;
  }
  for (const Symbol& s : in_nccl) {
    void* function = ::dlsym(library, s.name);
    if (!function && n.missing.empty())
      n.missing = text(NW_TR("the NCCL here is too old, it has no {0}: several GPUs exchange gradients through the "
                             "computer's memory, which is slower; install a newer libnccl2"),
                       s.name);
    std::memcpy(reinterpret_cast<std::byte*>(&n.table) + s.offset, &function, sizeof function);
  }
  return n;
}
const Nccl& system_nccl() {
  static const Nccl opened = open_nccl();
  return opened;
}

DriverApi open_system() {
  DriverApi b;
  b.nccl = system_nccl;
  open_ranges(b);
  // the order of the management library (NVML), so that an index denotes the same GPU in both
  ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    b.missing_driver =
        text(NW_TR("the NVIDIA driver (libcuda.so.1) was not found; install the driver of your GPU, or train on cpu"));
    return b;
  }
  for (const Symbol& s : symbols) {
    void* function = ::dlsym(library, s.name);
    if (!function && b.missing_driver.empty())
      b.missing_driver = text(
          NW_TR(
              "the NVIDIA driver here is too old: it has no {0}; install a newer one (580 or later), or train on cpu"),
          s.name);
    std::memcpy(reinterpret_cast<std::byte*>(&b.driver) + s.offset, &function, sizeof function);
  }
  b.libraries = open_libraries();
  b.plan_cache = plan_cache_folder();
  const char* const small = std::getenv("NETWRIGHT_GPU_SMALL_KERNELS");
  b.small_kernels = !small || std::string_view(small) != "0";
  return b;
}

const DriverApi* in_use = nullptr;

std::string name_of(int code) {
  const char* name = nullptr;
  if (!driver_api().driver.error_name || driver_api().driver.error_name(code, &name) != 0 || !name)
    return "error " + std::to_string(code);
  return name;
}
bool is_memory_fault(int code) { return code == error_ecc || code == error_nvlink || code == error_contained; }
bool is_gone(int code) {
  return std::find(std::begin(errors_of_a_lost_device), std::end(errors_of_a_lost_device), code) !=
         std::end(errors_of_a_lost_device);
}

}  // namespace

const DriverApi& system_driver_api() {
  static const DriverApi opened = open_system();
  return opened;
}
const DriverApi& driver_api() { return in_use ? *in_use : system_driver_api(); }
void use_driver_api(const DriverApi* b) { in_use = b; }

const Symbol* driver_symbols(std::size_t& count) {
  count = std::size(symbols);
  return symbols;
}

const Symbol* nccl_symbols(std::size_t& count) {
  count = std::size(in_nccl);
  return in_nccl;
}

Error driver_error(int code, const std::string& device, const std::string& doing) {
  const std::string name = name_of(code);
  if (code == error_out_of_memory)
    return fail(Errc::out_of_memory, NW_TR("{0} is out of memory ({1}); make the batch smaller, or train on cpu"),
                device, doing);
  if (is_memory_fault(code))
    return fail(Errc::no_device,
                NW_TR("{0} reported a memory error that it cannot correct ({1}, {2}); resume from the last checkpoint "
                      "on another device"),
                device, doing, name);
  if (is_gone(code))
    return fail(Errc::no_device,
                NW_TR("{0} is no longer accessible ({1}, {2}); resume from the last checkpoint, or with --device cpu"),
                device, doing, name);
  return fail(Errc::other,
              NW_TR("{0} stopped working ({1}, {2}); resume from the last checkpoint, or with --device cpu"), device,
              doing, name);
}

Error step_abandoned() {
  return fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step was abandoned"));
}

Error nccl_error(int code, const std::string& device, const std::string& doing) {
  const char* text = driver_api().nccl().table.error_text(code);
  return fail(Errc::no_device,
              NW_TR("{0}: the exchange of gradients failed ({1}, NCCL: {2}); resume from the last checkpoint, or with "
                    "--device cpu"),
              device, doing, text ? text : std::to_string(code));
}

}  // namespace nw::cuda
