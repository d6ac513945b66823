// SPDX-License-Identifier: GPL-3.0-or-later
// A cache of received images; the least recently used are removed when the size limit is exceeded. GUI thread.
#pragma once
#include <QCache>
#include <QImage>
#include <QString>

namespace nw::ui {

/// A picture of a sample and the name that projects give the sample ("train: cat/12.jpg"); empty: unknown.
struct NamedPicture {
  QImage image;
  QString name;
};

class PictureCache {
 public:
  static constexpr qsizetype default_bytes = qsizetype{64} << 20;
  explicit PictureCache(qsizetype bytes = default_bytes) : pictures_(bytes) {}
  /// Null: not in the cache. Valid until the next insert() or clear().
  const NamedPicture* find(qint64 index) const { return pictures_.object(index); }
  bool contains(qint64 index) const { return pictures_.contains(index); }
  void insert(qint64 index, NamedPicture picture) {
    const qsizetype bytes = picture.image.sizeInBytes() + picture.name.size() * qsizetype{sizeof(QChar)} + overhead;
    pictures_.insert(index, new NamedPicture(std::move(picture)), bytes);
  }
  void clear() { pictures_.clear(); }
  qsizetype bytes() const { return pictures_.totalCost(); }

 private:
  static constexpr qsizetype overhead = 256;  // of an entry besides its pixels
  QCache<qint64, NamedPicture> pictures_;
};

}  // namespace nw::ui
