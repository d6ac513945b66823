// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/predict/source/predict_source.hpp"
#include "ui/session/thumbnails.hpp"

namespace nw::ui {

/// Thumbnails of the samples that the Predict page shows: of the split, or own images. GUI thread.
class ThumbnailStore : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailStore(PredictSource& source, QObject* parent = nullptr);
  /// The thumbnail; or a null image, and arrived() follows later.
  QImage image(qint64 sample);
  /// True if no request is pending.
  bool idle() const { return thumbnails_.idle(); }

 Q_SIGNALS:
  void arrived();

 private:
  void restart();
  PredictSource& source_;
  Thumbnails thumbnails_;
  SampleSet set_;
};

}  // namespace nw::ui
