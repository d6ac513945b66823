// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/thumbnail_cache.hpp"

#include "ui/session/helper_client.hpp"
#include "ui/session/helper_images.hpp"
#include "ui/session/json_values.hpp"

namespace nw::ui {

ThumbnailCache& ThumbnailCache::of(HelperClient& helper) {
  auto* found = helper.findChild<ThumbnailCache*>(QString(), Qt::FindDirectChildrenOnly);
  return found ? *found : *new ThumbnailCache(helper);
}

ThumbnailCache::ThumbnailCache(HelperClient& helper, qsizetype bytes)
    : QObject(&helper), helper_(helper), pictures_(bytes) {}

ThumbnailCache::Key ThumbnailCache::key(const SampleSet& set, qint64 sample, int size) {
  auto found = sets_.constFind(set.key);
  if (found == sets_.constEnd()) found = sets_.insert(set.key, ++numbers_);
  return {*found, sample, size};
}

void ThumbnailCache::insert(const Key& key, NamedPicture picture) {
  const qsizetype bytes = picture.image.sizeInBytes() + picture.name.size() * qsizetype{sizeof(QChar)} + overhead;
  pictures_.insert(key, new NamedPicture(std::move(picture)), bytes);
}

/// The number is not reused, so the cache evicts the thumbnails stored under it as the least recently used ones.
void ThumbnailCache::forget(const SampleSet& set) { sets_.remove(set.key); }

qint64 ThumbnailCache::fetch(QObject* context, const SampleSet& set, const std::vector<qint64>& samples, int size,
                             Done done) {
  const int number = key(set, 0, size).set;
  const auto take = [this, number, set = set.key, samples, size,
                     done = std::move(done)](const Result<Message>& answer) {
    if (!answer) return done(answer.error());
    const Result<std::vector<QImage>> images = images_from(answer->payload, samples.size(), size, size);
    if (!images) return done(images.error());
    const QStringList names = textsAt(answer->json, "names");
    const bool current = sets_.value(set) == number;
    for (std::size_t i = 0; current && i < samples.size(); ++i)
      insert({number, samples[i], size}, {(*images)[i], names.value(static_cast<qsizetype>(i))});
    done({});
  };
  return helper_.askJson(context, (*set.ask)(samples, size), take);
}

}  // namespace nw::ui
