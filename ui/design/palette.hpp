// SPDX-License-Identifier: GPL-3.0-or-later
// Layers and blocks to drag onto the canvas, grouped, searchable, and by keyboard. Dragging is followed by hand instead of a
// system drag: it works the same everywhere and the canvas can answer at every move.
#pragma once
#include <QLineEdit>
#include <QVBoxLayout>
#include <QWidget>

namespace nw::ui {

class GraphView;

/// One row; drags itself onto the canvas, adds itself on double click and Enter.
class PaletteRow : public QWidget {
  Q_OBJECT
 public:
  PaletteRow(GraphView& view, const QString& id, const QString& name, const QString& group, const QString& summary, QWidget* parent);
  const QString& id() const { return id_; }
  const QString& name() const { return name_; }
  QSize sizeHint() const override { return {200, 32}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void enterEvent(QEnterEvent*) override { update(); }
  void leaveEvent(QEvent*) override { update(); }

 private:
  void followDrag(QPoint global);
  void endDrag();
  void add();

  GraphView& view_;
  QString id_, name_, group_, icon_;
  QPoint pressed_;
  QWidget* ghost_ = nullptr;
  bool over_ = false;
};

class Palette : public QWidget {
  Q_OBJECT
 public:
  explicit Palette(GraphView& view, QWidget* parent = nullptr);
  QLineEdit& search() { return *search_; }
  /// The row of a layer ("Conv2d") or block ("Block/BasicBlock"); null when there is none.
  PaletteRow* row(const QString& id) const;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void fill();
  void filter(const QString& text);

  GraphView& view_;
  QLineEdit* search_;
  QWidget* list_;
  QVBoxLayout* rows_;
  QString known_;   // names of the blocks that are listed
};

}  // namespace nw::ui
