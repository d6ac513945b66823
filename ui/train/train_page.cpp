// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_page.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/backend/devices.hpp"
#include "ui/charts/device_chart.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/event_list.hpp"
#include "ui/train/layer_board.hpp"
#include "ui/train/layer_column.hpp"
#include "ui/train/rank_panel.hpp"
#include "ui/train/run_settings/run_settings_panel.hpp"
#include "ui/train/tracked_sample_panel.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/train/why_slow.hpp"
#include "ui/widgets/info_line.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int left_width = 288, right_width = 372;
constexpr int narrow_width = 1240;  // narrower pages show the network or the machine, not both
constexpr int charts_height = 330, board_height = 420;
constexpr int chart_interval_ms = 100, clock_interval_ms = 1000;

/// The area behind cards.
class Backdrop : public QWidget {
 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().canvas); }
};
}  // namespace

TrainPage::TrainPage(Session& session) : session_(session), feed_(session.feed()) {
  setObjectName(QStringLiteral("train"));
  build();
  listen();
  refreshAll();
}

void TrainPage::build() {
  empty_ = new EmptyState;
  connect(empty_, &EmptyState::actionTriggered, this, &TrainPage::startTraining);
  stack_ = new QStackedLayout(this);
  auto* backdrop = new Backdrop;
  auto* middle = new QVBoxLayout(backdrop);
  middle->addWidget(empty_, 1);
  stack_->addWidget(backdrop);
  stack_->addWidget(makeContent());

  status_ = new QWidget;
  safe_ = new QWidget;
  auto* words = new QHBoxLayout(safe_);
  words->setContentsMargins(0, 0, 0, 0);
  words->setSpacing(6);
  words->addWidget(new PlainIcon(QStringLiteral("check"), &Theme::ok));
  words->addWidget(
      makeLabel(tr("Safe to close: training runs in a separate process"), 2, static_cast<int>(TextRole::secondary)));
  facts_ = new InfoLine;
  auto* row = new QHBoxLayout(status_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::xl);
  row->addWidget(safe_);
  row->addWidget(facts_);
  row->addStretch(1);
}

QWidget* TrainPage::makeContent() {
  strip_ = new ProgressStrip;
  notice_ = new NoticeBar;
  charts_ = new TrainCharts(feed_);
  connect(charts_, &TrainCharts::message, &session_, &Session::message);
  machine_ = new DeviceChart;
  events_ = new EventList;
  layers_ = new LayerColumn;
  why_ = new WhySlow;

  auto* middle = new QVBoxLayout;
  middle->setSpacing(space::m);
  middle->addWidget(notice_);
  middle->addWidget(makeViews(), 1);
  right_ = new QWidget;
  auto* right = new QVBoxLayout(right_);
  right->setSpacing(space::m);
  QWidget* side = makeSide();
  right->addWidget(sideViews_);
  right->addWidget(machine_);
  right->addWidget(side, 1);
  for (QWidget* part : {static_cast<QWidget*>(machine_), side}) part->setFixedWidth(right_width);
  makePane(*right_);

  auto* area = area_ = new QHBoxLayout;
  area->setSpacing(space::m);
  area->addWidget(left_ = makeLeft());
  area->addLayout(middle, 1);
  area->addWidget(right_);
  middle->setContentsMargins(0, space::m, 0, space::m);
  right->setContentsMargins(0, space::m, 0, space::m);

  auto* content = new Backdrop;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(strip_);
  column->addLayout(area, 1);
  return content;
}

/// One of the switchable panels; the settings and the devices take the machine's room too.
QWidget* TrainPage::makeSide() {
  probes_ = new TrackedSamplePanel(feed_);
  ranks_ = new RankPanel;
  const struct {
    const char* name;
    QWidget* view;
  } views[] = {
      {QT_TR_NOOP("Events"), events_},
      {QT_TR_NOOP("Tracked samples"), probes_},
      {QT_TR_NOOP("Settings"), makeSettings()},
      {QT_TR_NOOP("Devices"), ranks_},
  };
  auto* side = new QWidget;
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  sideViews_ = new SegmentedControl;
  auto* stack = new QStackedWidget;
  for (const auto& v : views) {
    sideViews_->addSegment(tr(v.name));
    stack->addWidget(v.view);
  }
  sideViews_->setAccessibleName(tr("Events, tracked samples, settings or devices of the run"));
  connect(sideViews_, &SegmentedControl::currentChanged, stack, [this, stack](int view) {
    stack->setCurrentIndex(view);
    machine_->setVisible(stack->currentWidget() != settings_ && stack->currentWidget() != ranks_);
  });
  rows->addWidget(stack, 1);
  return side;
}

/// The network, the quantity its nodes show, and the colour scale.
QWidget* TrainPage::makeLeft() {
  tints_ = new SegmentedControl;
  tints_->setAccessibleName(tr("Layer statistics"));
  for (const QString& text : {tr("Size"), tr("Gradients"), tr("Updates")}) tints_->addSegment(text);
  auto* scroll = new QScrollArea;
  scroll->setWidget(layers_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->viewport()->setAutoFillBackground(false);
  layers_->setAutoFillBackground(false);
  legend_ = new TintLegend(*layers_);
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, space::m, 0, 0);
  column->setSpacing(0);
  column->addWidget(tints_, 0, Qt::AlignHCenter);
  column->addWidget(scroll, 1);
  column->addWidget(legend_);
  left->setFixedWidth(
      std::max(left_width, tints_->sizeHint().width() + 2 * space::m));  // texts of other languages are longer
  makePane(*left);
  connect(tints_, &SegmentedControl::currentChanged, this, &TrainPage::refreshTint);
  return left;
}

void TrainPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fitColumns();
}

void TrainPage::fitColumns() {
  const bool narrow = width() < narrow_width, network = narrow && network_->isChecked();
  network_->setVisible(narrow);
  left_->setVisible(!narrow || network);
  right_->setVisible(!narrow || !network);
  area_->setContentsMargins(left_->isHidden() ? space::m : 0, 0, right_->isHidden() ? 0 : space::m, 0);
}

QWidget* TrainPage::makeViews() {
  views_ = new SegmentedControl;
  views_->setAccessibleName(tr("What is shown of the run"));
  for (const QString& text : {tr("Curves"), tr("Layers")}) views_->addSegment(text);
  board_ = new LayerBoard(feed_);
  connect(board_, &LayerBoard::message, &session_, &Session::message);
  auto* views = new QWidget;
  makePane(*views);
  auto* column = new QVBoxLayout(views);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::m);
  network_ = makeButton(tr("Show the network"), ButtonKind::ghost, QStringLiteral("layers"));
  network_->setCheckable(true);
  network_->setObjectName(QStringLiteral("networkButton"));
  connect(network_, &QPushButton::toggled, this, &TrainPage::fitColumns);
  auto* head = new QHBoxLayout;
  head->addWidget(views_);
  head->addStretch(1);
  head->addWidget(network_);
  column->addLayout(head);
  auto* curves = new QWidget;
  auto* below = new QVBoxLayout(curves);
  below->setContentsMargins(0, 0, 0, 0);
  below->setSpacing(space::m);
  below->addWidget(charts_, 1);
  below->addWidget(makeBranches());
  below->addWidget(why_);
  auto* chosen = new QWidget;
  auto* stack = new QStackedLayout(chosen);
  charts_->setMinimumHeight(charts_height);
  board_->setMinimumHeight(board_height);
  for (QWidget* view : {static_cast<QWidget*>(curves), static_cast<QWidget*>(board_)}) {
    auto* scroll = new QScrollArea;  // a low window scrolls
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    view->setAutoFillBackground(false);
    scroll->setWidget(view);
    stack->addWidget(scroll);
  }
  column->addWidget(chosen, 1);
  connect(views_, &SegmentedControl::currentChanged, stack, &QStackedLayout::setCurrentIndex);
  return views;
}

void TrainPage::listen() {
  connect(action(QStringLiteral("run-settings")), &QAction::triggered, this, &TrainPage::showSettings);
  chartTimer_ = new QTimer(this);
  chartTimer_->setSingleShot(true);
  chartTimer_->setInterval(chart_interval_ms);
  connect(chartTimer_, &QTimer::timeout, this, [this] {
    charts_->refresh();
    refreshState();
  });
  clock_ = new QTimer(this);
  clock_->setInterval(clock_interval_ms);
  connect(clock_, &QTimer::timeout, this, &TrainPage::refreshState);

  connect(&feed_, &RunFeed::reset, this, &TrainPage::refreshAll);
  connect(&feed_, &RunFeed::definitionArrived, this, [this] {
    refreshLayers();
    settings_->refresh();
    chartsSoon();
  });
  connect(&feed_, &RunFeed::nameChanged, this, &TrainPage::refreshState);
  connect(&feed_, &RunFeed::nameChanged, this, &Page::shownRunChanged);
  connect(&feed_, &RunFeed::reset, this, &Page::shownRunChanged);
  connect(&feed_, &RunFeed::stepsArrived, this, &TrainPage::chartsSoon);
  connect(&feed_, &RunFeed::stepsArrived, settings_, &RunSettingsPanel::refreshRate);
  connect(&feed_, &RunFeed::epochArrived, this, &TrainPage::chartsSoon);
  connect(&feed_, &RunFeed::epochArrived, settings_, &RunSettingsPanel::refresh);
  connect(&feed_, &RunFeed::splitArrived, this, [this] { why_->setSplit(feed_.split()); });
  connect(&feed_, &RunFeed::statisticsArrived, this, [this] {
    refreshTint();
    board_->refresh();
  });
  connect(&feed_, &RunFeed::machineArrived, this, &TrainPage::refreshMachine);
  connect(&feed_, &RunFeed::ranksArrived, this, &TrainPage::refreshRanks);
  connect(&feed_, &RunFeed::logArrived, this, [this] {
    events_->setLog(feed_.log());
    settings_->refresh();
    chartsSoon();
  });
  connect(&feed_, &RunFeed::statusChanged, this, [this] {
    chartsSoon();
    refreshState();
  });

  RunController& run = session_.run();
  connect(&run, &RunController::stateChanged, this, &TrainPage::refreshState);
  connect(&run, &RunController::started, this, [this] { failure_.clear(); });
  connect(&run, &RunController::changeRefused, settings_, &RunSettingsPanel::forgetSent);
  connect(&run, &RunController::endedUnexpectedly, this, [this](const QString& sentence, bool canResume) {
    failure_ = sentence;
    failedFolder_ = session_.run().folder();
    failedCanResume_ = canResume;
    refreshState();
  });
  connect(notice_, &NoticeBar::action, this, &TrainPage::act);
  watchHealth();
}

void TrainPage::activated() { refreshAll(); }

void TrainPage::chartsSoon() {
  if (!chartTimer_->isActive()) chartTimer_->start();
}

void TrainPage::refreshAll() {
  const bool any = !feed_.folder().isEmpty();
  if (!any)
    empty_->show(QStringLiteral("chart"), tr("No run yet"),
                 tr("Press Train: loss, accuracy and the load of this computer appear here as they are measured."),
                 tr("Train"));
  stack_->setCurrentIndex(any ? 1 : 0);
  charts_->refresh();
  events_->setLog(feed_.log());
  settings_->refresh();
  why_->setSplit(feed_.split());
  refreshMachine();
  refreshRanks();
  refreshLayers();
  refreshTint();
  board_->refresh();
  refreshState();
}

void TrainPage::refreshRanks() { ranks_->showRun(feed_); }

void TrainPage::refreshState() {
  const FeedPhase phase = phaseOf(feed_, session_.run().state(), isActive());
  const bool live = phase == FeedPhase::training || phase == FeedPhase::paused || phase == FeedPhase::stopping;
  strip_->setProgress(progressOf(feed_, phase), phase);
  const bool changeable = phase == FeedPhase::training || phase == FeedPhase::paused;
  refreshEditable(changeable && isActive());
  const bool mine = failedFolder_ == feed_.folder();
  Notice notice = noticeOf(feed_, phase, mine ? failure_ : QString(), canResume());
  if (!isActive()) notice.actions.removeAll(QStringLiteral("try-again"));  // another process's run
  if (session_.run().state() != RunController::State::idle && !isActive()) {
    if (notice.tone.isEmpty())
      notice = {QStringLiteral("accent"), QStringLiteral("info"), tr("Another run is training"), {}, {}};
    notice.actions += QStringLiteral("show-active");
  }
  notice_->setNotice(notice);
  if (live != clock_->isActive()) live ? clock_->start() : clock_->stop();
  refreshStatus();
}

void TrainPage::refreshMachine() {
  QVector<MachineRow> rows = machineRows(feed_.machine());
  const Started& begun = feed_.started();
  addPlans(rows, gpu_numbers(split_device_list(begun.device)), static_cast<double>(begun.memory_bytes));
  machine_->setRows(rows);
}

void TrainPage::refreshLayers() {
  if (layersOf_ == feed_.folder()) return;
  if (!feed_.definition()) return layers_->setRows({});  // the rows are those of another run
  layersOf_ = feed_.folder();
  const GraphDoc doc = feed_.definition()->doc;
  Target target;
  target.data.channels = feed_.definition()->channels;
  target.data.height = feed_.definition()->height;
  target.data.width = feed_.definition()->width;
  target.data.classes = static_cast<std::int64_t>(feed_.definition()->classes.size());
  target.data.targets = target_kind(doc.data());
  inBackground(
      this, [doc, target] { return layerRows(doc, analyse(doc, target)); },
      [this, of = layersOf_](const QVector<LayerRow>& rows) {
        if (of != feed_.folder()) return;
        layers_->setRows(rows);
        QVector<TrainedLayer> trained;
        for (const LayerRow& row : rows)
          if (row.parameters > 0) trained.append({row.name, row.parameters});
        settings_->setLayers(trained);
        legend_->refresh();
      });
}

void TrainPage::refreshTint() {
  layers_->setTint(static_cast<LayerTint>(tints_->current()),
                   feed_.statistics().empty() ? nullptr : &feed_.statistics().back());
  legend_->refresh();
}

void TrainPage::refreshStatus() {
  const bool active = isActive();
  safe_->setVisible(active);
  const Started& s = feed_.started();
  InfoLine::Facts facts;
  const auto add = [&](const QString& name, std::int64_t n) {
    if (n > 0) facts.append({name, grouped(n)});
  };
  add(tr("Parameters"), s.parameters);
  if (s.memory_bytes > 0) facts.append({tr("Planned memory"), bytesText(static_cast<double>(s.memory_bytes))});
  add(tr("Training images"), s.train);
  add(tr("validation"), s.validation);
  add(tr("test"), s.test);
  facts_->setFacts(facts);
}

Page* makeTrainPage(Session& session) { return new TrainPage(session); }

}  // namespace nw::ui
