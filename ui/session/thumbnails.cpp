// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/thumbnails.hpp"

#include <algorithm>

#include "ui/session/helper_client.hpp"

namespace nw::ui {

Thumbnails::Thumbnails(HelperClient& helper, QObject* parent) : QObject(parent), cache_(ThumbnailCache::of(helper)) {
  timer_.setSingleShot(true);
  timer_.setInterval(0);
  connect(&timer_, &QTimer::timeout, this, &Thumbnails::fetch);
}

QImage Thumbnails::image(const SampleSet& set, qint64 sample, int size) {
  const ThumbnailCache::Key key = cache_.key(set, sample, size);
  if (const NamedPicture* found = cache_.find(key)) return found->image;
  if (!pending_.contains(key)) {
    pending_.insert(key);
    wanted_.append({key, set});
    // scrolled out of view: requested again when it is drawn again
    if (wanted_.size() > max_waiting) pending_.remove(wanted_.takeFirst().key);
    if (!busy_ && !timer_.isActive()) timer_.start();
  }
  return {};
}

void Thumbnails::clear() {
  ++turn_;
  wanted_.clear();
  pending_.clear();
  busy_ = false;
}

void Thumbnails::clear(const SampleSet& set) {
  clear();
  cache_.forget(set);
}

/// The latest requests that have the data set and the size of the newest request.
std::vector<Thumbnails::Wanted> Thumbnails::takeBatch() {
  std::vector<Wanted> batch;
  const ThumbnailCache::Key latest = wanted_.back().key;
  for (qsizetype i = wanted_.size() - 1; i >= 0 && batch.size() < max_at_once; --i)
    if (wanted_[i].key.set == latest.set && wanted_[i].key.size == latest.size) batch.push_back(wanted_.takeAt(i));
  std::reverse(batch.begin(), batch.end());
  return batch;
}

void Thumbnails::fetch() {
  if (wanted_.isEmpty()) return;
  const std::vector<Wanted> batch = takeBatch();
  std::vector<qint64> samples;
  for (const Wanted& w : batch) samples.push_back(w.key.sample);
  busy_ = true;
  cache_.fetch(this, batch.front().set, samples, batch.front().key.size,
               [this, batch, turn = turn_](const Status& status) {
                 if (turn == turn_) take(batch, status);
               });
}

void Thumbnails::take(const std::vector<Wanted>& batch, const Status& status) {
  busy_ = false;
  if (status) {  // after an error they stay pending
    for (const Wanted& w : batch) pending_.remove(w.key);
    Q_EMIT arrived();
  }
  if (!wanted_.isEmpty()) timer_.start();
}

}  // namespace nw::ui
