// SPDX-License-Identifier: GPL-3.0-or-later
// The window's end of `netwright-cli serve` (engine/predict/serve.hpp): asks without blocking, answers come as calls on the GUI
// thread. Starts the helper at the first request; says so and starts it again when it dies.
#pragma once
#include <QObject>
#include <functional>
#include <memory>

#include "engine/predict/serve.hpp"

namespace nw::ui {

class HelperClient : public QObject {
  Q_OBJECT
 public:
  using Answer = std::function<void(const Result<Message>&)>;
  using Progress = std::function<void(double)>;
  explicit HelperClient(QObject* parent = nullptr);
  ~HelperClient() override;
  /// Returns the request's id. `context` gone: the answer is dropped.
  qint64 ask(QObject* context, Json request, Answer answer, Progress progress = {}, std::vector<std::uint8_t> payload = {});
  void cancel(qint64 id);
  qint64 processId() const;

 Q_SIGNALS:
  void died(const QString& sentence);             // it was started again; open requests got an error

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace nw::ui
