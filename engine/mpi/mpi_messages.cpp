// SPDX-License-Identifier: Apache-2.0
// The plug-in over MPI. Open MPI loads its own parts as libraries, which need its symbols: they are made global first.
#include <dlfcn.h>
#include <mpi.h>

#include <string>
#include <vector>

#include "engine/parallel/messages.hpp"

namespace {

std::vector<std::string>& hosts() {
  static std::vector<std::string> all;
  return all;
}

void make_symbols_global() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<void*>(&MPI_Init_thread), &here) != 0 && here.dli_fname)
    (void)::dlopen(here.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

void exchange_hosts(int world) {
  char own[MPI_MAX_PROCESSOR_NAME + 1] = {};
  int length = 0;
  MPI_Get_processor_name(own, &length);
  std::vector<char> all(static_cast<std::size_t>(world) * sizeof own);
  MPI_Allgather(own, sizeof own, MPI_CHAR, all.data(), sizeof own, MPI_CHAR, MPI_COMM_WORLD);
  for (int r = 0; r < world; ++r) hosts().emplace_back(all.data() + static_cast<std::size_t>(r) * sizeof own);
}

const char* start(int* rank, int* world) {
  make_symbols_global();
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return "MPI_Init_thread failed";
  if (provided != MPI_THREAD_MULTIPLE) return "this MPI does not allow several threads (MPI_THREAD_MULTIPLE)";
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, world);
  exchange_hosts(*world);
  return nullptr;
}

const char* host(int rank) { return hosts()[static_cast<std::size_t>(rank)].c_str(); }

void* send(int to, int tag, const void* bytes, std::int64_t count) {
  auto* request = new MPI_Request(MPI_REQUEST_NULL);
  MPI_Isend(bytes, static_cast<int>(count), MPI_BYTE, to, tag, MPI_COMM_WORLD, request);
  return request;
}

void* receive(int from, int tag, void* bytes, std::int64_t count) {
  auto* request = new MPI_Request(MPI_REQUEST_NULL);
  MPI_Irecv(bytes, static_cast<int>(count), MPI_BYTE, from, tag, MPI_COMM_WORLD, request);
  return request;
}

// A failed request is never done: the heartbeat of its rank fails too, and ends the wait.
bool done(void* handle) {
  auto* request = static_cast<MPI_Request*>(handle);
  int over = 0;
  if (MPI_Test(request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS || over == 0) return false;
  delete request;
  return true;
}

void end() { MPI_Finalize(); }
void abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

}  // namespace

extern "C" const nw::MessageLayer* netwright_messages() {
  static const nw::MessageLayer layer{nw::message_layer_version, "MPI", start, host, send, receive, done, end, abort};
  return &layer;
}
