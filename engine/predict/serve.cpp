// SPDX-License-Identifier: Apache-2.0
// The helper's loop: one thread reads requests, one works on them in order; cancelled ones are answered without work.
#include "engine/predict/serve.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "engine/predict/operations.hpp"

namespace nw {
namespace {

class Helper {
 public:
  explicit Helper(int socket) : socket_(socket) {}

  int run() {
    std::thread worker([this] { work(); });
    for (;;) {
      auto message = receive_message(socket_);
      if (!message) break;
      take(std::move(*message));
    }
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      if (working_) cancelled_.insert(working_id_);
    }
    changed_.notify_all();
    worker.join();
    return 0;
  }

 private:
  static std::int64_t id_of(const Json& j) {
    const auto it = j.is_object() ? j.find("id") : j.end();
    return it != j.end() && it->is_number_integer() ? it->get<std::int64_t>() : -1;
  }

  void take(Message message) {
    const std::lock_guard lock(mutex_);
    if (message.json.is_object() && message.json.value("do", Json()) == Json("cancel")) {
      const std::int64_t id = id_of(message.json);
      const auto waits = [&](const Message& m) { return id_of(m.json) == id; };
      // Only what is waiting or under way can be cancelled: other numbers would be kept for ever.
      if ((working_ && working_id_ == id) || std::any_of(waiting_.begin(), waiting_.end(), waits)) cancelled_.insert(id);
      return;
    }
    waiting_.push_back(std::move(message));
    changed_.notify_all();
  }

  bool is_cancelled(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    return ending_ || cancelled_.contains(id);
  }

  void work() {
    for (;;) {
      Message request;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
        if (ending_) return;
        request = std::move(waiting_.front());
        waiting_.pop_front();
        working_ = true;
        working_id_ = id_of(request.json);
      }
      answer(request);
      const std::lock_guard lock(mutex_);
      working_ = false;
      cancelled_.erase(working_id_);
    }
  }

  void answer(const Message& request) {
    const std::int64_t id = id_of(request.json);
    const auto progress = [&](double share) {
      if (is_cancelled(id)) return false;
      (void)send_message(socket_, {Json{{"id", id}, {"progress", share}}, {}});
      return true;
    };
    Result<Message> result = is_cancelled(id) ? Result<Message>(fail(Errc::stopped, NW_TR("cancelled"))) : operations_.answer(request, progress);
    Message out;
    if (result) {
      out = *std::move(result);
      out.json["ok"] = true;
    } else {
      const Text& what = result.error().what;
      out.json = Json{{"error", result.error().str()}, {"code", static_cast<int>(result.error().code)}, {"source", what.source}, {"args", what.args}};
    }
    out.json["id"] = id;
    (void)send_message(socket_, out);
  }

  const int socket_;
  predicting::Operations operations_;   // worker thread only
  std::mutex mutex_;
  std::condition_variable changed_;
  // guarded by mutex_
  std::deque<Message> waiting_;
  std::set<std::int64_t> cancelled_;
  std::int64_t working_id_ = -1;
  bool working_ = false, ending_ = false;
};

}  // namespace

int serve(int socket) { return Helper(socket).run(); }

}  // namespace nw
