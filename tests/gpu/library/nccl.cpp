// SPDX-License-Identifier: Apache-2.0
// A libnccl.so.2 for the fake GPUs, which compute on the CPU.
#include <functional>

#include "tests/gpu/library/exports.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace {

using nw::cuda::NcclTable;
const NcclTable& table() { return nw::cuda::fake_nccl_library().table; }

}  // namespace

#define NW_NCCL(member, symbol) NW_EXPORT(NcclTable, table, member, symbol)
NW_NCCL(version, ncclGetVersion)
NW_NCCL(unique_id, ncclGetUniqueId)
NW_NCCL(comm_make, ncclCommInitRank)
NW_NCCL(comm_drop, ncclCommDestroy)
NW_NCCL(comm_abort, ncclCommAbort)
NW_NCCL(comm_error, ncclCommGetAsyncError)
NW_NCCL(error_text, ncclGetErrorString)
NW_NCCL(all_reduce, ncclAllReduce)
NW_NCCL(broadcast, ncclBroadcast)
NW_NCCL(group_begin, ncclGroupStart)
NW_NCCL(group_end, ncclGroupEnd)
