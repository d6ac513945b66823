// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a study's journal on worker threads: what was appended is read, and a new snapshot is made. GUI thread.
#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "ui/study/study_snapshot.hpp"

namespace nw::ui {

class StudyFollower : public QObject {
  Q_OBJECT
 public:
  explicit StudyFollower(QObject* parent = nullptr);
  /// Empty: nothing is followed.
  void follow(const fs::path& folder);
  fs::path folder() const { return folder_; }
  /// While on, a study that runs is read twice a second; a change of the file is read at once.
  void setWatching(bool on);
  void readSoon();

 Q_SIGNALS:
  void changed(const nw::ui::StudyData& data);
  /// The journal cannot be read: one sentence. It is said once for each sentence.
  void failed(const QString& sentence);

 private:
  struct Reader;
  struct Reading {
    StudyData data;  // null: nothing is new
    QString problem;
    bool more = false;
  };
  static Reading read(Reader& reader);
  void poll();
  void take(const Reading& reading);

  fs::path folder_;
  std::shared_ptr<Reader> reader_;  // used by the one reading in progress
  QString problem_;
  int generation_ = 0;
  bool busy_ = false, again_ = false;
  QTimer soon_, regular_;
  QFileSystemWatcher watcher_;
};

}  // namespace nw::ui
