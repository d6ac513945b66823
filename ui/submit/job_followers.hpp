// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs that this window follows, each by a process `netwright-cli jobs follow`, which connects again by itself; one
// that ends while its job may still train is started again. GUI thread.
#pragma once
#include <QHash>
#include <QObject>
#include <QProcess>
#include <QTimer>

namespace nw::ui {

class Session;

class JobFollowers : public QObject {
  Q_OBJECT
 public:
  explicit JobFollowers(QObject* parent);
  ~JobFollowers() override;
  /// Of a job that is followed already: nothing.
  void follow(const QString& job);
  /// Every job of which it is not known that it has ended.
  void followAll();
  bool follows(const QString& job) const { return processes_.contains(job); }
  QString runOf(const QString& job) const;

 Q_SIGNALS:
  /// A job's run trains and is seen here: once for each follow(), and again when it goes on after a break, as it does
  /// when a cluster has ended and requeued it.
  void began(const QString& run);
  /// No longer followed: it has ended, or cannot be reached.
  void ended(const QString& job);

 private:
  void start(const QString& job);
  void processEnded(const QString& job);
  void lookForRuns();
  QHash<QString, QProcess*> processes_;  // by the job's name
  QStringList waited_;                   // jobs whose run has not been seen to train since follow()
  QStringList training_;                 // jobs whose run trained at the last look
  QTimer look_;
};

/// The session's followers; created by the first call.
JobFollowers& jobFollowers(Session& session);

}  // namespace nw::ui
