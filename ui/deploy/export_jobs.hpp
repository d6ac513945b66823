// SPDX-License-Identifier: GPL-3.0-or-later
// Exports and their checks, each in a process of its own that can be stopped at any time. GUI thread.
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTemporaryDir>
#include <map>
#include <memory>

#include "ui/predict/export_record.hpp"
#include "ui/predict/network_export.hpp"

namespace nw::ui {

class CommandProcess;

/// The run's weights that are exported.
struct DeployWeights {
  QString run, checkpoint;
  qint64 step = 0;
};

class ExportJobs : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  ~ExportJobs() override;
  /// Writes `file` and proves it; what was being done for the format is stopped.
  void start(const NetworkFormat& format, const QString& file, const DeployWeights& weights);
  /// Proves again what was written: compares SHA-256, and lets `verify` compute bundles and ONNX files once more.
  void check(const NetworkFormat& format, const ExportRecord& record, const QString& run);
  void stop(const QString& format);
  void stopAll();
  bool isBusy(const QString& format) const { return jobs_.contains(format); }
  double elapsed(const QString& format) const;
  QString stage(const QString& format) const;

 Q_SIGNALS:
  void ended(const QString& format, const nw::ui::ExportRecord& record);
  /// An export or a check gave no result; without a sentence it was stopped.
  void failed(const QString& format, const QString& sentence);
  /// Without changed files everything is as it was proved.
  void checked(const QString& format, const QStringList& changed, const QString& sentence);

 private:
  struct Job {
    QPointer<CommandProcess> process;
    QElapsedTimer clock, stageClock;
    ExportRecord record;
    QString run, file, stage;
    Json line = Json::object();              // the last one
    std::unique_ptr<QTemporaryDir> scratch;  // samples of a check
    quint64 turn = 0;
  };
  using Done = std::function<void(Job&, const Json&)>;
  Job& begin(const NetworkFormat& format, const ExportRecord& record, const QString& run);
  void command(const QString& id, const QStringList& arguments, Done done);
  void takeLine(const QString& id, const Json& line);
  void finishExport(const QString& id, const Json& proof);
  void computeAgain(const NetworkFormat& format);
  void compareSamples(const QString& id);
  void finishCheck(const QString& id, const QStringList& changed, const QString& sentence);
  void giveUp(const QString& id, const QString& sentence);
  std::map<QString, Job> jobs_;
  quint64 turn_ = 0;
};

}  // namespace nw::ui
