// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts the pictures of a folder as they arrive, one after the other, by the helper process, which alone decodes
// them. GUI thread; the folder is read on a worker thread.
#pragma once
#include <QElapsedTimer>
#include <QHash>
#include <QImage>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "ui/deploy/export_jobs.hpp"
#include "ui/session/helper_client.hpp"

namespace nw::ui {

struct WatchedImage {
  QString path;
  QImage image;          // as the network sees it
  QString answer;        // class, or the largest label
  double share = 0;      // its probability, 0…1
  double ms = 0;         // from the request to its reply, decoding included
  QString problem = {};  // why it was not predicted
};

/// A picture file of the folder; the same file in another state has another stamp.
struct FolderEntry {
  QString path;
  qint64 time = 0, bytes = 0;
  QString stamp() const { return QStringLiteral("%1/%2/%3").arg(time).arg(bytes).arg(path); }
};
/// The newest picture files directly in the folder, oldest first; at most 4096. Not for the GUI thread.
QVector<FolderEntry> picturesIn(const QString& folder);

class FolderWatch : public QObject {
  Q_OBJECT
 public:
  explicit FolderWatch(HelperClient& helper, QObject* parent = nullptr);
  void start(const QString& folder, const DeployWeights& weights);
  void stop();
  bool isOn() const { return on_; }
  qsizetype waiting() const { return queue_.size(); }

 Q_SIGNALS:
  void predicted(const nw::ui::WatchedImage& image);
  void failed(const QString& sentence);
  void waitingChanged();

 private:
  void open();
  void look();
  void take(const QVector<FolderEntry>& entries);
  void next();
  void finish(const QString& path, const Result<Message>& answer, double ms);
  HelperClient& helper_;
  QString folder_;
  DeployWeights weights_;
  QStringList names_;
  TargetKind kind_ = TargetKind::classes;
  int height_ = 0, width_ = 0;
  QTimer timer_;
  QHash<QString, QString> known_, unsettled_;  // stamps by path: predicted; seen once, perhaps still being written
  QStringList queue_;
  bool on_ = false, looking_ = false, predicting_ = false;
  quint64 turn_ = 0;
};

}  // namespace nw::ui
