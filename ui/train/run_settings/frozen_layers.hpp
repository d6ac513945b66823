// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers are frozen: a list "up to this layer", and a strip with one cell for each layer. GUI thread.
#pragma once
#include <QHash>
#include <QSet>
#include <QVector>
#include <QWidget>

class QComboBox;

namespace nw::ui {

class SeverityLabel;

struct TrainedLayer {
  QString name;
  std::int64_t parameters = 0;
  bool operator==(const TrainedLayer&) const = default;
};

/// The strip: a click, or Space on the chosen cell, freezes or trains the layer.
class LayerStrip : public QWidget {
  Q_OBJECT
 public:
  explicit LayerStrip(QWidget* parent = nullptr);
  void setLayers(const QVector<TrainedLayer>& layers);
  /// `now`: in the run; `wanted`: with the changes that wait.
  void setFrozen(const QSet<QString>& now, const QSet<QString>& wanted);
  QRect cell(qsizetype layer) const;
  QSize sizeHint() const override { return {200, 22}; }
  QSize minimumSizeHint() const override { return {100, 22}; }

 Q_SIGNALS:
  void toggled(const QString& layer);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void focusInEvent(QFocusEvent*) override;
  void focusOutEvent(QFocusEvent*) override;
  bool event(QEvent*) override;  // the tool tip of a cell

 private:
  qsizetype at(QPoint place) const;
  QString words(qsizetype layer) const;
  void choose(qsizetype layer);
  QVector<TrainedLayer> layers_;
  QSet<QString> now_, wanted_;
  qsizetype chosen_ = 0;
};

class FrozenLayers : public QWidget {
  Q_OBJECT
 public:
  explicit FrozenLayers(QWidget* parent = nullptr);
  /// Those with weights, in the order of computation.
  void setLayers(const QVector<TrainedLayer>& layers);
  void setNow(const QSet<QString>& frozen);
  /// The layers whose state is to change, with the new one.
  QVector<std::pair<QString, bool>> waiting() const;
  void wait(const QString& layer, bool frozen);
  void discard();
  /// What waits was sent to the run; it holds when the run says so.
  void setSent();
  void forgetSent();  // the run refused it, or ended
  const QVector<TrainedLayer>& layers() const { return layers_; }
  LayerStrip& strip() { return *strip_; }
  QComboBox& upTo() { return *upTo_; }

 Q_SIGNALS:
  void changed();

 private:
  void chooseUpTo(int index);
  void say();
  qsizetype frozenFromInput() const;  // layers; -1: others are frozen too
  QVector<TrainedLayer> layers_;
  QSet<QString> now_, wanted_;
  QHash<QString, bool> sent_;
  QComboBox* upTo_;
  LayerStrip* strip_;
  SeverityLabel* note_;
};

}  // namespace nw::ui
