// SPDX-License-Identifier: GPL-3.0-or-later
// Autosave: every ten seconds, and after every ten edits, the changed document is written to a recovery file of this
// window alone; after a crash the file remains and the next start offers it. Files of running windows are never used,
// and files of ended windows are never removed without the user's consent. A write that fails is said.
#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class Session;

struct RecoveredProject {
  QString file;        // the recovery file
  QString name, path;  // the project's name, and its own file ("" = never saved)
  qint64 savedAt = 0;  // Unix seconds
};

class Recovery : public QObject {
  Q_OBJECT
 public:
  /// `folder`: holds the recovery files; created when the first one is written.
  Recovery(Session& session, const QString& folder, QObject* parent = nullptr);
  ~Recovery() override;
  /// Recovery files of ended windows, newest first. Reads only the headers; malformed files are skipped.
  std::vector<RecoveredProject> found() const;
  /// Why recovery files of ended windows cannot be read from the disk, a sentence each. found() lacks these.
  std::vector<Text> unreadable() const;
  Result<GraphDoc> load(const RecoveredProject&) const;
  void discard(const RecoveredProject&);
  /// Writes now if the document has changed since; returns once it is on disk, or with the reason why not.
  Status flush();
  static constexpr int intervalMs = 10000, maxEdits = 10;

 private:
  std::vector<QString> filesOfEnded() const;
  void saveSoon();
  Status openFile();
  void settleWrite();
  void settle(const Status& result);
  void cleared();
  struct Private;
  Session& session_;
  QString folder_;
  QTimer timer_;
  int edits_ = 0;  // since the last write
  std::unique_ptr<Private> d_;
};

}  // namespace nw::ui
