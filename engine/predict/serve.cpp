// SPDX-License-Identifier: Apache-2.0
// The loop of the helper process: one thread reads requests, another executes them in order. Cancelled requests are
// answered without being executed.
#include "engine/predict/serve.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "engine/core/memory_reserve.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/protocol_version.hpp"

namespace nw {
namespace {

class Helper {
 public:
  explicit Helper(int socket) : socket_(socket) {}

  int run() {
    std::thread worker([this] { work(); });
    const int code = read_requests();
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;  // cancels what is being worked at, too
    }
    changed_.notify_all();
    worker.join();
    return code != 0 ? code : worker_code_;
  }

 private:
  /// Until the connection is closed. A message that there is no memory to read closes it: nobody knows which answer
  /// would be waited for.
  int read_requests() try {
    for (;;) {
      auto message = receive_message(socket_);
      if (message) take(std::move(*message));
      // a complete message that is not a valid request
      else if (message.error().code == Errc::bad_input)
        refuse(-1, message.error());
      else
        return 0;
    }
  } catch (const std::bad_alloc&) { return exit_code(Errc::out_of_memory); }

  static std::int64_t id_of(const Json& j) {
    const auto it = j.is_object() ? j.find("id") : j.end();
    return it != j.end() && it->is_number_integer() ? it->get<std::int64_t>() : -1;
  }

  void take(Message message) {
    const std::int64_t id = id_of(message.json);
    // a std::string, because comparing Json with text ends the program where memory is short
    const auto found = message.json.is_object() ? message.json.find("do") : message.json.end();
    const std::string what = found != message.json.end() && found->is_string() ? found->get<std::string>() : "";
    if (what == "cancel") return cancel(id);
    if (what == protocol::opening) return open(message.json);
    if (unspoken_) return refuse(id, *unspoken_);
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() < max_waiting) {
        waiting_.push_back(std::move(message));
        changed_.notify_all();
        return;
      }
    }
    refuse(id, fail(Errc::other, NW_TR("The helper process is busy; try again later")));
  }

  /// The window's version of the protocol. One that is not spoken here has other requests, too, than are read here.
  void open(const Json& message) {
    const Status spoken = protocol::check_opening(message);
    if (!spoken) {
      unspoken_ = spoken.error();
      return refuse(id_of(message), *unspoken_);
    }
    Message answer{protocol::opening_answer(), {}};
    send_answer(id_of(message), answer);
  }

  /// Only queued and running requests can be cancelled: any other id would stay in `cancelled_` for ever.
  void cancel(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    const auto waits = [&](const Message& m) { return id_of(m.json) == id; };
    if ((working_ && working_id_ == id) || std::any_of(waiting_.begin(), waiting_.end(), waits)) cancelled_.insert(id);
  }

  Status send(const Message& message) {
    const std::lock_guard lock(sending_);
    return send_message(socket_, message);
  }

  /// Sends a response. If it is too large or memory runs out, an error is sent instead. Nothing is sent when the
  /// connection is closed.
  void send_answer(std::int64_t id, Message& answer) {
    answer.json["ok"] = true;
    answer.json["id"] = id;
    const Status sent = send(answer);
    if (sent || sent.error().code == Errc::disconnected) return;
    answer = {};  // releases its memory before the error is composed
    refuse(id, sent.error().code == Errc::bad_input
                   ? fail(Errc::bad_input, NW_TR("The answer is too large to send: choose fewer images or classes"))
                   : sent.error());
  }

  void refuse(std::int64_t id, const Error& error) {
    (void)send({Json{{"id", id},
                     {"error", error.str()},
                     {"code", exit_code(error.code)},
                     {"source", error.what.source},
                     {"args", error.what.args}},
                {}});
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

  /// No exception leaves the worker thread: it becomes an error response. Where there is no memory even for that, the
  /// connection is closed: its other end would wait for an answer.
  void answer(const Message& request) try {
    const std::int64_t id = id_of(request.json);
    Error error{Errc::out_of_memory, {}};
    try {
      return answer_or_throw(request, id);
    } catch (const std::bad_alloc&) {
    } catch (const std::exception& e) { error = fail(Errc::other, NW_TR("The helper process failed: {0}"), e.what()); }
    keep_memory_reserve();
    if (error.code == Errc::out_of_memory)
      error = fail(Errc::out_of_memory, NW_TR("There is not enough memory for this"));
    refuse(id, error);
  } catch (const std::bad_alloc&) {
    worker_code_ = exit_code(Errc::out_of_memory);
    ::shutdown(socket_, SHUT_RDWR);
  }

  void answer_or_throw(const Message& request, std::int64_t id) {
    auto next = std::chrono::steady_clock::now();
    const auto progress = [&](double share) {
      if (is_cancelled(id)) return false;
      if (const auto now = std::chrono::steady_clock::now(); now >= next) {
        next = now + std::chrono::milliseconds(33);
        (void)send({Json{{"id", id}, {"progress", share}}, {}});
      }
      return true;
    };
    auto result = is_cancelled(id) ? Result<Message>(fail(Errc::stopped, NW_TR("cancelled")))
                                   : operations_.answer(request, progress);
    if (!result) return refuse(id, result.error());
    send_answer(id, *result);
  }

  static constexpr std::size_t max_waiting = 1024;
  const int socket_;
  predicting::Operations operations_;  // worker thread only
  std::optional<Error> unspoken_;      // reading thread only
  std::mutex mutex_, sending_;
  std::condition_variable changed_;
  // guarded by mutex_
  std::deque<Message> waiting_;
  std::set<std::int64_t> cancelled_;
  std::int64_t working_id_ = -1;
  bool working_ = false, ending_ = false;
  int worker_code_ = 0;  // the worker's until it has ended
};

}  // namespace

int serve(int socket) { return Helper(socket).run(); }

}  // namespace nw
