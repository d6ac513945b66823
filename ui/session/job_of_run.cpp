// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/job_of_run.hpp"

#include <QDir>
#include <QFileInfo>

#include "ui/session/command_process.hpp"
#include "ui/session/json_values.hpp"

namespace nw::ui {

QString jobOfRun(const QString& runFolder) {
  const QFileInfo run(runFolder);
  const QDir record = run.absoluteDir();
  return run.fileName() == QLatin1String("run") && record.exists(QStringLiteral("job.json")) ? record.path()
                                                                                             : QString();
}

void controlJob(QObject* owner, const QString& job, const QString& command,
                const std::function<void(const QString& why)>& answered) {
  auto* const process = new CommandProcess(owner);
  const auto over = [process, answered](const QString& why) {
    process->deleteLater();
    answered(why);
  };
  process->start(
      QStringList{QStringLiteral("jobs"), QStringLiteral("control"), job} + command.split(u' '),
      [over](const Json& answer) {
        const QString said = textAt(answer, "answer");
        over(said.startsWith(QLatin1String("error")) ? said : QString());
      },
      over);
}

}  // namespace nw::ui
