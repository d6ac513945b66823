// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/batcher.hpp"

#include <algorithm>
#include <chrono>

#include "engine/core/memory_reserve.hpp"

namespace nw::serve_http {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

Error no_memory() {
  keep_memory_reserve();
  return fail(Errc::out_of_memory, "there is not enough memory for this request");
}

/// Gives a job its part of the scores, or why there are none: nothing leaves the thread that computes.
void answer(const BatchJob& j, const Result<std::vector<float>>& scores, std::size_t at, std::size_t count) {
  try {
    if (!scores) return j.done(scores.error());
    const auto first = scores->begin() + static_cast<std::ptrdiff_t>(at);
    return j.done(std::vector<float>(first, first + static_cast<std::ptrdiff_t>(count)));
  } catch (const std::bad_alloc&) {}
  j.done(no_memory());
}

}  // namespace

Batcher::Batcher(const Options& o, Metrics& metrics) : options_(o), metrics_(metrics), thread_([this] { work(); }) {}

Batcher::~Batcher() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Batcher::add(BatchJob&& job) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_images_ > 0 && waiting_images_ + job.images > options_.queue_images) return false;
    const std::int64_t images = job.images;
    queue_.push_back(std::move(job));
    waiting_images_ += images;
  }
  changed_.notify_one();
  return true;
}

std::int64_t Batcher::waiting_images() const {
  const std::lock_guard lock(mutex_);
  return waiting_images_;
}

std::int64_t Batcher::waiting_of(const Model* model) const {
  std::int64_t images = 0;
  for (const BatchJob& j : queue_) images += j.model.get() == model ? j.images : 0;
  return images;
}

/// The first job and those of the same network that fit beside it. An execution waits a short time (at most half as
/// long as the last one took) for the clients that the last one answered: otherwise they would be split into two halves
/// that take turns.
std::vector<BatchJob> Batcher::next_jobs(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
  if (queue_.empty()) return {};
  const ModelPointer model = queue_.front().model;
  const std::int64_t enough = std::min(options_.largest_batch, expected_images_);
  changed_.wait_for(lock, std::chrono::duration<double>(std::min(options_.wait_s, last_run_s_ / 2)),
                    [&] { return ending_ || waiting_of(model.get()) >= enough; });
  std::vector<BatchJob> jobs;
  jobs.reserve(queue_.size());  // before any is taken: without memory all of them go on waiting
  std::int64_t images = 0;
  for (auto job = queue_.begin(); job != queue_.end() && images < options_.largest_batch;) {
    const bool fits = job->model == model && (images == 0 || images + job->images <= options_.largest_batch);
    if (!fits) {
      ++job;
      continue;
    }
    images += job->images;
    jobs.push_back(std::move(*job));
    job = queue_.erase(job);
  }
  waiting_images_ -= images;
  return jobs;
}

void Batcher::work() {
  for (;;) {
    std::vector<BatchJob> jobs;
    try {
      std::unique_lock lock(mutex_);
      jobs = next_jobs(lock);
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      continue;
    }
    if (jobs.empty()) return;
    execute(jobs);
  }
}

Result<std::vector<float>> Batcher::scores_of(std::vector<BatchJob>& jobs, std::int64_t images) {
  const Model& model = *jobs.front().model;
  BatchNetwork& network = *model.network;
  const std::int64_t each = model.form.elements();
  std::vector<float> all, scores;
  if (jobs.size() > 1) {
    staging_.clear();
    for (const BatchJob& j : jobs) staging_.insert(staging_.end(), j.nhwc.begin(), j.nhwc.end());
  }
  const std::vector<float>& nhwc = jobs.size() > 1 ? staging_ : jobs.front().nhwc;
  for (std::int64_t at = 0; at < images; at += options_.largest_batch) {
    const std::int64_t n = std::min(options_.largest_batch, images - at);
    NW_TRY(network.run(std::span(nhwc).subspan(static_cast<std::size_t>(at * each), static_cast<std::size_t>(n * each)),
                       n, scores));
    all.insert(all.end(), scores.begin(), scores.end());
  }
  return all;
}

void Batcher::execute(std::vector<BatchJob>& jobs) {
  std::int64_t images = 0;
  for (const BatchJob& j : jobs) images += j.images;
  const auto from = Clock::now();
  auto scores = [&]() -> Result<std::vector<float>> {
    try {
      return scores_of(jobs, images);
    } catch (const std::exception&) { return no_memory(); }
  }();
  last_run_s_ = seconds_since(from);
  metrics_.executed(images, last_run_s_);
  {
    const std::lock_guard lock(mutex_);
    expected_images_ = images + waiting_images_;
  }
  const auto width = static_cast<std::size_t>(scores ? std::ssize(*scores) / images : 0);
  std::size_t at = 0;
  for (BatchJob& j : jobs) {
    const std::size_t count = static_cast<std::size_t>(j.images) * width;
    answer(j, scores, at, count);
    at += count;
  }
}

}  // namespace nw::serve_http
