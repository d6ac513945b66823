// SPDX-License-Identifier: Apache-2.0
// The border to NVIDIA's libraries: the few functions we call, as tables filled by dlopen or by fakes. Types are declared here
// (CUDA driver API 13.0), so that everything but the device's kernels compiles where no toolkit is. 0 is success in every one of these libraries.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/result.hpp"

namespace nw::cuda {

using DevicePointer = unsigned long long;  // CUdeviceptr
using DriverContext = void*;
using DriverModule = void*;
using DriverFunction = void*;
using DriverStream = void*;
using DriverGraph = void*;
using DriverGraphExec = void*;

/// libcuda.so.1. Names as the driver exports them, without the cu and the version at the end.
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
  int (*context_retain)(DriverContext*, int device);
  int (*context_release)(int device);
  int (*context_set)(DriverContext);
  int (*module_load)(DriverModule*, const void* image);
  int (*module_unload)(DriverModule);
  int (*module_function)(DriverFunction*, DriverModule, const char* name);
  int (*memory_info)(std::size_t* free, std::size_t* total);
  int (*memory_take)(DevicePointer*, std::size_t bytes);
  int (*memory_give_back)(DevicePointer);
  int (*pinned_take)(void**, std::size_t bytes, unsigned flags);
  int (*pinned_give_back)(void*);
  int (*fill)(DevicePointer, unsigned char value, std::size_t bytes, DriverStream);
  int (*copy_in)(DevicePointer to, const void* from, std::size_t bytes, DriverStream);
  int (*copy_out)(void* to, DevicePointer from, std::size_t bytes, DriverStream);
  int (*stream_make)(DriverStream*, unsigned flags);
  int (*stream_drop)(DriverStream);
  int (*stream_wait)(DriverStream);
  int (*launch)(DriverFunction, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared_bytes, DriverStream, void** arguments, void** extra);
  int (*capture_begin)(DriverStream, int mode);
  int (*capture_end)(DriverStream, DriverGraph*);
  int (*graph_make)(DriverGraphExec*, DriverGraph, unsigned long long flags);
  int (*graph_launch)(DriverGraphExec, DriverStream);
  int (*graph_drop)(DriverGraph);
  int (*graph_exec_drop)(DriverGraphExec);
};

/// Numbers of the driver API that we ask for or look at.
inline constexpr int attribute_processors = 16, attribute_capability_major = 75, attribute_capability_minor = 76;
inline constexpr unsigned stream_non_blocking = 1;
inline constexpr int capture_thread_local = 1;
inline constexpr int error_out_of_memory = 2;

struct Border {
  DriverTable driver{};
  /// Why nothing works, in one sentence; empty: all is there.
  Text missing_driver;
  /// The device's kernels (fat binary), handed to module_load.
  const void* kernels = nullptr;
};

/// The tables from this machine's libraries, opened the first time.
const Border& system_border();

/// The one in use; a test puts a fake in its place before anything else is called. Null: the system's.
const Border& border();
void use_border(const Border*);

/// symbol of table member number i ("cuMemAlloc_v2"), in the order of DriverTable; tests look for them in the toolkit's libraries.
struct Symbol {
  const char* name;
  std::size_t offset;  // of the member
};
const Symbol* driver_symbols(std::size_t& count);

/// What a failed call means to a person. `doing` is a short phrase: "step 12", "preparing".
Error driver_error(int code, const std::string& device, const std::string& doing);

}  // namespace nw::cuda
