// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/measuring_process.hpp"

#include <QProcess>

#include "engine/core/files.hpp"

namespace nw::ui {
namespace {
QString& programName() {
  static QString name;
  return name;
}
}  // namespace

void MeasuringProcess::setProgram(const QString& program) { programName() = program; }

MeasuringProcess::~MeasuringProcess() {
  if (process_ == nullptr) return;
  process_->disconnect(this);
  process_->setParent(nullptr);
  connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
  process_->kill();
}

void MeasuringProcess::start(const QStringList& arguments) {
  if (process_ != nullptr) return;
  process_ = new QProcess(this);
  connect(process_, &QProcess::readyReadStandardOutput, this, &MeasuringProcess::readLines);
  connect(process_, &QProcess::finished, this,
          [this](int code, QProcess::ExitStatus status) { finish(status == QProcess::NormalExit ? code : 1); });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) finish(1);
  });
  const QString program =
      programName().isEmpty() ? QString::fromStdString((program_folder() / "netwright-cli").string()) : programName();
  process_->start(program, arguments, QIODevice::ReadOnly);
}

void MeasuringProcess::readLines() {
  while (process_ != nullptr && process_->canReadLine()) Q_EMIT line(process_->readLine());
}

void MeasuringProcess::finish(int code) {
  readLines();
  const QString lastLine = QString::fromUtf8(process_->readAllStandardError()).trimmed().section(u'\n', -1);
  process_->deleteLater();
  process_ = nullptr;
  const bool silent = code != 0 && lastLine.isEmpty();
  Q_EMIT ended(code, silent ? tr("The measuring program could not be started.") : lastLine);
}

}  // namespace nw::ui
