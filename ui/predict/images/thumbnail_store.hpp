// SPDX-License-Identifier: GPL-3.0-or-later
// Thumbnails of samples, fetched from the helper process in batches when a view is about to draw them. GUI thread.
#pragma once
#include <QObject>
#include <QSet>
#include <QTimer>

#include "ui/predict/source/predict_source.hpp"
#include "ui/widgets/picture_cache.hpp"

namespace nw::ui {

class ThumbnailStore : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailStore(PredictSource& source, QObject* parent = nullptr);
  /// The thumbnail; or a null image, and arrived() follows later. The latest request is served first.
  QImage image(qint64 sample);
  void clear();
  /// Nothing is being fetched.
  bool idle() const { return !busy_ && wanted_.isEmpty(); }

 Q_SIGNALS:
  void arrived();

 private:
  void fetch();
  void take(const std::vector<qint64>& samples, const Result<std::vector<QImage>>& images, quint64 turn);
  static constexpr int max_at_once = 96, max_waiting = 480;

  PredictSource& source_;
  PictureCache cache_;
  QList<qint64> wanted_;
  QSet<qint64> pending_;
  QTimer timer_;
  quint64 turn_ = 0;
  bool busy_ = false;
};

}  // namespace nw::ui
