// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/reduce.hpp"

#include <thread>

namespace nw::cuda {
namespace {

constexpr int highest_priority = -1000;  // the driver takes the highest one that the device has

}  // namespace

Result<std::unique_ptr<NcclReducer>> NcclReducer::make(Communicator& c, std::shared_ptr<Gpu> gpu, bool with_urgent,
                                                       std::function<void()> drop_graphs) {
  if (!driver_api().nccl || !driver_api().nccl().missing.empty()) return std::unique_ptr<NcclReducer>();
  std::unique_ptr<NcclReducer> made(new NcclReducer(c, std::move(gpu), with_urgent, std::move(drop_graphs)));
  const Status met = made->meet();
  if (met) return made;
  if (met.error().code != Errc::stopped) made->leave();
  return met.error();
}

// Sends the keys of rank 0, and the number of ranks that are not ready, to all ranks through the run's communicator:
// the other ranks add zeros to the keys. NCCL's initialization waits for all ranks, so either all begin it or none
// does.
Status NcclReducer::meet() {
  std::array<NcclId, most_lanes> ids{};
  const Status ready = get_ready(ids);
  std::vector<double> sent;
  for (const NcclId& id : ids) sent.insert(sent.end(), std::begin(id.bytes), std::end(id.bytes));
  sent.push_back(ready ? 0 : 1);
  const bool met = communicator_.all_reduce_sum(sent.data(), static_cast<std::int64_t>(sent.size()));
  NW_TRY(ready);
  if (!met || sent.back() > 0) return step_abandoned();
  auto from = sent.begin();
  for (NcclId& id : ids)
    for (char& byte : id.bytes) byte = static_cast<char>(*from++);
  for (std::size_t i = 0; i < lanes_.size(); ++i) NW_TRY(connect(lanes_[i], ids[i]));
  return {};
}

Status NcclReducer::get_ready(std::array<NcclId, most_lanes>& ids) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    NW_TRY(open(lanes_[i], i == static_cast<std::size_t>(SumLane::urgent)));
    if (communicator_.rank() == 0) NW_TRY(check_nccl(driver_api().nccl().table.unique_id(&ids[i])));
  }
  return {};
}

Status NcclReducer::open(Lane& l, bool urgent) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(check(urgent ? d.stream_make_with_priority(&l.side, stream_non_blocking, highest_priority)
                      : d.stream_make(&l.side, stream_non_blocking)));
  NW_TRY(check(d.event_make(&l.made, event_without_time)));
  return check(d.event_make(&l.summed, event_without_time));
}

Status NcclReducer::connect(Lane& l, const NcclId& id) {
  return check_nccl(driver_api().nccl().table.comm_make(&l.comm, communicator_.world(), id, communicator_.rank()));
}

NcclReducer::~NcclReducer() {
  const DriverTable& d = driver_api().driver;
  if (communicator_.aborted()) abort_all();
  for (const Lane& l : lanes_) {
    if (l.comm) driver_api().nccl().table.comm_drop(l.comm);
    if (l.made) d.event_drop(l.made);
    if (l.summed) d.event_drop(l.summed);
    if (l.side) d.stream_drop(l.side);
  }
}

Status NcclReducer::check_nccl(int code) const {
  if (code == 0 || code == nccl_in_progress) return {};
  if (code == nccl_remote_error) return step_abandoned();  // that rank has the cause
  return nccl_error(code, gpu_->name(), "rank " + std::to_string(communicator_.rank()));
}

// What is enqueued on the lane after this call waits for what `stream` has been given so far.
Status NcclReducer::follow(const Lane& l, DriverStream stream) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(check(d.event_record(l.made, stream)));
  return check(d.stream_wait_event(l.side, l.made, 0));
}

Status NcclReducer::begin(SumLane which, void* device, std::int64_t count, int type, DriverStream stream) {
  const Lane& l = lane(which);
  NW_TRY(follow(l, stream));
  return check_nccl(driver_api().nccl().table.all_reduce(device, device, static_cast<std::size_t>(count), type,
                                                         nccl_sum, l.comm, l.side));
}

Status NcclReducer::join(SumLane which, DriverStream stream) {
  const DriverTable& d = driver_api().driver;
  const Lane& l = lane(which);
  NW_TRY(check(d.event_record(l.summed, l.side)));
  return check(d.stream_wait_event(stream, l.summed, 0));
}

// In one group: NCCL sends all parts at the same time. A group that was begun is ended whatever happens in it.
Status NcclReducer::gather(float* device, std::span<const std::int64_t> bounds, DriverStream stream) {
  const NcclTable& nccl = driver_api().nccl().table;
  NW_TRY(follow(lane(SumLane::gradients), stream));
  NW_TRY(check_nccl(nccl.group_begin()));
  const Status sent = broadcast_parts(lane(SumLane::gradients), device, bounds);
  const int ended = nccl.group_end();
  NW_TRY(sent);
  NW_TRY(check_nccl(ended));
  return join(SumLane::gradients, stream);
}

Status NcclReducer::broadcast_parts(const Lane& l, float* device, std::span<const std::int64_t> bounds) {
  for (std::size_t owner = 0; owner + 1 < bounds.size(); ++owner) {
    const std::int64_t count = bounds[owner + 1] - bounds[owner];
    float* const part = device + bounds[owner];
    if (count == 0) continue;
    NW_TRY(check_nccl(driver_api().nccl().table.broadcast(part, part, static_cast<std::size_t>(count), nccl_float,
                                                          static_cast<int>(owner), l.comm, l.side)));
  }
  return {};
}

// What NCCL reports about the communicators.
Status NcclReducer::alive() const {
  for (const Lane& l : lanes_) {
    int error = 0;
    if (l.comm) NW_TRY(check_nccl(driver_api().nccl().table.comm_error(l.comm, &error)));
    NW_TRY(check_nccl(error));
  }
  return {};
}

// If a rank is lost, the others would wait on the device for ever: NCCL ends their kernels only when its communicator
// is aborted.
Status NcclReducer::wait(DriverStream stream, const std::function<std::string()>& doing) {
  for (;;) {
    const int code = driver_api().driver.stream_ready(stream);
    if (code == 0) return {};
    if (code != error_not_ready) {
      leave();
      return gpu_->check(code, doing());
    }
    const Status peers = alive();
    if (peers && !communicator_.aborted()) {
      std::this_thread::yield();
      continue;
    }
    abort();
    return peers ? step_abandoned() : peers;
  }
}

void NcclReducer::leave() {
  communicator_.abort();
  for (Lane& l : lanes_) l.comm = nullptr;
}

void NcclReducer::abort() {
  communicator_.abort();
  drop_graphs_();
  abort_all();
}

// All at once: a step that still runs may wait in one lane, while the abort of another waits for the end of the step.
void NcclReducer::abort_all() {
  std::vector<std::thread> threads;
  for (Lane& l : lanes_)
    if (NcclComm comm = std::exchange(l.comm, nullptr))
      threads.emplace_back([this, comm] {
        if (gpu_->use()) driver_api().nccl().table.comm_abort(comm);
      });
  for (std::thread& t : threads) t.join();
}

}  // namespace nw::cuda
