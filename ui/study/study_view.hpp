// SPDX-License-Identifier: GPL-3.0-or-later
// One study: its strip, charts, table, and the chosen trial beside them; below them where the window is narrow.
#pragma once
#include <QWidget>

#include "ui/study/study_follower.hpp"
#include "ui/study/study_model.hpp"

class QLabel;
class QVBoxLayout;

namespace nw::ui {

class Card;
class FrontChart;
class ImportanceView;
class ParallelView;
class RungBars;
class SegmentedControl;
class StudyStrip;
class TrialPanel;
class TrialTable;

class StudyView : public QWidget {
  Q_OBJECT
 public:
  explicit StudyView(QWidget* parent = nullptr);
  void follow(const fs::path& folder);
  void setWatching(bool on) { follower_->setWatching(on); }
  StudyModel& model() { return *model_; }
  StudyStrip& strip() { return *strip_; }
  TrialTable& table() { return *table_; }
  TrialPanel& panel() { return *panel_; }
  ParallelView& parallel() { return *parallel_; }
  ImportanceView& importance() { return *importance_; }
  SegmentedControl& modes() { return *modes_; }
  FrontChart& front() { return *front_; }
  fs::path folder() const { return follower_->folder(); }
  QString problem() const { return problemText_; }

 Q_SIGNALS:
  void problemFound(const QString& sentence);

 private:
  QWidget* makeCharts();
  Card* makeBestCard();
  Card* makeSideCard();
  Card* makeParallelCard();
  Card* makeImportanceCard();
  Card* makeTableCard();
  void refreshWords();
  void refreshBrush();

  StudyModel* model_;
  StudyFollower* follower_;
  StudyStrip* strip_;
  TrialTable* table_ = nullptr;
  TrialPanel* panel_;
  ParallelView* parallel_ = nullptr;
  ImportanceView* importance_ = nullptr;
  SegmentedControl* modes_ = nullptr;
  FrontChart* front_ = nullptr;
  RungBars* rungs_ = nullptr;
  Card *bestCard_ = nullptr, *sideCard_ = nullptr, *tableCard_ = nullptr;
  QLabel* selected_ = nullptr;
  class QPushButton* all_ = nullptr;
  QString problemText_;
};

}  // namespace nw::ui
