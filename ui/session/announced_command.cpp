// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/announced_command.hpp"

#include "ui/session/session.hpp"

namespace nw::ui {

void AnnouncedCommand::start(const QString& sentence, const QStringList& arguments, CommandProcess::Answered answered,
                             CommandProcess::Failed failed) {
  stop();
  auto* const process = new CommandProcess(this);
  process_ = process;
  process->start(
      arguments,
      [process, answered = std::move(answered)](const Json& answer) {
        process->deleteLater();
        answered(answer);
      },
      [process, failed = std::move(failed)](const QString& why) {
        process->deleteLater();
        failed(why);
      });
  Q_EMIT session_.message(sentence, 0,
                          {{tr("Stop"),
                            [self = QPointer(this)] {
                              if (self) self->stop();
                            },
                            ValidUntil::closed}});
}

void AnnouncedCommand::stop() {
  if (process_) process_->stop();
}

}  // namespace nw::ui
