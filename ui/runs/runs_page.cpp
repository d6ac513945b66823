// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_page.hpp"

#include <QApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "kernels/printable.hpp"
#include "ui/queue/queue_panel.hpp"
#include "ui/runs/column_choice.hpp"
#include "ui/runs/run_delegate.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/runs/run_scanner.hpp"
#include "ui/runs/runs_view.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/study/studies_panel.hpp"
#include "ui/submit/jobs_panel.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/notice_bar.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int widest_problem = 420;  // pixels: what is wrong with a condition, in the toolbar

/// An area of one of the theme's colours, painted so that a change of theme needs nothing else.
class Area : public QWidget {
 public:
  explicit Area(QColor Theme::*colour) : colour_(colour) {}

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().*colour_); }

 private:
  QColor Theme::*colour_;
};

struct StatusChoice {
  const char* text;
  std::optional<RunStatus> status;
};
const StatusChoice status_choices[] = {
    {QT_TRANSLATE_NOOP("RunsPage", "All"), std::nullopt},
    {QT_TRANSLATE_NOOP("RunsPage", "Running"), RunStatus::running},
    {QT_TRANSLATE_NOOP("RunsPage", "Finished"), RunStatus::finished},
    {QT_TRANSLATE_NOOP("RunsPage", "Stopped"), RunStatus::stopped},
    {QT_TRANSLATE_NOOP("RunsPage", "Failed"), RunStatus::failed},
    {QT_TRANSLATE_NOOP("RunsPage", "Interrupted"), RunStatus::interrupted},
};
}  // namespace

RunsPage::RunsPage(Session& session, fs::path runs)
    : session_(session),
      usual_(runs.empty()),
      runs_(usual_ ? runs_folder() : std::move(runs)),
      model_(new RunModel(this)),
      filter_(new RunFilter(*model_, this)),
      scanner_(new RunScanner(runs_, this)),
      cursor_(new ChartCursor(this)) {
  setObjectName(QStringLiteral("runs"));
  build();
  connect(scanner_, &RunScanner::scanned, this, &RunsPage::takeRows);
  connect(model_, &RunModel::chosenChanged, this, &RunsPage::refreshChart);
  connect(model_, &RunModel::notesEdited, this, &RunsPage::saveNotes);
  connect(&session_.run(), &RunController::stateChanged, scanner_, &RunScanner::scanSoon);
}

void RunsPage::build() {
  status_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("runsTabs"));
  tabs_->setAccessibleName(tr("Runs, studies, the queue or jobs elsewhere"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->addTab(tr("Runs"));
  tabs_->addTab(tr("Studies"));
  tabs_->addTab(tr("Queue"));
  tabs_->addTab(tr("Elsewhere"));
  parts_ = new QStackedWidget;
  auto* runs = new QWidget;
  buildRuns(*runs);
  parts_->addWidget(runs);
  studies_ = new StudiesPanel(session_);
  parts_->addWidget(studies_);
  queue_ = new QueuePanel(session_);
  parts_->addWidget(queue_);
  jobs_ = new JobsPanel(session_);
  parts_->addWidget(jobs_);
  auto* head = new Area(&Theme::window);
  makePane(*head);
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(8, 0, 8, 0);
  line->addWidget(tabs_);
  line->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(head);
  column->addWidget(parts_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
    parts_->setCurrentIndex(tab);
    watchShownTab();
  });
  connect(queue_, &QueuePanel::openRun, this, &Page::openRun);
  connect(jobs_, &JobsPanel::openRun, this, &Page::openRun);
  connect(studies_, &StudiesPanel::openRun, this, &Page::openRun);
  connect(studies_, &StudiesPanel::openRunProject, this, &Page::openRunProject);
}

void RunsPage::watchShownTab() {
  scanner_->setTrials(filter_->grouping() == QLatin1String(study_grouping));
  scanner_->setWatching(active_ && tabs_->currentIndex() == 0);
  studies_->setWatching(active_ && tabs_->currentIndex() == 1);
  queue_->setWatching(active_ && tabs_->currentIndex() == 2);
  jobs_->setWatching(active_ && tabs_->currentIndex() == 3);
}

void RunsPage::addToQueue() {
  tabs_->setCurrentIndex(2);
  queue_->addOpenProject();
}

void RunsPage::searchForSettings() {
  tabs_->setCurrentIndex(1);
  studies_->newSearch();
}

void RunsPage::buildRuns(QWidget& place) {
  stack_ = new QStackedLayout(&place);
  empty_ = new EmptyState;
  auto* backdrop = new Area(&Theme::canvas);
  auto* middle = new QVBoxLayout(backdrop);
  middle->addWidget(empty_);
  connect(empty_, &EmptyState::actionTriggered, this, [this] { Q_EMIT goTo(QStringLiteral("train")); });
  stack_->addWidget(backdrop);

  notice_ = new NoticeBar;
  connect(notice_, &NoticeBar::action, this, &RunsPage::deleteForGood);
  auto* content = new Area(&Theme::canvas);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeToolbar());
  column->addWidget(notice_);
  column->addWidget(makeParts(), 1);
  stack_->addWidget(content);
  empty_->show(QStringLiteral("page-runs"), tr("No runs yet"),
               tr("Every run is stored here as a plain folder with its curves, settings and weights."),
               tr("Go to Train"));
}

QWidget* RunsPage::makeToolbar() {
  search_ = new SearchField(tr("Search runs"));
  search_->setFixedWidth(240);
  statuses_ = new SegmentedControl;
  for (const StatusChoice& choice : status_choices)
    statuses_->addSegment(QCoreApplication::translate("RunsPage", choice.text));
  statuses_->setAccessibleName(tr("Status"));
  count_ = makeLabel({}, 2, static_cast<int>(TextRole::body));
  QPushButton* csv = makeButton({}, ButtonKind::neutral, QStringLiteral("export"));
  csv->setToolTip(tr("Export CSV"));
  csv->setAccessibleName(tr("Export CSV"));
  bestFirst_ = makeButton(tr("Best first"), ButtonKind::neutral, QStringLiteral("sort"));
  bestFirst_->setObjectName(QStringLiteral("bestFirst"));
  QPushButton* columns = makeButton(tr("Columns"), ButtonKind::neutral, QStringLiteral("columns"));
  columns->setObjectName(QStringLiteral("columns"));
  columns->setToolTip(tr("Choose the columns of the table"));
  QPushButton* tree = makeTreeButton();
  search_->setToolTip(tr("Words, or a condition such as best_accuracy > 98% and optimizer = adam"));
  connect(search_, &QLineEdit::textChanged, this, &RunsPage::filterRuns);
  connect(statuses_, &SegmentedControl::currentChanged, this, [this](int i) {
    filter_->setStatus(status_choices[i].status);
    refreshCount();
  });
  connect(csv, &QPushButton::clicked, this, &RunsPage::exportCsv);
  connect(bestFirst_, &QPushButton::clicked, this, &RunsPage::sortBestFirst);
  connect(columns, &QPushButton::clicked, this,
          [this, columns] { columns_->openMenu(columns->mapToGlobal(columns->rect().bottomLeft())); });

  auto* bar = new Area(&Theme::window);
  makePane(*bar);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(16, 10, 16, 10);
  auto* line = new WrappingBar;
  for (QWidget* widget : std::initializer_list<QWidget*>{search_, statuses_}) line->addWidget(widget);
  line->addWidget(count_, true);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{tree, makeGroupsButton(), bestFirst_, columns, makeViewsButton(), csv})
    line->addWidget(widget);
  row->addWidget(line);
  return bar;
}

QWidget* RunsPage::makeTable() {
  table_ = new RunsView(*filter_, [this] { return new RunDelegate(*model_, *filter_, this); });
  table_->setSortingEnabled(true);
  table_->setAccessibleName(tr("Runs"));
  table_->pinnedPart().setAccessibleName(tr("Pinned columns of the runs"));
  table_->topPart().setAccessibleName(tr("Pinned runs"));
  table_->setPinnedLines([this] { return filter_->pinnedLines(); });
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setSectionsMovable(true);
  columns_ = new ColumnChoice(*table_);
  connect(columns_, &ColumnChoice::menuAboutToShow, this, [this](QMenu* menu, int at) { fillColumnsMenu(*menu, at); });
  table_->installEventFilter(this);
  makePane(*table_);
  for (QTableView* part : table_->parts()) {
    connect(part, &QTableView::doubleClicked, this, [this] { act(QStringLiteral("open")); });
    connect(part, &QTableView::clicked, this, &RunsPage::toggleGroup);
    connect(part, &QTableView::customContextMenuRequested, this,
            [this, part](const QPoint& at) { showMenu(*part, at); });
  }
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::refreshChosen);
  return table_;
}

QTableView& RunsPage::table() { return *table_; }

void RunsPage::activated() {
  if (usual_) runs_ = runs_folder();  // the preferences may have changed
  scanner_->setFolder(runs_);
  active_ = true;
  watchShownTab();
}

void RunsPage::hideEvent(QHideEvent* event) {
  active_ = false;
  watchShownTab();
  columns_->save();
  Page::hideEvent(event);
}

/// A scan that began before the last save read what was there before.
void RunsPage::putRecentNotes(QVector<RunRow>& rows) {
  for (RunRow& row : rows) {
    const auto recent = recent_.find(row.id());
    if (recent == recent_.end()) continue;
    row.notes = recent->notes;
    if (!saving_ && unsaved_.isEmpty() && --recent->scans <= 0) recent_.erase(recent);
  }
}

void RunsPage::takeRows(QVector<RunRow> rows) {
  putRecentNotes(rows);
  stack_->setCurrentIndex(rows.isEmpty() ? 0 : 1);
  model_->setRows(std::move(rows));
  // A run is chosen whenever there is one: a scan while the table was built leaves a current row without selection.
  if (!table_->selectionModel()->hasSelection() && !filter_->groupAt(table_->currentIndex())) selectSomeRun();
  refreshChosen();
  refreshCount();
  Q_EMIT scanned();
}

void RunsPage::selectSomeRun() {
  int line = table_->currentIndex().isValid() ? table_->currentIndex().row() : 0;
  while (line < filter_->rowCount() && filter_->groupAt(filter_->index(line, 0))) ++line;
  if (line < filter_->rowCount()) table_->selectRow(line);
}

void RunsPage::refreshChart() {
  chart_->refresh();
  table_->viewport()->update();
  refreshCount();
}

/// By the chart's quantity; by the accuracy if no value of the quantity is better than another.
void RunsPage::sortBestFirst() {
  const char* wanted = chart_->metric().column;
  const int column = runColumn(*wanted ? wanted : "best");
  columns_->show(column, true);
  table_->sortByColumn(column,
                       runColumns()[column].best == BestValue::lowest ? Qt::AscendingOrder : Qt::DescendingOrder);
  table_->scrollToTop();
}

void RunsPage::sayBestFirst() {
  const char* wanted = chart_->metric().column;
  const int column = runColumn(*wanted ? wanted : "best");
  bestFirst_->setToolTip(tr("Sort by %1").arg(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
  filter_->setMeasure(column, *wanted ? chart_->titleOf(chart_->metric())
                                      : model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
}

const RunRow* RunsPage::chosenRun() const {
  const QModelIndexList selected = table_->selectionModel()->selectedRows();
  const QModelIndex at = selected.size() == 1 ? selected.front() : table_->currentIndex();
  return at.isValid() && !filter_->groupAt(at) ? &filter_->rowAt(at) : nullptr;
}

QStringList RunsPage::selectedRuns() const {
  QModelIndexList rows = table_->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  QStringList runs;
  for (const QModelIndex& row : rows) runs += filter_->rowAt(row).id();
  return runs;
}

QString RunsPage::titleOf(const QString& run) const {
  const int row = model_->find(run);
  return row < 0 ? runTitle(run) : model_->row(row).title();
}

/// Only selected runs count: a row without selection can still be the current one.
void RunsPage::refreshChosen() {
  const auto selected = static_cast<int>(table_->selectionModel()->selectedRows().size());
  details_->setRun(selected == 1 ? chosenRun() : nullptr, selected);
  refreshBranches();
}

/// What is wrong with a condition stands where the count stands, until it is mended.
void RunsPage::filterRuns(const QString& words) {
  const QString problem = filter_->setWords(words);
  refreshCount();
  if (problem.isEmpty()) return;
  count_->setText(count_->fontMetrics().elidedText(problem, Qt::ElideRight, widest_problem));
  count_->setToolTip(problem);
}

void RunsPage::refreshCount() {
  const int shown = static_cast<int>(filter_->runs().size()), all = model_->rowCount();
  count_->setToolTip({});
  count_->setText(
      tr("%1 of %2 run(s), %3 in the chart", nullptr, all).arg(shown).arg(all).arg(model_->chosen().size()));
  int running = 0;
  for (int i = 0; i < all; ++i) running += model_->row(i).summary.status == RunStatus::running ? 1 : 0;
  const QString where = tr("Runs are plain folders in %1").arg(QString::fromStdString(printable(runs_.string())));
  status_->setText(running > 0 ? tr("%1 training now").arg(running) + QStringLiteral("     ") + where : where);
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event) {
  const QWidget* focus = QApplication::focusWidget();
  const bool editing = focus && focus != table_ && table_->isAncestorOf(focus);  // a key that the editor leaves
  if (watched == table_ && event->type() == QEvent::KeyPress && !editing) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (takeGroupKey(key)) return true;
    if (key == Qt::Key_P && static_cast<QKeyEvent*>(event)->modifiers() == Qt::ControlModifier)
      return togglePins(), true;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return act(QStringLiteral("open")), true;
    if (key == Qt::Key_Delete) return act(QStringLiteral("delete")), true;
    if (key == Qt::Key_F2) return rename(), true;
    if (const RunRow* row = chosenRun(); row && key == Qt::Key_Space)
      return model_->setChosen(row->id(), model_->slotOf(row->id()) < 0), true;
  }
  return Page::eventFilter(watched, event);
}

/// Lets the name of the current run be edited; nothing without one.
void RunsPage::rename() {
  const QModelIndex name = table_->currentIndex().siblingAtColumn(runColumn("run"));
  if (name.isValid()) table_->editCell(name);
}

void RunsPage::showMenu(const QTableView& part, const QPoint& at) {
  if (selectedRuns().isEmpty() || !part.indexAt(at).isValid() || filter_->groupAt(part.indexAt(at))) return;
  QMenu menu(this);
  for (const char* id : {"open", "predict", "canvas", "resume", "further", "branch", "adapt", "adapt-table", "report",
                         "reveal", "delete"}) {
    const QPushButton* button = details_->button(QLatin1String(id));
    if (button->isHidden()) continue;
    QAction* action = menu.addAction(button->icon(), button->text(), this, [this, id] { act(QLatin1String(id)); });
    action->setEnabled(button->isEnabled());
  }
  const bool one = selectedRuns().size() == 1;
  QAction* rename =
      menu.addAction(icon(QStringLiteral("pencil")), tr("Rename"), this, [this] { act(QStringLiteral("rename")); });
  QAction* compare = menu.addAction(icon(QStringLiteral("compare")), tr("Compare with the open project"), this,
                                    [this] { act(QStringLiteral("compare")); });
  for (QAction* action : {rename, compare}) action->setEnabled(one);
  menu.addSeparator();
  const bool pinned = filter_->isPinned(selectedRuns().front());
  menu.addAction(icon(QStringLiteral("pin")), pinned ? tr("Unpin") : tr("Pin above all others"),
                 QKeySequence(Qt::CTRL | Qt::Key_P), this, &RunsPage::togglePins);
  menu.exec(part.viewport()->mapToGlobal(at));
}

Page* makeRunsPage(Session& session) { return new RunsPage(session); }

}  // namespace nw::ui
