// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/reduce.hpp"

#include <algorithm>
#include <thread>

namespace nw::cuda {
namespace {

// 25 MiB, as in PyTorch's DDP, and 1 MiB
constexpr std::int64_t most_elements = (25 << 20) / 4, least_elements = (1 << 20) / 4;

}  // namespace

std::vector<Bucket> make_buckets(std::vector<Bucket> grads) {
  std::sort(grads.begin(), grads.end(), [](const Bucket& a, const Bucket& b) { return a.begin < b.begin; });
  const std::int64_t all = grads.empty() ? 0 : grads.back().begin + grads.back().count;
  const std::int64_t size = std::clamp(all / 8, least_elements, most_elements);
  std::vector<Bucket> buckets;
  for (const Bucket& g : grads) {
    if (buckets.empty() || buckets.back().count >= size) buckets.push_back({g.begin, 0, -1});
    Bucket& b = buckets.back();
    b.count = g.begin + g.count - b.begin;
    b.ready = std::max(b.ready, g.ready);
  }
  return buckets;
}

Result<std::unique_ptr<NcclReducer>> NcclReducer::make(Communicator& c, std::shared_ptr<Gpu> gpu,
                                                       std::function<void()> drop_graphs) {
  if (!driver_api().nccl || !driver_api().nccl().missing.empty()) return std::unique_ptr<NcclReducer>();
  std::unique_ptr<NcclReducer> made(new NcclReducer(c, std::move(gpu), std::move(drop_graphs)));
  NW_TRY(made->meet());
  return made;
}

// Sends the key of rank 0, and the number of ranks that are not ready, to all ranks through the run's communicator: the
// other ranks add zeros to the key. NCCL's initialization waits for all ranks, so either all begin it or none does.
Status NcclReducer::meet() {
  NcclId id{};
  const Status ready = get_ready(id);
  std::vector<double> sent(id.bytes, id.bytes + sizeof id.bytes);
  sent.push_back(ready ? 0 : 1);
  const bool met = communicator_.all_reduce_sum(sent.data(), static_cast<std::int64_t>(sent.size()));
  NW_TRY(ready);
  if (!met || sent.back() > 0) return step_abandoned();
  std::transform(sent.begin(), sent.end() - 1, id.bytes, [](double byte) { return static_cast<char>(byte); });
  return check_nccl(driver_api().nccl().table.comm_make(&comm_, communicator_.world(), id, communicator_.rank()));
}

Status NcclReducer::get_ready(NcclId& id) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(check(d.stream_make(&side_, stream_non_blocking)));
  NW_TRY(check(d.event_make(&made_, event_without_time)));
  NW_TRY(check(d.event_make(&summed_, event_without_time)));
  return communicator_.rank() == 0 ? check_nccl(driver_api().nccl().table.unique_id(&id)) : Status();
}

NcclReducer::~NcclReducer() {
  const DriverTable& d = driver_api().driver;
  if (comm_)
    communicator_.aborted() ? driver_api().nccl().table.comm_abort(comm_) : driver_api().nccl().table.comm_drop(comm_);
  if (made_) d.event_drop(made_);
  if (summed_) d.event_drop(summed_);
  if (side_) d.stream_drop(side_);
}

Status NcclReducer::check_nccl(int code) const {
  if (code == 0 || code == nccl_in_progress) return {};
  if (code == nccl_remote_error) return step_abandoned();  // that rank has the cause
  return nccl_error(code, gpu_->name(), "rank " + std::to_string(communicator_.rank()));
}

Status NcclReducer::begin(void* device, std::int64_t count, int type, DriverStream stream) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(check(d.event_record(made_, stream)));
  NW_TRY(check(d.stream_wait_event(side_, made_, 0)));
  return check_nccl(driver_api().nccl().table.all_reduce(device, device, static_cast<std::size_t>(count), type,
                                                         nccl_sum, comm_, side_));
}

Status NcclReducer::join(DriverStream stream) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(check(d.event_record(summed_, side_)));
  return check(d.stream_wait_event(stream, summed_, 0));
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
    int error = 0;
    const Status alive = comm_ ? check_nccl(driver_api().nccl().table.comm_error(comm_, &error)) : Status();
    const Status peers = alive ? check_nccl(error) : alive;
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
  comm_ = nullptr;
}

void NcclReducer::abort() {
  communicator_.abort();
  drop_graphs_();
  if (comm_) driver_api().nccl().table.comm_abort(comm_);
  comm_ = nullptr;
}

}  // namespace nw::cuda
