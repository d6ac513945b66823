// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of an explorer: any number of equal cells; only the visible ones are painted. Arrow keys move, Shift with
// arrow keys selects, Enter opens. GUI thread.
#pragma once
#include <QAbstractScrollArea>
#include <QCache>
#include <QPixmap>
#include <set>

#include "ui/data/explorer_model.hpp"
#include "ui/data/explorer_thumbnails.hpp"

namespace nw::ui {

class ExplorerGrid : public QAbstractScrollArea {
  Q_OBJECT
 public:
  static constexpr int max_sprites = 1024;
  ExplorerGrid(ExplorerModel& model, ExplorerThumbnails& pictures, QWidget* parent = nullptr);
  int columns() const;
  /// The first visible row and the number of visible rows.
  std::pair<int, int> inView() const;
  int current() const { return current_; }
  void setCurrent(int row, bool extend = false);
  /// The selected rows, ascending.
  const std::set<int>& chosen() const { return chosen_; }
  /// Names (sample_name) of the samples drawn as excluded.
  void setExcluded(std::function<bool(const QString& name)> excluded) { excluded_ = std::move(excluded); }

 Q_SIGNALS:
  void currentChanged(int row);
  void opened(int row);
  void excludeRequested();  // the chosen samples, or to include them again

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void scrollContentsBy(int dx, int dy) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void focusInEvent(QFocusEvent*) override { viewport()->update(); }
  void focusOutEvent(QFocusEvent*) override { viewport()->update(); }
  void changeEvent(QEvent*) override;

 private:
  void relayout();
  void notifyView();
  QRect cell(int row) const;  // in the viewport
  int rowAt(const QPoint& where) const;
  void paintCell(QPainter& p, int row, const QRect& where, bool mayMake);
  /// The scaled thumbnail, cached; null: not loaded yet, or this frame's time is used up.
  const QPixmap* sprite(const NamedPicture* picture, bool mayMake);
  ExplorerModel& model_;
  ExplorerThumbnails& pictures_;
  std::function<bool(const QString&)> excluded_;
  std::set<int> chosen_;
  QCache<qint64, QPixmap> sprites_{max_sprites};  // by the image's cacheKey()
  qreal spritesRatio_ = 0;
  bool unmade_ = false;  // a thumbnail in view waits for the next frame
  int current_ = -1, anchor_ = -1;
};

}  // namespace nw::ui
