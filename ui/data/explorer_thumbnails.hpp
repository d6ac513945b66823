// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>
#include <vector>

#include "ui/session/thumbnail_cache.hpp"

namespace nw::ui {

class Session;

/// The thumbnails that an explorer shows. They are requested only while they are in view; requests are cancelled if
/// the thumbnails are scrolled away before. GUI thread.
class ExplorerThumbnails : public QObject {
  Q_OBJECT
 public:
  static constexpr int side = 64, max_at_once = 64;
  explicit ExplorerThumbnails(Session& session, QObject* parent = nullptr);
  /// Other data, or the test set instead of the training set: thumbnails are requested again.
  void setSource(bool testSet);
  /// The samples in view, in the order of the requests. No other sample is requested.
  void show(std::vector<qint64> indices);
  /// Null: not loaded (yet).
  const NamedPicture* picture(qint64 index) const { return cache_.find(cache_.key(set_, index, side)); }
  const SampleSet& set() const { return set_; }
  qint64 askedFor() const { return asked_; }  // thumbnails requested since setSource()
  bool idle() const { return request_ == 0 && !timer_.isActive(); }

 Q_SIGNALS:
  void arrived();

 private:
  void fetch();
  void cancelRequestsOutOfView();
  Session& session_;
  ThumbnailCache& cache_;
  SampleSet set_;
  std::vector<qint64> view_, fetching_;
  QTimer timer_;
  qint64 request_ = 0, asked_ = 0;
  bool failed_ = false;
};

}  // namespace nw::ui
