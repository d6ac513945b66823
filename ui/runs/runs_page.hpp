// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>
#include "engine/core/files.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/page/page.hpp"
#include "ui/runs/run_table.hpp"

class QLineEdit;
class QStackedLayout;
class QTableView;

namespace nw::ui {

class EmptyState;
class NoticeBar;
class RunDetails;
class RunScanner;
class SegmentedControl;

/// Every run on this computer: table, compared curves, and the actions of a run.
class RunsPage : public Page {
  Q_OBJECT
 public:
  /// Empty: runs_folder().
  explicit RunsPage(Session& session, fs::path runs = {});
  void activated() override;
  QWidget* statusWidget() override { return status_; }

  RunModel& model() { return *model_; }
  RunFilter& filter() { return *filter_; }
  QTableView& table() { return *table_; }
  MetricChart& chart() { return *chart_; }
  RunDetails& details() { return *details_; }
  QLineEdit& search() { return *search_; }
  void act(const QString& id);  // with the chosen run: "open", "predict", "resume", "reveal", "delete"

 Q_SIGNALS:
  void scanned();

 protected:
  void hideEvent(QHideEvent*) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  QWidget* makeToolbar();
  QWidget* makeTable();
  QWidget* makeLower();
  void takeRows(const QVector<RunRow>& rows);
  void refreshChart();
  void refreshChosen();
  void refreshCount();
  const RunRow* chosenRun() const;
  void moveToTrash(const QString& folder);
  void takeFromTrash(const QString& inTrash, const QString& folder);
  void deleteForGood();
  void exportCsv();
  void showMenu(const QPoint& at);

  Session& session_;
  bool usual_;
  fs::path runs_;
  RunModel* model_;
  RunFilter* filter_;
  RunScanner* scanner_;
  ChartCursor* cursor_;
  QStackedLayout* stack_ = nullptr;
  EmptyState* empty_ = nullptr;
  NoticeBar* notice_ = nullptr;
  QLineEdit* search_ = nullptr;
  SegmentedControl* statuses_ = nullptr;
  QLabel *count_ = nullptr, *status_ = nullptr;
  QTableView* table_ = nullptr;
  MetricChart* chart_ = nullptr;
  RunDetails* details_ = nullptr;
  QString refusedTrash_;  // the folder that could not be moved to the trash
};

}  // namespace nw::ui
