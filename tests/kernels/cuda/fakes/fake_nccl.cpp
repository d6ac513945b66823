// SPDX-License-Identifier: Apache-2.0
// An NCCL whose ranks are threads of this process. As NCCL does (2.26 and later), it sums once all ranks have called,
// in rank order, and waits for a missing rank until it is aborted; its initialization waits for all ranks; and
// destroying or aborting a communicator waits until all graphs that contain its sums are destroyed.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "tests/kernels/cuda/fakes/fake_contexts.hpp"

namespace nw::cuda {
namespace {

struct Group {
  std::mutex mutex;
  std::condition_variable changed;
  int ranks = 0, here = 0, arrived = 0;
  std::int64_t meeting = 0;
  bool aborted = false;
  std::map<int, void*> data;

  /// The last rank to arrive executes `work`; false: aborted.
  template <class Work>
  bool meet(int rank, void* at, Work work) {
    std::unique_lock lock(mutex);
    if (aborted) return false;  // the other ranks may have released their buffers
    data[rank] = at;
    const std::int64_t mine = meeting;
    if (++arrived == ranks) {
      work();
      arrived = 0;
      ++meeting;
      changed.notify_all();
      return true;
    }
    changed.wait(lock, [&] { return aborted || meeting != mine; });
    return meeting != mine;
  }
};
struct Comm {
  std::shared_ptr<Group> group;
  int rank = 0;
  // one owner for each sum in a graph, beside this
  std::shared_ptr<bool> in_use = std::make_shared<bool>();
  std::shared_ptr<bool> alive = std::make_shared<bool>();  // only here
};
// Where the library waits for ever, this waits so long, and counts it.
constexpr std::chrono::seconds for_ever{5};
std::atomic<std::int64_t> stuck{0};
std::mutex groups_mutex;
std::map<std::string, std::shared_ptr<Group>>& groups = *new std::map<std::string, std::shared_ptr<Group>>;
int next_id = 0;

template <class T>
void sum(std::map<int, void*>& data, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T total = 0;
    for (const auto& [rank, at] : data) total += static_cast<T*>(at)[i];
    for (const auto& [rank, at] : data) static_cast<T*>(at)[i] = total;
  }
}

// Communicators that a lost GPU did not release remain registered until the process ends, as the library's do.
std::set<Comm*>& comms = *new std::set<Comm*>;
Comm* registered(Comm* made) {
  const std::scoped_lock lock(groups_mutex);
  return *comms.insert(made).first;
}
void release(Comm* c) {
  const std::scoped_lock lock(groups_mutex);
  comms.erase(c);
  delete c;
}

int answer() { return fake_response() == 0 ? 0 : 1; }  // ncclUnhandledCudaError

int unique_id(NcclId* id) {
  const std::scoped_lock lock(groups_mutex);
  std::snprintf(id->bytes, sizeof id->bytes, "\x80\xff meeting %d", next_id++);  // bytes of both signs
  return answer();
}
/// Waits for the other ranks; one that fails closes its connections, which the others notice.
int join(Group& group, int ranks, int failed) {
  std::unique_lock lock(group.mutex);
  group.ranks = ranks;
  ++group.here;
  group.aborted |= failed != 0;
  group.changed.notify_all();
  if (failed) return failed;
  stuck += !group.changed.wait_for(lock, for_ever, [&] { return group.here == ranks || group.aborted; });
  return group.here == ranks && !group.aborted ? 0 : nccl_remote_error;
}
int comm_make(NcclComm* made, int ranks, NcclId id, int rank) {
  const int failed = answer();
  std::shared_ptr<Group> group;
  {
    const std::scoped_lock lock(groups_mutex);
    auto& g = groups[std::string(id.bytes, sizeof id.bytes)];
    if (!g) g = std::make_shared<Group>();
    group = g;
  }
  if (const int code = join(*group, ranks, failed)) return code;
  *made = registered(new Comm{group, rank});
  return 0;
}
int all_reduce(const void*, void* to, std::size_t count, int type, int op, NcclComm comm, DriverStream stream) {
  if (op != nccl_sum) return 4;  // ncclInvalidArgument
  const Comm& c = *static_cast<Comm*>(comm);
  FakeCall call{"all_reduce", 0, count};
  call.uses = {to};
  call.reads = call.writes = {FakeRange::of(to, count * (type == nccl_float ? 4 : 8))};
  call.needs_owner = true;
  call.needs = c.alive;
  const auto work = [group = c.group, rank = c.rank, in_use = c.in_use, to, count, type] {
    if (!fake_computes()) return;
    group->meet(rank, to, [&] {
      if (type == nccl_float) sum<float>(group->data, count);
      if (type == nccl_double) sum<double>(group->data, count);
      if (type == nccl_int64) sum<std::int64_t>(group->data, count);
    });
  };
  const int code = fake_enqueue(stream, std::move(call), work);
  return code == 0 ? 0 : 1;
}
/// The bytes of the rank `root`.
void copy_from(std::map<int, void*>& data, int root, std::size_t bytes) {
  for (const auto& [rank, at] : data)
    if (rank != root) std::memcpy(at, data.at(root), bytes);
}
int broadcast(const void* from, void* to, std::size_t count, int type, int root, NcclComm comm, DriverStream stream) {
  const Comm& c = *static_cast<Comm*>(comm);
  if (from != to || type != nccl_float || root < 0 || root >= c.group->ranks) return 4;  // ncclInvalidArgument
  const std::size_t bytes = count * sizeof(float);
  FakeCall call{"broadcast", 0, count};
  call.uses = {to};
  (root == c.rank ? call.reads : call.writes) = {FakeRange::of(to, bytes)};
  call.needs_owner = true;
  call.needs = c.alive;
  const auto work = [group = c.group, rank = c.rank, in_use = c.in_use, to, root, bytes] {
    if (fake_computes()) group->meet(rank, to, [&] { copy_from(group->data, root, bytes); });
  };
  return fake_enqueue(stream, std::move(call), work) == 0 ? 0 : 1;
}
int drop_comm(NcclComm comm) {
  auto* c = static_cast<Comm*>(comm);
  if (fake_current_gpu() >= 0) stuck += fake_sticky_error(fake_current_gpu()) != 0;  // waits for its kernels
  const auto until = std::chrono::steady_clock::now() + for_ever;
  while (c->in_use.use_count() > 1 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  stuck += c->in_use.use_count() > 1;
  release(c);
  return 0;
}
int abort_comm(NcclComm comm) {
  {
    Group& g = *static_cast<Comm*>(comm)->group;
    const std::scoped_lock lock(g.mutex);
    g.aborted = true;
    g.changed.notify_all();
  }
  return drop_comm(comm);
}

}  // namespace

std::int64_t fake_nccl_stuck() { return stuck.exchange(0); }

const Nccl& fake_nccl_library() {
  static const Nccl library{{.version = [](int* v) { return *v = 22809, 0; },
                             .unique_id = unique_id,
                             .comm_make = comm_make,
                             .comm_drop = drop_comm,
                             .comm_abort = abort_comm,
                             .comm_error = [](NcclComm, int* error) { return *error = 0; },
                             .error_text = [](int) { return "unhandled cuda error"; },
                             .all_reduce = all_reduce,
                             .broadcast = broadcast,
                             .group_begin = [] { return 0; },
                             .group_end = [] { return 0; }},
                            {}};
  return library;
}

}  // namespace nw::cuda
