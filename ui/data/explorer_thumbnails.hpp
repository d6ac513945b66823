// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures an explorer shows: asked of the helper only while they are in view, given up when they are scrolled away
// before they came, a bounded number kept. GUI thread.
#pragma once
#include <QObject>
#include <QTimer>
#include <vector>

#include "engine/design/choice.hpp"
#include "ui/widgets/picture_cache.hpp"

namespace nw::ui {

class Session;

class ExplorerThumbnails : public QObject {
  Q_OBJECT
 public:
  static constexpr int side = 64, max_at_once = 64;
  explicit ExplorerThumbnails(Session& session, QObject* parent = nullptr);
  /// Other data, or the test set instead of the training set: everything is forgotten.
  void setSource(bool testSet);
  /// The samples in view, in the order of the requests. No other sample is requested.
  void show(std::vector<qint64> indices);
  /// Null: it is not here (yet).
  const NamedPicture* picture(qint64 index) const { return cache_.find(index); }
  qint64 askedFor() const { return asked_; }  // thumbnails requested since setSource()
  bool idle() const { return request_ == 0 && !timer_.isActive(); }

 Q_SIGNALS:
  void arrived();

 private:
  void fetch();
  void cancelRequestsOutOfView();
  Session& session_;
  PictureCache cache_;
  std::vector<qint64> view_, fetching_;
  QTimer timer_;
  qint64 request_ = 0, asked_ = 0;
  bool testSet_ = false, failed_ = false;
};

}  // namespace nw::ui
