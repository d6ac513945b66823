// SPDX-License-Identifier: Apache-2.0
// Messages between the processes of one training, which mpirun has started: the interface of a plug-in, libnw_mpi.so.
// A program that mpirun did not start never loads it.
#pragma once
#include <cstdint>

namespace nw {

inline constexpr int message_layer_version = 1;

/// Functions may be called by several threads at once. Handles are those of messages on their way.
struct MessageLayer {
  int version;       // first member, at a fixed offset in all versions
  const char* name;  // "Open MPI v4.1.4"
  /// Joins the other processes. Null: done; otherwise why not, in English.
  const char* (*start)(int* rank, int* world);
  const char* (*host)(int rank);  // after start(); valid until the process ends
  /// `bytes` stays in use until done(). At most 2^30 bytes. Messages of one pair of ranks and one tag keep their order.
  void* (*send)(int to, int tag, const void* bytes, std::int64_t count);
  void* (*receive)(int from, int tag, void* bytes, std::int64_t count);
  bool (*done)(void* handle);  // true: once, after which the handle is no longer valid
  void (*end)();               // every rank must call it
  void (*abort)(int code);     // ends all ranks
};

}  // namespace nw
