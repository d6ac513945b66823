// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/images/thumbnail_store.hpp"

#include <algorithm>

namespace nw::ui {

ThumbnailStore::ThumbnailStore(PredictSource& source, QObject* parent)
    : QObject(parent), source_(source), thumbnails_(source.helper()) {
  connect(&thumbnails_, &Thumbnails::arrived, this, &ThumbnailStore::arrived);
  connect(&source_, &PredictSource::evaluated, this, &ThumbnailStore::restart);
  restart();
}

QImage ThumbnailStore::image(qint64 sample) {
  if (!source_.files().isEmpty()) return source_.fileImage(sample);
  const NetworkInfo& network = source_.network();
  if (!network.known()) return {};
  return thumbnails_.image(set_, sample, std::clamp(std::max(network.height, network.width), 16, 128));
}

/// After other weights, another split or a repeated evaluation the run's data may have changed on the disk.
void ThumbnailStore::restart() {
  for (const char* split : {"train", "validation", "test"})
    thumbnails_.clear(samplesOfRun(source_.weights(), QString::fromLatin1(split)));
  set_ = samplesOfRun(source_.weights(), source_.split());
}

}  // namespace nw::ui
