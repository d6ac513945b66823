// SPDX-License-Identifier: GPL-3.0-or-later
// The window's end of `netwright-cli serve` (engine/predict/serve.hpp): sends requests without blocking; calls back on
// the GUI thread. Starts the helper process at the first request; reports its end and restarts it.
#pragma once
#include <QObject>
#include <functional>
#include <memory>

#include "engine/predict/run_requests.hpp"
#include "engine/predict/serve.hpp"

namespace nw::ui {

class HelperClient : public QObject {
  Q_OBJECT
 public:
  using Answer = std::function<void(const Result<Message>&)>;
  /// The same, for work on another thread that goes on with the answer without copying it.
  using SharedAnswer = std::function<void(const std::shared_ptr<const Result<Message>>&)>;
  using Progress = std::function<void(double)>;
  /// One end of a socket to a running helper, and its process (0: a thread of this process, in tests).
  struct Link {
    int socket = -1;
    qint64 process = 0;
  };
  /// Creates a link; called on a worker thread, at the first request and at the first one after the process ended.
  using Launcher = std::function<Result<Link>()>;
  explicit HelperClient(QObject* parent = nullptr);  // netwright-cli beside the executable
  /// Replaces netwright-cli for clients created later; empty: restores it. For tests.
  static void setDefaultLauncher(Launcher launcher);
  HelperClient(Launcher launcher, QObject* parent = nullptr);
  ~HelperClient() override;
  /// Sends a struct of engine/predict/data_requests.hpp or run_requests.hpp and returns the request's id. `answer`
  /// is called after ask() returned, unless `context` was destroyed.
  template <class Request>
  qint64 ask(QObject* context, const Request& request, Answer answer, Progress progress = {},
             std::vector<std::uint8_t> payload = {}) {
    Json message = protocol::message_of(request);
    return askJson(context, std::move(message), std::move(answer), std::move(progress), std::move(payload));
  }
  /// As ask(), for answers with large arrays.
  template <class Request>
  qint64 askShared(QObject* context, const Request& request, SharedAnswer answer, Progress progress = {}) {
    return send(context, protocol::message_of(request), std::move(answer), std::move(progress), {});
  }
  /// Sends a raw message of any operation; used by ask() and by tests.
  qint64 askJson(QObject* context, Json request, Answer answer, Progress progress = {},
                 std::vector<std::uint8_t> payload = {});
  /// The callback is not called any more; the helper process is requested to cancel the operation.
  void cancel(qint64 id);
  qint64 processId() const;

 Q_SIGNALS:
  void endedUnexpectedly(const QString& sentence);  // open requests got an error; the next request starts it again

 private:
  struct State;
  qint64 send(QObject* context, Json request, SharedAnswer answer, Progress progress,
              std::vector<std::uint8_t> payload);
  void deliver(qint64 id, const std::shared_ptr<Result<Message>>& answer);
  void advance(qint64 id, double progress);
  void lost(const QString& sentence);
  std::shared_ptr<State> state_;
};

}  // namespace nw::ui
