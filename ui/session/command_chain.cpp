// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/command_chain.hpp"

#include "ui/session/command_process.hpp"
#include "ui/session/json_values.hpp"

namespace nw::ui {

CommandChain::~CommandChain() { delete process_; }

void CommandChain::start(QVector<StepCommand> commands) {
  end();
  commands_ = std::move(commands);
  answers_.clear();
  clock_.start();
  on_ = true;
  next();
}

void CommandChain::end() {
  on_ = false;
  delete process_;  // ends it; its functions are not called
}

void CommandChain::stop() {
  if (!on_) return;
  end();
  Q_EMIT failed({});
}

void CommandChain::next() {
  if (answers_.size() == static_cast<std::size_t>(commands_.size())) {
    on_ = false;
    return void(Q_EMIT finished(answers_));
  }
  const StepCommand& command = commands_[static_cast<qsizetype>(answers_.size())];
  stage_ = command.stage;
  process_ = new CommandProcess(this);
  process_->onLine([this](const Json& json) {
    if (textAt(json, "type") == QLatin1String("stage")) stage_ = textAt(json, "stage");
    Q_EMIT line(stage_, json);
  });
  process_->start(
      command.arguments,
      [this, ended = process_](const Json& answer) {
        ended->deleteLater();
        answers_.push_back(answer);
        next();
      },
      [this, ended = process_](const QString& sentence) {
        ended->deleteLater();
        on_ = false;
        Q_EMIT failed(sentence);
      });
}

}  // namespace nw::ui
