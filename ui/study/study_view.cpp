// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_view.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/study/best_chart.hpp"
#include "ui/study/front_chart.hpp"
#include "ui/study/importance_view.hpp"
#include "ui/study/parallel_view.hpp"
#include "ui/study/rung_bars.hpp"
#include "ui/study/study_strip.hpp"
#include "ui/study/study_text.hpp"
#include "ui/study/trial_panel.hpp"
#include "ui/study/trial_table.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int stacking_width = 1180, charts_height = 560, panel_height = 420;

void put(Card& card, QWidget* widget) { static_cast<QVBoxLayout*>(card.body()->layout())->addWidget(widget, 1); }
void putInTitle(Card& card, QWidget* widget) {
  static_cast<QHBoxLayout*>(card.titleRow()->layout())->addWidget(widget);
}

QHBoxLayout* rowOf(QWidget* left, int stretch, QWidget* right, int other) {
  auto* row = new QHBoxLayout;
  row->setSpacing(space::m);
  row->addWidget(left, stretch);
  row->addWidget(right, other);
  return row;
}
}  // namespace

StudyView::StudyView(QWidget* parent)
    : QWidget(parent), model_(new StudyModel(this)), follower_(new StudyFollower(this)) {
  setObjectName(QStringLiteral("study"));
  strip_ = new StudyStrip(*model_);
  panel_ = new TrialPanel(*model_);
  auto* parts = new StackingRow(stacking_width, StackingRow::Stack::first_on_top);
  parts->setFrameShape(QFrame::NoFrame);
  parts->box().setSpacing(0);
  parts->addWidget(makeCharts(), 1, charts_height + 240);
  parts->addWidget(panel_, 0, panel_height);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(strip_);
  column->addWidget(parts, 1);
  connect(follower_, &StudyFollower::changed, this, [this](const StudyData& data) {
    problemText_.clear();
    model_->setData(data);
  });
  connect(follower_, &StudyFollower::failed, this, [this](const QString& sentence) {
    problemText_ = sentence;
    Q_EMIT problemFound(sentence);
  });
  connect(model_, &StudyModel::changed, this, &StudyView::refreshWords);
  connect(model_, &StudyModel::changed, this, &StudyView::refreshBrush);
  connect(model_, &StudyModel::brushChanged, this, &StudyView::refreshBrush);
}

void StudyView::follow(const fs::path& folder) {
  if (folder != follower_->folder()) model_->clear();
  problemText_.clear();
  follower_->follow(folder);
}

QWidget* StudyView::makeCharts() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(space::m, space::m, space::m, space::m);
  column->setSpacing(space::m);
  bestCard_ = makeBestCard();
  sideCard_ = makeSideCard();
  column->addLayout(rowOf(bestCard_, 5, sideCard_, 3), 4);
  column->addLayout(rowOf(makeParallelCard(), 5, makeImportanceCard(), 2), 4);
  tableCard_ = makeTableCard();
  column->addWidget(tableCard_, 4);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  makePane(*scroll);
  return scroll;
}

Card* StudyView::makeBestCard() {
  auto* card = new Card(tr("Best so far"));
  putInTitle(*card, new BestLegend(*model_));
  put(*card, new BestChart(*model_));
  return card;
}

/// The front of two objectives; of one, the rungs.
Card* StudyView::makeSideCard() {
  auto* card = new Card(tr("Rungs"));
  front_ = new FrontChart(*model_);
  rungs_ = new RungBars(*model_);
  put(*card, front_);
  put(*card, rungs_);
  return card;
}

Card* StudyView::makeParallelCard() {
  auto* card = new Card(tr("Settings of each trial"));
  card->setTitle(tr("Settings of each trial"), tr("drag along an axis to select"));
  parallel_ = new ParallelView(*model_);
  selected_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  all_ = makeButton(tr("Select all"), ButtonKind::ghost);
  all_->setObjectName(QStringLiteral("selectAllTrials"));
  connect(all_, &QPushButton::clicked, model_, &StudyModel::clearBrushes);
  putInTitle(*card, selected_);
  putInTitle(*card, all_);
  put(*card, parallel_);
  return card;
}

Card* StudyView::makeImportanceCard() {
  auto* card = new Card(tr("Importance"));
  importance_ = new ImportanceView(*model_);
  modes_ = new SegmentedControl;
  for (const QString& mode : {tr("Share"), tr("Slice"), tr("Contour")}) modes_->addSegment(mode);
  modes_->setAccessibleName(tr("Kind of picture"));
  connect(modes_, &SegmentedControl::currentChanged, this,
          [this](int mode) { importance_->setMode(static_cast<ImportanceView::Mode>(mode)); });
  connect(importance_, &ImportanceView::sliceWanted, this, [this] {
    modes_->setCurrent(1);
    importance_->setMode(ImportanceView::Mode::slice);
  });
  putInTitle(*card, modes_);
  put(*card, importance_);
  return card;
}

Card* StudyView::makeTableCard() {
  auto* card = new Card(tr("Trials"));
  table_ = new TrialTable(*model_);
  makePane(*table_);
  put(*card, table_);
  return card;
}

void StudyView::refreshWords() {
  const StudySnapshot* s = model_->data();
  if (!s) return;
  const bool two = s->definition.objectives.size() > 1;
  front_->setVisible(two);
  rungs_->setVisible(!two);
  bestCard_->setTitle(tr("Best so far"), objectiveTitle(s->definition.objectives.front()));
  if (two)
    sideCard_->setTitle(tr("Pareto front"), tr("%n trial(s)", nullptr, static_cast<int>(s->front.size())));
  else if (s->rungs.isEmpty())
    sideCard_->setTitle(tr("States"));
  else
    sideCard_->setTitle(tr("Rungs"), tr("the best 1 of %1 is promoted").arg(s->definition.reduction));
  tableCard_->setTitle(tr("Trials"), tr("%1 of %2 started").arg(s->trials.size()).arg(s->wanted));
}

void StudyView::refreshBrush() {
  selected_->setText(model_->isUsual() && model_->data() ? tr("the best: %1").arg(parallel_->countText())
                                                         : parallel_->countText());
  all_->setEnabled(!model_->brushes().isEmpty());
}

}  // namespace nw::ui
