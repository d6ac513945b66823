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

QString CommandProcess::program() {
  return commandProgram().isEmpty() ? QString::fromStdString((program_folder() / "netwright-cli").string())
                                    : commandProgram();
}

CommandProcess::~CommandProcess() {
  if (!process_) return;
  process_->disconnect(this);
  process_->setParent(nullptr);
  connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
  process_->kill();
}

void CommandProcess::start(const QStringList& arguments, Answered answered, Failed failed) {
  startAsIs(QStringList(arguments) << QStringLiteral("--json"), std::move(answered), std::move(failed));
}

void CommandProcess::startAsIs(const QStringList& arguments, Answered answered, Failed failed) {
  answered_ = std::move(answered);
  failed_ = std::move(failed);
  process_ = new QProcess(this);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("NETWRIGHT_ERRORS"), QStringLiteral("json"));  // can be translated
  process_->setProcessEnvironment(environment);
  connect(process_, &QProcess::readyReadStandardOutput, this, &CommandProcess::readLines);
  connect(process_, &QProcess::finished, this,
          [this](int code, QProcess::ExitStatus status) { ended(status == QProcess::NormalExit, code); });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(false, -1);
  });
  process_->start(program(), arguments, QIODevice::ReadOnly);
}

void CommandProcess::stop() {
  stopped_ = true;
  if (process_) process_->kill();
}

void CommandProcess::readLines() {
  while (process_->canReadLine()) take(process_->readLine());
}

void CommandProcess::take(const QByteArray& line) {
  if (line.trimmed().isEmpty()) return;
  last_ = line.trimmed().right(longest_answer);
  if (!line_) return;
  if (const auto json = parse_json(last_.toStdString(), "netwright-cli"); json && json->is_object()) line_(*json);
}

void CommandProcess::ended(bool normally, int code) {
  if (stopped_) return failed_({});
  readLines();
  take(process_->readAllStandardOutput());  // a line without an end
  error_ = lastLine(process_->readAllStandardError().right(longest_answer));
  if (!normally || !hasAnswered(code)) return failed_(reason(code));
  const auto answer = parse_json(last_.toStdString(), "netwright-cli");
  if (!answer) return failed_(translated(answer.error().what));
  answered_(*answer);
}

bool CommandProcess::hasAnswered(int code) const {
  if (code != 1 || last_.isEmpty()) return code == 0;
  const auto error = parse_json(error_.toStdString(), "error");
  return !error || sentenceOf(*error).isEmpty();
}

QString CommandProcess::reason(int code) const {
  if (process_->error() == QProcess::FailedToStart)
    return tr("%1 could not be started. Install Netwright again.").arg(process_->program());
  if (process_->exitStatus() == QProcess::CrashExit)
    return tr(
        "The program that was started for this has ended unexpectedly. Try again with a smaller file or network.");
  if (error_.isEmpty())
    return tr("%1 ended without a result and without a reason (exit code %2). Try again; if that does not help, "
              "install Netwright again.")
        .arg(process_->program())
        .arg(code);
  if (const auto json = parse_json(error_.toStdString(), "error"))
    if (const QString sentence = sentenceOf(*json); !sentence.isEmpty()) return sentence;
  return QString::fromStdString(printable(error_.toStdString()));
}

}  // namespace nw::ui
