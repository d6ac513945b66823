// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/images/thumbnail_store.hpp"

#include <algorithm>

namespace nw::ui {

ThumbnailStore::ThumbnailStore(PredictSource& source, QObject* parent) : QObject(parent), source_(source) {
  timer_.setSingleShot(true);
  timer_.setInterval(0);
  connect(&timer_, &QTimer::timeout, this, &ThumbnailStore::fetch);
}

QImage ThumbnailStore::image(qint64 sample) {
  if (const NamedPicture* kept = cache_.find(sample)) return kept->image;
  if (!pending_.contains(sample)) {
    pending_.insert(sample);
    wanted_.append(sample);
    // scrolled past: asked again when it shows again
    if (wanted_.size() > max_waiting) pending_.remove(wanted_.takeFirst());
    if (!busy_ && !timer_.isActive()) timer_.start();
  }
  return {};
}

void ThumbnailStore::clear() {
  ++turn_;
  cache_.clear();
  wanted_.clear();
  pending_.clear();
  busy_ = false;
}

void ThumbnailStore::fetch() {
  const NetworkInfo& network = source_.network();
  if (wanted_.isEmpty() || !network.known()) return;
  const qsizetype count = std::min<qsizetype>(wanted_.size(), max_at_once);
  const std::vector<qint64> batch(wanted_.end() - count, wanted_.end());
  wanted_.erase(wanted_.end() - count, wanted_.end());
  busy_ = true;
  const int size = std::clamp(std::max(network.height, network.width), 16, 128);
  source_.thumbnails(this, batch, size, [this, batch, turn = turn_](const Result<std::vector<QImage>>& images) {
    take(batch, images, turn);
  });
}

void ThumbnailStore::take(const std::vector<qint64>& samples, const Result<std::vector<QImage>>& images, quint64 turn) {
  if (turn != turn_) return;
  busy_ = false;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (images && i < images->size()) {
      pending_.remove(samples[i]);
      cache_.insert(samples[i], {(*images)[i], {}});
    }  // after an error they stay pending: they are not asked for again until clear()
  }
  if (images) Q_EMIT arrived();
  if (!wanted_.isEmpty()) timer_.start();
}

}  // namespace nw::ui
