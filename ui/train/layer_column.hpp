// SPDX-License-Identifier: GPL-3.0-or-later
// The network as a column of compact cards, in the order of computation: what is being trained, beside its curves. GUI thread.
#pragma once
#include <QString>
#include <QVector>
#include <QWidget>

#include "engine/compile/compile.hpp"

class QPainter;

namespace nw::ui {

struct LayerRow {
  QString type, name, group;
  std::int64_t parameters = 0;
  QString shape;               // of its output, "16×10×10"; empty: unknown
  QString title;               // a block's own name, shown instead of its type
  bool operator==(const LayerRow&) const = default;
};
/// The nodes of the main graph, each after those that feed it.
QVector<LayerRow> layerRows(const GraphDoc& doc, const Analysis& analysis);

class LayerColumn : public QWidget {
  Q_OBJECT
 public:
  explicit LayerColumn(QWidget* parent = nullptr);
  void setRows(const QVector<LayerRow>& rows);
  const QVector<LayerRow>& rows() const { return rows_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, 100}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  bool event(QEvent*) override;

 private:
  QRectF cardRect(qsizetype row) const;
  void paintCard(QPainter& p, const QRectF& card, const LayerRow& row) const;
  QVector<LayerRow> rows_;
};

}  // namespace nw::ui
