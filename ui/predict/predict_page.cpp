// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/predict_page.hpp"

#include <QBoxLayout>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTimer>
#include <utility>

#include "ui/predict/explain/map_view.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/grid_view.hpp"
#include "ui/predict/images/label_issues_view.hpp"
#include "ui/predict/metrics/confused_pairs.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/metrics/metrics_view.hpp"
#include "ui/predict/network_export.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/predict/try/playground.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
// Where the matrix and the sample have less than this together, the sample stands above the matrix.
constexpr int details_beside = 720, middle_height = 560, right_height = 460;
enum Stack { empty_page, content_page };  // then the other views, in the header's order

/// The background of the matrix in the canvas colour, between two border lines.
class Well : public QWidget {
 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.fillRect(rect(), t.canvas);
    p.setPen(t.border1);
    p.drawLine(0, 0, 0, height());
    p.drawLine(width() - 1, 0, width() - 1, height());
  }
};
}  // namespace

PredictPage::PredictPage(Session& session)
    : session_(session), source_(session.helper()), thumbnails_(source_), grid_(&thumbnails_) {
  setAcceptDrops(true);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  header_ = new PredictHeader(source_, weights_, this);
  networks_ = new NetworkExport(session_, *this);
  stack_ = new QStackedWidget(this);
  empty_ = new EmptyState;
  stack_->addWidget(empty_);
  auto* content = new QWidget;
  auto* columns = new QHBoxLayout(content);
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(0);
  columns->addWidget(makeGridSide(), 48);
  auto* details = new StackingRow(details_beside, StackingRow::Stack::last_on_top);
  details->addWidget(makeMiddle(), 36, middle_height);
  details->addWidget(makeRight(), 31, right_height);
  columns->addWidget(details, 67);
  stack_->addWidget(content);
  metrics_ = new MetricsView(source_);
  stack_->addWidget(metrics_);
  labelIssues_ = new LabelIssuesView(session_, source_);
  stack_->addWidget(labelIssues_);
  playground_ = new Playground(source_);
  stack_->addWidget(playground_);
  map_ = new MapView(source_, thumbnails_);
  stack_->addWidget(map_);
  rows->addWidget(header_);
  rows->addWidget(stack_, 1);
  connectAll();
  weightsRefreshed();
}

void PredictPage::connectAll() {
  connect(&source_, &PredictSource::evaluated, this, &PredictPage::evaluated);
  connect(&source_, &PredictSource::failed, this, &PredictPage::showFailure);
  connect(&weights_, &WeightsList::refreshed, this, &PredictPage::weightsRefreshed);
  connect(matrix_, &ConfusionMatrix::cellChosen, this, &PredictPage::filterCell);
  connect(confusedPairs_, &ConfusionList::cellChosen, this, &PredictPage::filterCell);
  connect(sample_, &SamplePanel::stepRequested, this, &PredictPage::step);
  connect(header_, &PredictHeader::filesRequested, this, &PredictPage::openPaths);
  connect(header_, &PredictHeader::exportRequested, this, &PredictPage::exportAs);
  connect(header_, &PredictHeader::viewChosen, this, &PredictPage::showView);
  connect(counts_, &SegmentedControl::currentChanged, this, [this](int i) { matrix_->setShares(i == 1); });
  connect(filter_, &QPushButton::clicked, this, [this] { filterCell({}); });
  connect(show_, &SegmentedControl::currentChanged, this,
          [this](int i) { grid_.setShow(static_cast<GridModel::Show>(i)); });
  connect(&grid_, &QAbstractItemModel::modelReset, this, [this] { chooseRow(grid_.rowCount() > 0 ? 0 : -1); });
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
    sample_->setSample(now.isValid() ? &grid_.sample(now.row()) : nullptr);
    refreshExclusion();
    sample_->setNeighbors(now.isValid() && now.row() > 0, now.isValid() && now.row() + 1 < grid_.rowCount());
  });
  connect(sample_, &SamplePanel::excludeRequested, this, &PredictPage::toggleExcluded);
  connect(sample_, &SamplePanel::shown, this, &PredictPage::refreshExclusion);
  connect(sample_, &SamplePanel::shown, this, [this] { playground_->setChosen(sample_->image()); });
  connect(metrics_, &MetricsView::message, &session_, &Session::message);
  connect(metrics_, &MetricsView::speedRequested, this, &PredictPage::measureSpeed);
  connect(map_, &MapView::chosen, this, &PredictPage::chooseSample);
  connect(&session_, &Session::documentChanged, this, &PredictPage::refreshExclusion);
  connect(&session_, &Session::documentReplaced, this, &PredictPage::refreshExclusion);
  const auto nameProject = [this] { header_->setOpenProject(session_.displayName()); };
  connect(&session_, &Session::fileChanged, this, nameProject);
  connect(&session_, &Session::documentReplaced, this, nameProject);
  nameProject();
  connect(&session_.feed(), &RunFeed::statusChanged, this, [this] {
    if (isVisible()) activated();
  });
  connect(&session_.feed(), &RunFeed::reset, this, [this] {
    if (isVisible()) activated();
  });
  connect(empty_, &EmptyState::actionTriggered, this, [this] {
    if (source_.run().isEmpty())
      Q_EMIT goTo(QStringLiteral("train"));
    else
      source_.reload();
  });
}

void PredictPage::activated() {
  const QString run = session_.feed().folder().isEmpty() ? session_.run().folder() : session_.feed().folder();
  weights_.refresh(run);
}

/// Chooses the session's run once it has weights; otherwise keeps the current run; otherwise takes the newest run.
void PredictPage::pickRun() {
  const QString run = session_.feed().folder().isEmpty() ? session_.run().folder() : session_.feed().folder();
  if (!run.isEmpty() && run != followed_ && weights_.find(run) != nullptr) {
    followed_ = run;
    if (run != source_.run()) source_.setWeights(run, QStringLiteral("best"));
  } else if (source_.run().isEmpty() && !weights_.runs().empty()) {
    source_.setWeights(weights_.runs().front().folder(), QStringLiteral("best"));
  }
}

/// Training has continued: "best" and "latest" are other weights now.
void PredictPage::switchToNewerWeights() {
  const WeightsOfRun* run = weights_.find(source_.run());
  if (run == nullptr || source_.busy() || !source_.network().known()) return;
  const qint64 step = source_.checkpoint() == QLatin1String("best")     ? run->best
                      : source_.checkpoint() == QLatin1String("latest") ? run->latest
                                                                        : 0;
  if (step != 0 && step != source_.network().step) source_.reload();
}

void PredictPage::weightsRefreshed() {
  pickRun();
  switchToNewerWeights();
  if (!source_.run().isEmpty()) return;
  empty_->show(QStringLiteral("image"), tr("No predictions yet"),
               tr("After training, this page shows correct and misclassified images."), tr("Go to Train"));
  stack_->setCurrentIndex(empty_page);
  header_->hide();
}

void PredictPage::showFailure(const QString& sentence) {
  header_->show();
  empty_->show(QStringLiteral("alert-triangle"), tr("No predictions from these weights"), sentence, tr("Try again"));
  stack_->setCurrentIndex(empty_page);
}

QWidget* PredictPage::makeGridSide() {
  auto* side = new QWidget;
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, space::m, 0, 0);
  rows->setSpacing(space::s);
  auto* bar = new WrappingBar(side);
  show_ = new SegmentedControl(side);
  for (const QString& text : {tr("All"), tr("Misclassified only"), tr("Low confidence")}) show_->addSegment(text);
  filter_ = makeButton({}, ButtonKind::tonal, QStringLiteral("filter"), side);
  filter_->setToolTip(tr("Clear the filter"));
  filter_->hide();
  order_ = new ChooserButton(tr("Order"), side, false);
  auto* menu = new QMenu(order_);
  const std::pair<GridModel::Order, QString> orders[] = {
      {GridModel::Order::most_confident, tr("Most confident first")},
      {GridModel::Order::least_confident, tr("Least confident first")},
      {GridModel::Order::largest_loss, tr("Largest loss first")},
      {GridModel::Order::index, tr("File order")}};
  for (const auto& [order, text] : orders)
    menu->addAction(text, this, [this, order = order, text = text] {
      grid_.setOrder(order);
      order_->setValue(text);
    });
  order_->setMenu(menu);
  order_->setValue(orders[0].second);
  bar->addWidget(show_);
  bar->addWidget(filter_);
  bar->addWidget(order_, true);
  auto* edges = new QHBoxLayout;
  edges->setContentsMargins(space::l, 0, space::l, 0);
  edges->addWidget(bar);
  view_ = new GridView(grid_, side);
  rows->addLayout(edges);
  rows->addWidget(view_, 1);
  return side;
}

QWidget* PredictPage::makeMiddle() {
  auto* middle = new Well;
  auto* rows = new QVBoxLayout(middle);
  rows->setContentsMargins(space::l, space::m, space::l, space::m);
  rows->setSpacing(space::s);
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("Confusion matrix"), 1, static_cast<int>(TextRole::title)));
  head->addStretch();
  counts_ = new SegmentedControl(middle);
  counts_->addSegment(tr("Count"));
  counts_->addSegment(tr("Fraction"));
  head->addWidget(counts_);
  matrix_ = new ConfusionMatrix(middle);
  noMatrix_ = makeLabel(tr("The true classes of these images are unknown. Put the images into folders named after "
                           "their classes to see the confusion matrix."),
                        2);
  noMatrix_->setWordWrap(true);
  confusedPairs_ = new ConfusionList(thumbnails_, middle);
  rows->addLayout(head);
  rows->addWidget(noMatrix_);
  rows->addWidget(matrix_);
  rows->addSpacing(space::m);
  rows->addWidget(makeLabel(tr("Most confused classes"), 1, static_cast<int>(TextRole::node)));
  rows->addWidget(confusedPairs_);
  rows->addStretch(1);
  return middle;
}

QWidget* PredictPage::makeRight() {
  auto* right = new QWidget;
  auto* rows = new QVBoxLayout(right);
  rows->setContentsMargins(space::l, space::m, space::l, space::m);
  rows->setSpacing(space::l);
  sample_ = new SamplePanel(source_, right);
  try_ = new OwnImagePanel(source_, right);
  auto* line = new QFrame;
  line->setFrameShape(QFrame::HLine);
  rows->addWidget(sample_);
  rows->addWidget(line);
  rows->addWidget(try_);
  rows->addStretch(1);
  auto* scroll = new QScrollArea;  // with similar images it is higher than small screens
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(right);
  scroll->setMinimumWidth(right->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
  return scroll;
}

void PredictPage::evaluated() {
  const auto view = source_.view();
  header_->show();
  metrics_->refresh();
  labelIssues_->refresh();
  map_->refresh();
  showView(header_->views().current());
  const bool known = view && !view->confusion.empty();
  grid_.setView(view);  // first: a filter would be applied to the samples of the view before
  if (!known && grid_.shown() == GridModel::Show::wrong) show_->setCurrent(0);
  matrix_->setView(view);
  confusedPairs_->setView(known ? view : nullptr);
  noMatrix_->setVisible(view && !known);
  matrix_->setVisible(known || !view);
  filterCell(grid_.cell());
  if (view && wanted_ >= 0)  // once the grid has its new rows
    QTimer::singleShot(0, this, [this, sample = std::exchange(wanted_, -1)] { chooseSample(sample); });
  if (view && view->notFinite > 0)
    Q_EMIT session_.message(
        tr("The network computes numbers that are not finite for %1 of %2 images: its training diverged. Choose an "
           "earlier checkpoint, or train again with a lower learning rate.")
            .arg(grouped(view->notFinite), grouped(static_cast<qint64>(view->samples.size()))),
        2);
}

void PredictPage::showView(int view) { stack_->setCurrentIndex(content_page + view); }

bool PredictPage::settled() const {
  return source_.view() && metrics_->settled() && labelIssues_->settled() && playground_->settled() &&
         map_->settled() && thumbnails_.idle() && sample_->settled() && !try_->asking();
}

void PredictPage::refreshFilters() {
  const auto view = source_.view();
  show_->setSegmentText(0, view ? tr("All %1").arg(grouped(static_cast<qint64>(view->samples.size()))) : tr("All"));
  show_->setSegmentText(
      1, !view || !view->measured()
             ? tr("Misclassified only")
             : (view->kind == TargetKind::values ? tr("Predicted in another range %1") : tr("Misclassified only %1"))
                   .arg(grouped(view->wrong())));
  show_->setSegmentText(2, tr("Low confidence"));
  const auto cell = grid_.cell();
  filter_->setVisible(cell.has_value());
  if (!cell || !view) return;
  filter_->setText(
      tr("true %1, predicted as %2  ×").arg(view->names.value(cell->truth), view->names.value(cell->read)));
  filter_->setAccessibleName(tr("Filter: true class %1, predicted as %2. Clear it")
                                 .arg(view->names.value(cell->truth), view->names.value(cell->read)));
}

void PredictPage::filterCell(std::optional<GridModel::Cell> cell) {
  if (cell && cell->truth != cell->read && grid_.shown() == GridModel::Show::all) show_->setCurrent(1);
  grid_.setCell(cell);
  matrix_->setCell(cell);
  confusedPairs_->setCell(cell);
  refreshFilters();
}

void PredictPage::chooseRow(int row) {
  const QModelIndex index = row < 0 ? QModelIndex() : grid_.index(row);
  view_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
  if (row < 0) sample_->setSample(nullptr);
}

void PredictPage::step(int by) {
  const int row = view_->currentIndex().row() + by;
  if (row < 0 || row >= grid_.rowCount()) return;
  chooseRow(row);
  view_->scrollTo(grid_.index(row));
}

void PredictPage::openPaths(const QStringList& paths) {
  if (!source_.network().known() || paths.isEmpty()) return;
  if (paths.size() == 1 && QFileInfo(paths.front()).isFile()) return try_->openFile(paths.front());
  const auto find = [paths] {
    QStringList files;
    for (const QString& path : paths)
      files += QFileInfo(path).isDir() ? image_files(path, most_files) : QStringList(path);
    return files.mid(0, most_files);
  };
  inBackground(this, find, [this](const QStringList& files) {
    if (files.isEmpty())
      Q_EMIT session_.message(tr("There are no images in that folder. Choose another folder."), 1);
    else
      source_.setFiles(files);
  });
}

void PredictPage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && source_.network().known()) event->acceptProposedAction();
}

void PredictPage::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  openPaths(paths);
  event->acceptProposedAction();
}

void PredictPage::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copyImage();
  if (event->matches(QKeySequence::Paste)) return try_->openClipboard();
  if (event->key() == Qt::Key_X && event->modifiers() == Qt::NoModifier) return toggleExcluded();
  if (event->key() == Qt::Key_Escape && grid_.cell()) return filterCell({});
  Page::keyPressEvent(event);
}

/// Shows the sample in the grid and clears filters that hide it.
void PredictPage::chooseSample(qint64 sample) {
  if (grid_.rowOf(sample) < 0) {
    show_->setCurrent(0);
    filterCell({});
  }
  header_->views().setCurrent(0);
  const int row = grid_.rowOf(sample);
  if (row < 0) return;
  chooseRow(row);
  view_->scrollTo(grid_.index(row));
}

void PredictPage::showSample(const QString& run, const QString& checkpoint, qint64 sample) {
  followed_ = session_.feed().folder().isEmpty() ? session_.run().folder() : session_.feed().folder();
  const QString test = QStringLiteral("test");
  const bool there = source_.run() == run && source_.checkpoint() == checkpoint && source_.split() == test &&
                     source_.files().isEmpty() && source_.view() && !source_.busy();
  if (there) return chooseSample(sample);
  wanted_ = sample;
  if (source_.split() != test || !source_.files().isEmpty()) source_.setSplit(test);
  source_.setWeights(run, checkpoint);
}

Page* makePredictPage(Session& session) { return new PredictPage(session); }

}  // namespace nw::ui
