// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/command_process.hpp"

#include <QProcess>

#include "engine/core/files.hpp"
#include "kernels/printable.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr qsizetype longest_answer = 4 << 20;

QString& commandProgram() {
  static QString name;
  return name;
}

QByteArray lastLine(const QByteArray& text) {
  const QByteArray whole = text.trimmed();
  return whole.mid(whole.lastIndexOf('\n') + 1);
}

}  // namespace

void CommandProcess::setProgram(const QString& program) { commandProgram() = program; }

CommandProcess::~CommandProcess() {
  if (!process_) return;
  process_->disconnect(this);
  process_->setParent(nullptr);
  connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
  process_->kill();
}

void CommandProcess::start(const QStringList& arguments, Answered answered, Failed failed) {
  answered_ = std::move(answered);
  failed_ = std::move(failed);
  process_ = new QProcess(this);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("NETWRIGHT_ERRORS"), QStringLiteral("json"));  // can be translated
  process_->setProcessEnvironment(environment);
  connect(process_, &QProcess::finished, this,
          [this](int code, QProcess::ExitStatus status) { ended(status == QProcess::NormalExit, code); });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(false, -1);
  });
  const QString program = commandProgram().isEmpty()
                              ? QString::fromStdString((program_folder() / "netwright-cli").string())
                              : commandProgram();
  process_->start(program, QStringList(arguments) << QStringLiteral("--json"), QIODevice::ReadOnly);
}

void CommandProcess::stop() {
  stopped_ = true;
  if (process_) process_->kill();
}

void CommandProcess::ended(bool normally, int code) {
  if (stopped_) return failed_({});
  if (!normally || code != 0) return failed_(reason());
  const QByteArray line = lastLine(process_->readAllStandardOutput().right(longest_answer));
  const auto answer = parse_json(line.toStdString(), "netwright-cli");
  if (!answer) return failed_(translated(answer.error().what));
  answered_(*answer);
}

QString CommandProcess::reason() const {
  const QByteArray line = lastLine(process_->readAllStandardError().right(longest_answer));
  if (process_->exitStatus() == QProcess::CrashExit && process_->error() != QProcess::FailedToStart)
    return tr(
        "The program that was started for this has ended unexpectedly. Try again with a smaller file or network.");
  if (line.isEmpty()) return tr("%1 could not be started. Install Netwright again.").arg(process_->program());
  if (const auto json = parse_json(line.toStdString(), "error"))
    if (const QString sentence = sentenceOf(*json); !sentence.isEmpty()) return sentence;
  return QString::fromStdString(printable(line.toStdString()));
}

}  // namespace nw::ui
