// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QObject>
#include <QSet>
#include <QTimer>

#include "ui/session/thumbnail_cache.hpp"

namespace nw::ui {

/// The thumbnails of one view: requested in batches when the view is about to draw them, the latest request first.
/// GUI thread.
class Thumbnails : public QObject {
  Q_OBJECT
 public:
  explicit Thumbnails(HelperClient& helper, QObject* parent = nullptr);
  /// The thumbnail; or a null image, and arrived() follows later. A thumbnail that could not be had is not requested
  /// again before clear().
  QImage image(const SampleSet& set, qint64 sample, int size);
  /// Drops all requests; forgets which failed.
  void clear();
  /// Also removes the set's pictures from the cache.
  void clear(const SampleSet& set);
  /// True when no request is open.
  bool idle() const { return !busy_ && wanted_.isEmpty(); }

 Q_SIGNALS:
  void arrived();

 private:
  struct Wanted {
    ThumbnailCache::Key key;
    SampleSet set;
  };
  static constexpr int max_at_once = 96, max_waiting = 480;
  std::vector<Wanted> takeBatch();
  void fetch();
  void take(const std::vector<Wanted>& batch, const Status& status);

  ThumbnailCache& cache_;
  QList<Wanted> wanted_;
  QSet<ThumbnailCache::Key> pending_;
  QTimer timer_;
  quint64 turn_ = 0;
  bool busy_ = false;
};

}  // namespace nw::ui
