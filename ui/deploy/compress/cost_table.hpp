// SPDX-License-Identifier: GPL-3.0-or-later
// What the original costs, what the shown run does, and what the plan would: measured figures, and predicted ones in
// italics under a head that says so. GUI thread.
#pragma once
#include <QWidget>
#include <array>
#include <optional>

#include "ui/deploy/compress/step_record.hpp"

class QGridLayout;
class QLabel;

namespace nw::ui {

/// What is known of the plan before it is made; 0: not known.
struct PlannedCosts {
  double bytes = 0, parameters = 0, multiplyAdds = 0;
  Json trial = Json::object();  // of `compress --trial`: its latency is measured, untrained
  bool operator==(const PlannedCosts&) const = default;
};

class CostTable : public QWidget {
  Q_OBJECT
 public:
  explicit CostTable(QWidget* parent = nullptr);
  void setRuns(const CompressionRecord& original, const CompressionRecord& shown);
  void setPlan(const std::optional<PlannedCosts>& plan);
  /// The text of a cell, by the row's id and the column: 0 original, 1 shown, 2 plan.
  QString text(const QString& row, int column) const;

 private:
  void put(const char* row, int column, const QString& text);
  void refresh();
  std::array<QLabel*, 4> heads_{};
  QMap<QString, std::array<QLabel*, 4>> cells_;
  CompressionRecord original_, shown_;
  std::optional<PlannedCosts> plan_;
};

/// Of a result of `changed-predictions` or a trial; 0: not measured.
double latencyMs(const Json& result, const char* side, qint64 batch);

}  // namespace nw::ui
