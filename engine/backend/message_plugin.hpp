// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun has started with this one.
#pragma once
#include <memory>

#include "engine/parallel/process_group.hpp"

namespace nw {

/// Joins the processes that mpirun started, by the plug-in libnw_mpi.so in the folder of plug-ins. Null: this process
/// was started alone. Errc::no_device: the plug-in is missing or does not fit.
Result<std::unique_ptr<ProcessGroup>> join_processes();

}  // namespace nw
