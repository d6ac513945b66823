// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector's content while no layer is selected: totals of the network, and the layers with most parameters and
// computation.
#pragma once
#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>

namespace nw::ui {

class GraphScene;

class NetworkSummary : public QWidget {
  Q_OBJECT
 public:
  explicit NetworkSummary(GraphScene& scene, QWidget* parent = nullptr);
  QSize sizeHint() const override;

  struct Figure {
    QString name, value;
  };
  struct Bar {
    QString layer, group, value;
    double share = 0;
  };
  const QVector<Figure>& figures() const { return figures_; }
  const QVector<Bar>& parameters() const { return parameters_; }  // descending

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void refresh();
  QVector<Bar> bars(bool computation) const;
  GraphScene& scene_;
  QVector<Figure> figures_;
  QVector<Bar> parameters_, computation_;
};

}  // namespace nw::ui
