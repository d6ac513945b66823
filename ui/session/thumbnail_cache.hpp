// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCache>
#include <QHash>
#include <QImage>
#include <QObject>
#include <QString>
#include <functional>

#include "kernels/result.hpp"
#include "ui/session/sample_set.hpp"

namespace nw::ui {

class HelperClient;

/// A thumbnail of a sample and the name that projects give the sample ("train: cat/12.jpg"); empty: unknown.
struct NamedPicture {
  QImage image;
  QString name;
};

/// The thumbnails that a helper has sent, shared by all views; the least recently used are removed when the size limit
/// is exceeded. GUI thread.
class ThumbnailCache : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype default_bytes = qsizetype{64} << 20;
  struct Key {
    int set = 0;
    qint64 sample = 0;
    int size = 0;  // side in pixels
    bool operator==(const Key&) const = default;
    friend size_t qHash(const Key& k, size_t seed = 0) { return qHashMulti(seed, k.set, k.sample, k.size); }
  };
  using Done = std::function<void(const Status&)>;

  /// The one cache of a helper's thumbnails; made at the first call.
  static ThumbnailCache& of(HelperClient& helper);
  explicit ThumbnailCache(HelperClient& helper, qsizetype bytes = default_bytes);
  Key key(const SampleSet& set, qint64 sample, int size);
  /// Null: not in the cache. Valid until the next insert().
  const NamedPicture* find(const Key& key) const { return pictures_.object(key); }
  void insert(const Key& key, NamedPicture picture);
  /// The data set may have other samples now: its cached thumbnails are invalidated and its open requests dropped.
  void forget(const SampleSet& set);
  /// Requests thumbnails and stores them, then calls `done` unless `context` is gone. Returns the request's id, for
  /// HelperClient::cancel().
  qint64 fetch(QObject* context, const SampleSet& set, const std::vector<qint64>& samples, int size, Done done);
  qsizetype bytes() const { return pictures_.totalCost(); }

 private:
  static constexpr qsizetype overhead = 256;  // bytes of an entry besides its pixels and its name
  HelperClient& helper_;
  QHash<QString, int> sets_;  // numbers of the sets' keys
  int numbers_ = 0;
  QCache<Key, NamedPicture> pictures_;
};

}  // namespace nw::ui
