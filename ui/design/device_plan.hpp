// SPDX-License-Identifier: GPL-3.0-or-later
// "Plan for more devices": what a training of the network would take on other devices, as a curve over their number and
// as a table. Computed on a snapshot, off the GUI thread, and only while it is visible. A page of a dock. GUI thread.
#pragma once
#include <QTimer>
#include <QWidget>
#include <optional>

#include "engine/scaling/prediction.hpp"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QTableWidget;

namespace nw::ui {

class ChartCursor;
class MetricChart;
class Session;

class DevicePlan : public QWidget {
  Q_OBJECT
 public:
  explicit DevicePlan(Session& session, QWidget* parent = nullptr);
  const std::optional<scaling::Curve>& curve() const { return curve_; }  // nullopt: not computed, or not possible
  bool settled() const { return !computing_ && !quiet_.isActive(); }
  QString sentence() const;  // what limits the training, or why there is no curve

  QComboBox& devices() { return *device_; }
  QComboBox& links() { return *link_; }
  QComboBox& splits() { return *split_; }
  QSpinBox& count() { return *count_; }
  QCheckBox& sameBatch() { return *same_; }
  QTableWidget& table() { return *table_; }
  MetricChart& chart() { return *chart_; }
  QComboBox& quantities() { return *quantity_; }

 protected:
  void showEvent(QShowEvent*) override;
  void changeEvent(QEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  struct Choice {
    std::string device, link;
    scaling::Split split = scaling::Split::data;
    std::int64_t count = 1;
    bool same = false;
  };
  void build();
  QWidget* makeForm();
  QWidget* makeChart();
  void makeTable();
  void fillLinks();
  void soon();
  void begin();
  Choice choice() const;
  static Result<scaling::Curve> computed(const GraphDoc& doc, const DataFacts& facts, const Choice& choice);
  void take(const Result<scaling::Curve>& curve);
  void fillChart();
  void fillTable();
  void say(const QString& sentence, bool error);

  Session& session_;
  std::optional<scaling::Curve> curve_;
  QTimer quiet_;
  bool computing_ = false, again_ = false;
  QComboBox *device_ = nullptr, *link_ = nullptr, *split_ = nullptr, *quantity_ = nullptr;
  QSpinBox* count_ = nullptr;
  QCheckBox* same_ = nullptr;
  QLabel* note_ = nullptr;
  QWidget* form_ = nullptr;
  QBoxLayout* parts_ = nullptr;
  QTableWidget* table_ = nullptr;
  ChartCursor* cursor_ = nullptr;
  MetricChart* chart_ = nullptr;
};

}  // namespace nw::ui
