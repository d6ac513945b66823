// SPDX-License-Identifier: GPL-3.0-or-later
// Starts and stops studies: each is a process of its own (netwright-cli sweep), which goes on when the window closes,
// and which the next window finds by the lock of its folder. GUI thread.
#pragma once
#include <QMap>
#include <QObject>
#include <QStringList>
#include <memory>

#include "engine/search/study.hpp"
#include "ui/study/study_snapshot.hpp"

namespace nw::ui {

class RunProcess;
class Session;

/// What the user has chosen.
struct StudyOrder {
  search::Space space;
  std::vector<search::Objective> objectives;
  std::string sampler = "tpe", pruner = "none";
  qint64 trials = 30, epochs = 9, jobs = 1;
  quint64 seed = 0;
};

class StudyStarter : public QObject {
  Q_OBJECT
 public:
  explicit StudyStarter(Session& session, QObject* parent = nullptr);
  ~StudyStarter() override;  // the processes go on
  /// A new study of the open project in a folder of its own in the runs folder. Empty: refused; Session::message() has
  /// said why.
  fs::path start(const StudyOrder& order);
  /// The same command again. `repeats`: the best trial is then trained with so many other seeds.
  bool goOn(const StudySnapshot& study, qint64 trials, int repeats = 0);
  /// The first time its trials stop with checkpoints; while it is still stopping, it is killed, and its trials stop.
  void stop(const fs::path& folder);
  bool isStopping(const fs::path& folder) const;
  /// Whether this window started it, and it has not ended.
  bool isStarted(const fs::path& folder) const;
  /// The number of trials at the same time that was chosen last.
  static qint64 lastJobs();

 Q_SIGNALS:
  void started(const QString& folder);
  void ended(const QString& folder);

 private:
  struct Running;
  bool launch(const fs::path& folder, const QStringList& arguments, const fs::path& snapshot);
  void processEnded(const QString& folder);
  fs::path refuse(const Error& error);
  Session& session_;
  QMap<QString, std::shared_ptr<Running>> running_;  // by folder
};

}  // namespace nw::ui
