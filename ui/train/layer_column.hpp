// SPDX-License-Identifier: GPL-3.0-or-later
// The network as a column of compact cards, in the order of computation: shown beside the curves of the run,
// tinted by layer statistics. GUI thread.
#pragma once
#include <QString>
#include <QVector>
#include <QWidget>

#include <optional>

#include "engine/compile/compile.hpp"
#include "engine/runs/layer_statistics.hpp"

class QPainter;

namespace nw::ui {

struct LayerRow {
  QString type, name, group;
  std::int64_t parameters = 0;
  QString shape;  // output shape, "16×10×10"; empty: unknown
  QString title;  // a block's own name, shown instead of its type
  bool operator==(const LayerRow&) const = default;
};
/// The nodes of the main graph, in topological order.
QVector<LayerRow> layerRows(const GraphDoc& doc, const Analysis& analysis);

/// The quantity that the nodes' figures and colours show.
enum class LayerTint { size, gradients, updates };

class LayerColumn : public QWidget {
  Q_OBJECT
 public:
  explicit LayerColumn(QWidget* parent = nullptr);
  void setRows(const QVector<LayerRow>& rows);
  const QVector<LayerRow>& rows() const { return rows_; }
  /// `statistics`: the latest layer statistics; null: none recorded.
  void setTint(LayerTint tint, const LayerStatistics* statistics);
  /// The value of the row's layer; nullopt: the layer has none, or none was recorded.
  std::optional<double> value(qsizetype row) const { return values_.value(row); }
  double most() const { return most_; }
  LayerTint tint() const { return tint_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, 100}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  bool event(QEvent*) override;

 private:
  QRectF cardRect(qsizetype row) const;
  void paintCard(QPainter& p, const QRectF& card, qsizetype index) const;
  void refreshValues();
  void describe();
  QVector<LayerRow> rows_;
  LayerTint tint_ = LayerTint::size;
  std::optional<LayerStatistics> statistics_;
  QVector<std::optional<double>> values_;  // parallel to rows_
  double most_ = 0;
};

/// The colour scale of a column with its limits; hidden while the column shows sizes.
class TintLegend : public QWidget {
  Q_OBJECT
 public:
  explicit TintLegend(const LayerColumn& column, QWidget* parent = nullptr);
  void refresh();
  QSize sizeHint() const override { return {200, 44}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QString name() const;
  const LayerColumn& column_;
};

}  // namespace nw::ui
