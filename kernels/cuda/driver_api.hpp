// SPDX-License-Identifier: Apache-2.0
// The interface to NVIDIA's libraries: the functions that are called, as tables filled by dlopen or by fakes. Types are
// declared here (CUDA driver API 13.0), so that everything except the device's kernels compiles without the toolkit.
// All these libraries return 0 for success.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/cuda/libraries.hpp"

namespace nw::cuda {

using DevicePointer = unsigned long long;  // CUdeviceptr
using DriverContext = void*;
using DriverModule = void*;
using DriverFunction = void*;
using DriverStream = void*;
using DriverGraph = void*;
using DriverGraphExec = void*;
using DriverEvent = void*;

/// libcuda.so.1. The members have the driver's names without the prefix cu and the version suffix.
struct DriverTable {
  int (*init)(unsigned flags);
  int (*driver_version)(int* version);
  int (*error_name)(int error, const char** name);
  int (*error_string)(int error, const char** text);
  int (*device_count)(int* count);
  int (*device_get)(int* device, int ordinal);
  int (*device_name)(char* name, int length, int device);
  int (*device_memory)(std::size_t* bytes, int device);
  int (*device_attribute)(int* value, int attribute, int device);
  int (*device_bus_id)(char* text, int length, int device);
  int (*context_retain)(DriverContext*, int device);
  int (*context_release)(int device);
  int (*context_set)(DriverContext);
  int (*module_load)(DriverModule*, const void* image);
  int (*module_unload)(DriverModule);
  int (*module_function)(DriverFunction*, DriverModule, const char* name);
  int (*memory_info)(std::size_t* free, std::size_t* total);
  int (*memory_acquire)(DevicePointer*, std::size_t bytes);
  int (*memory_release)(DevicePointer);
  int (*pinned_acquire)(void**, std::size_t bytes, unsigned flags);
  int (*pinned_release)(void*);
  int (*fill)(DevicePointer, unsigned char value, std::size_t bytes, DriverStream);
  int (*copy_in)(DevicePointer to, const void* from, std::size_t bytes, DriverStream);
  int (*copy_out)(void* to, DevicePointer from, std::size_t bytes, DriverStream);
  int (*stream_make)(DriverStream*, unsigned flags);
  int (*stream_make_with_priority)(DriverStream*, unsigned flags, int priority);
  int (*stream_drop)(DriverStream);
  int (*stream_wait)(DriverStream);
  int (*stream_ready)(DriverStream);
  int (*stream_wait_event)(DriverStream, DriverEvent, unsigned flags);
  int (*event_make)(DriverEvent*, unsigned flags);
  int (*event_drop)(DriverEvent);
  int (*event_record)(DriverEvent, DriverStream);
  int (*event_wait)(DriverEvent);
  int (*event_ms)(float* ms, DriverEvent begin, DriverEvent end);
  int (*launch)(DriverFunction, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared_bytes, DriverStream, void** arguments, void** extra);
  int (*capture_begin)(DriverStream, int mode);
  int (*capture_end)(DriverStream, DriverGraph*);
  int (*graph_make)(DriverGraphExec*, DriverGraph, unsigned long long flags);
  int (*graph_launch)(DriverGraphExec, DriverStream);
  int (*graph_drop)(DriverGraph);
  int (*graph_exec_drop)(DriverGraphExec);
};

using NcclComm = void*;
/// ncclUniqueId, passed by value.
struct NcclId {
  char bytes[128];
};

/// libnccl.so.2 (NCCL user guide 2.28); the members have its names without the prefix nccl.
struct NcclTable {
  int (*version)(int* version);
  int (*unique_id)(NcclId*);
  int (*comm_make)(NcclComm*, int ranks, NcclId id, int rank);
  int (*comm_drop)(NcclComm);
  int (*comm_abort)(NcclComm);
  int (*comm_error)(NcclComm, int* error);
  const char* (*error_text)(int error);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int op, NcclComm, DriverStream);
  int (*broadcast)(const void* from, void* to, std::size_t count, int type, int root, NcclComm, DriverStream);
  int (*group_begin)();
  int (*group_end)();
};
struct Nccl {
  NcclTable table{};
  Text missing;  // why it cannot be used; empty: it can
};
inline constexpr int nccl_int64 = 4, nccl_float = 7, nccl_double = 8, nccl_sum = 0, nccl_in_progress = 7;
inline constexpr int nccl_remote_error = 6;  // another rank has failed or left

/// Constants of the driver API.
inline constexpr int attribute_processors = 16, attribute_capability_major = 75, attribute_capability_minor = 76;
inline constexpr unsigned stream_non_blocking = 1;
inline constexpr int capture_thread_local = 1;
// kernels of a graph have the priority of the stream on which they were captured
inline constexpr unsigned long long graph_keeps_priorities = 8;
inline constexpr int error_out_of_memory = 2, error_not_ready = 600;
// memory errors: of the device, of a connection, and one that the device contains (no other work reads the wrong bytes)
inline constexpr int error_ecc = 214, error_nvlink = 220, error_contained = 226;
// not initialized, shutting down, device unavailable, no device, invalid device, system not ready, driver mismatch
inline constexpr int errors_of_a_lost_device[] = {3, 4, 46, 100, 101, 802, 803};
inline constexpr unsigned event_without_time = 2;

struct DriverApi {
  DriverTable driver{};
  /// Why the driver cannot be used, in one sentence; empty: it can.
  Text missing_driver;
  /// Named ranges for profilers (NVTX); null: none.
  int (*range_begin)(const char* name) = nullptr;
  int (*range_end)() = nullptr;
  /// NCCL, opened at its first use, since most runs have one GPU.
  const Nccl& (*nccl)() = nullptr;
  /// cuBLASLt and cuDNN, which compute products where they are installed.
  Libraries libraries;
  /// The folder of cuDNN's choices for later processes; empty: they are not stored.
  std::string plan_cache;
  /// Whether small products are computed by kernels of our own where the libraries could too. The environment variable
  /// NETWRIGHT_GPU_SMALL_KERNELS=0 turns it off: for comparisons, and to prove the libraries on small cases.
  bool small_kernels = true;
  /// The device's kernels (fat binary), handed to module_load.
  const void* kernels = nullptr;
};

/// Fills in the ranges if this build has NVTX.
void open_ranges(DriverApi&);

/// The tables of this machine's libraries, opened at the first call.
const DriverApi& system_driver_api();

/// The tables in use: those of use_driver_api(), or the system's if it set null. Tests set a fake before any other
/// call.
const DriverApi& driver_api();
void use_driver_api(const DriverApi*);

/// In the order of DriverTable.
const Symbol* driver_symbols(std::size_t& count);
const Symbol* nccl_symbols(std::size_t& count);

/// The message of a failed call. `doing` is a short phrase: "step 12", "preparing", "step 3, conv1".
Error driver_error(int code, const std::string& device, const std::string& doing);
/// Another device of the run has failed, or the run was stopped.
Error step_abandoned();
Error nccl_error(int code, const std::string& device, const std::string& doing);

}  // namespace nw::cuda
