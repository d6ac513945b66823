// SPDX-License-Identifier: GPL-3.0-or-later
// The machine as small multiples on one scale: a row for the processor and one for each GPU, utilisation of the last
// minute and used against total memory. GUI thread.
#pragma once
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>
#include <utility>
#include <vector>

#include "engine/runs/events.hpp"

class QPainter;

namespace nw::ui {

struct MachineRow {
  QString name;                  // "CPU", "GPU 0"
  int series = -1;               // colour of the theme; -1: neutral
  QStringList details;           // "71 °C", "318 W"
  QVector<QPointF> utilization;  // seconds before the newest sample (<= 0), percent
  QVector<QPointF> memory;       // the same, bytes
  double capacityBytes = -1, plannedBytes = -1;
  QString tip;  // details that do not fit in the row: this run's share, clocks, traffic
};

/// The last `seconds` of samples as rows; values the machine does not report are left out.
QVector<MachineRow> machineRows(const std::vector<std::pair<double, DeviceSample>>& samples, double seconds = 60);

/// The planned memory of the GPUs on which a run trains, of these numbers; `bytes`: of all of them.
void addPlans(QVector<MachineRow>& rows, const std::vector<int>& gpus, double bytes);

class DeviceChart : public QWidget {
  Q_OBJECT
 public:
  explicit DeviceChart(QWidget* parent = nullptr);
  void setRows(const QVector<MachineRow>& rows);
  const QVector<MachineRow>& rows() const { return rows_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  /// Under the pointer: what and when, utilization, memory; empty texts are unknown, an empty list: not above a curve.
  QStringList readout() const;

 protected:
  bool event(QEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void leaveEvent(QEvent*) override;
  void paintEvent(QPaintEvent*) override;

 private:
  struct Pointed {
    qsizetype row = -1;
    double seconds = 0;  // <= 0
    qreal x = 0;
  };
  QRectF rowRect(qsizetype index) const;
  qsizetype rowAt(const QPointF& place) const;
  void paintPointed(QPainter& p) const;
  QVector<MachineRow> rows_;
  Pointed pointed_;
};

}  // namespace nw::ui
