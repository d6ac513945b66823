// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/design_page.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>
#include <QUndoView>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/commands/node_commands.hpp"
#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/overlays/heatmap.hpp"
#include "ui/design/design_status.hpp"
#include "ui/design/device_plan.hpp"
#include "ui/design/input_sample.hpp"
#include "ui/design/inspector.hpp"
#include "ui/design/lanes/lane_board.hpp"
#include "ui/design/lanes/lane_view.hpp"
#include "ui/design/lanes/placement.hpp"
#include "ui/design/lanes/placement_panel.hpp"
#include "ui/design/message_log.hpp"
#include "ui/design/outline_tree.hpp"
#include "ui/design/palette_tree.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/design/text_pane.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int layoutVersion = 1;
// Narrower pages hide the palette; View > Palette and "/" show it. A window on a screen of 1366 pixels is wide enough.
constexpr int paletteFrom = 1340;
constexpr int leftWidth = 244, rightWidth = 312, bottomHeight = 150;
enum LeftPage { layersPage, blocksPage, outlinePage };
enum BottomPage { problemsPage, logPage, historyPage, textPage };
enum RightPage { layerPage, dataPage, settingsPage, placementPage };

QString tabsKey() { return QStringLiteral("design/tabs"); }
QString lanesKey() { return QStringLiteral("design/lanes"); }
QString layoutKey() { return QStringLiteral("design/panels"); }

}  // namespace

Page* makeDesignPage(Session& session) { return new DesignPage(session); }

DesignPage::DesignPage(Session& session) : session_(session), frame_(new QMainWindow) {
  setObjectName(QStringLiteral("designPage"));
  frame_->setWindowFlags(Qt::Widget);
  frame_->setObjectName(QStringLiteral("designFrame"));
  frame_->setContextMenuPolicy(Qt::NoContextMenu);
  frame_->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  frame_->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(frame_);
  middle_ = new QStackedWidget(frame_);
  canvas_ = new Canvas(session, middle_);
  placement_ = new Placement(session, this);
  lanes_ = new LaneView(*placement_, canvas_->scene(), middle_);
  middle_->addWidget(canvas_);
  middle_->addWidget(lanes_);
  frame_->setCentralWidget(middle_);
  buildLeft();
  buildRight();
  buildBottom();
  for (QWidget* pane : std::initializer_list<QWidget*>{left_, &canvas_->view(), lanes_, right_, bottom_})
    makePane(*pane);
  for (QWidget* w : std::initializer_list<QWidget*>{frame_, left_, right_, bottom_}) w->installEventFilter(this);
  frame_->resizeDocks({left_, right_}, {leftWidth, rightWidth}, Qt::Horizontal);
  frame_->resizeDocks({bottom_}, {bottomHeight}, Qt::Vertical);
  pristine_ = frame_->saveState(layoutVersion);
  frame_->restoreState(QSettings().value(layoutKey()).toByteArray(), layoutVersion);
  const QVariantList tabs = QSettings().value(tabsKey()).toList();
  for (qsizetype i = 0; i < qMin<qsizetype>(2, tabs.size()); ++i)
    std::array{right_, bottom_}[static_cast<std::size_t>(i)]->tabs().setCurrentIndex(tabs[i].toInt());
  connectActions();
  showInputSample(session_, canvas_->scene());
  setFocusProxy(canvas_);
}

DesignPage::~DesignPage() {
  if (folded_) left_->show();  // the width of this window is not the user's choice of panels
  QSettings().setValue(layoutKey(), frame_->saveState(layoutVersion));
  QVariantList tabs;
  for (const TabbedPanel* panel : {right_, bottom_}) tabs << panel->currentPage();
  QSettings().setValue(tabsKey(), tabs);
}

void DesignPage::buildLeft() {
  left_ = new TabbedPanel(QStringLiteral("palettePanel"), tr("Palette"));
  search_ = new SearchField(tr("Search layers"), QStringLiteral("/"));
  search_->setObjectName(QStringLiteral("paletteSearch"));
  search_->installEventFilter(this);
  auto* header = new QWidget;
  auto* place = new QVBoxLayout(header);
  place->setContentsMargins(space::m, space::m, space::m, space::s);
  place->addWidget(search_);
  left_->setHeader(header);
  palette_ = new PaletteTree(PaletteTree::Shows::layers, *canvas_);
  blocks_ = new PaletteTree(PaletteTree::Shows::blocks, *canvas_);
  outline_ = new OutlineTree(*canvas_);
  left_->addPage(tr("Layers"), palette_);
  left_->addPage(tr("Blocks"), blocks_);
  left_->addPage(tr("Outline"), outline_);
  auto* foot = makeLabel(tr("Drag onto the canvas, or press Tab"), 2, static_cast<int>(TextRole::secondary));
  foot->setContentsMargins(space::m, space::s, space::m, space::s + 2);
  foot->setWordWrap(true);
  left_->setFooter(foot);
  frame_->addDockWidget(Qt::LeftDockWidgetArea, left_);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    palette_->setFilter(text);
    blocks_->setFilter(text);
    outline_->setFilter(text);
  });
  const auto prompt = [this](int page) {
    search_->setPrompt(page == outlinePage  ? tr("Find a layer")
                       : page == blocksPage ? tr("Search blocks")
                                            : tr("Search layers"));
  };
  connect(left_, &TabbedPanel::pageChanged, this, prompt);
}

void DesignPage::buildRight() {
  right_ = new TabbedPanel(QStringLiteral("settingsPanel"), tr("Settings"));
  inspector_ = new Inspector(*canvas_);
  right_->addPage(tr("Layer"), inspector_);
  right_->addPage(tr("Data"), makeDataPanel(session_));
  right_->addPage(tr("Training"), makeSettingsPanel(session_));
  right_->addPage(tr("Placement"), new PlacementPanel(session_, *placement_));
  frame_->addDockWidget(Qt::RightDockWidgetArea, right_);
  connect(&canvas_->scene(), &GraphScene::selectionUpdated, this, [this] {
    const bool moves = middle_->currentWidget() == lanes_ && right_->currentPage() == placementPage;
    if (canvas_->scene().selection().current() && !moves) right_->tabs().setCurrentIndex(layerPage);
  });
  connect(&canvas_->scene(), &GraphScene::inspectorWanted, this, [this] {
    right_->showPage(layerPage);
    inspector_->focusFirst();
  });
}

void DesignPage::buildBottom() {
  bottom_ = new TabbedPanel(QStringLiteral("problemsPanel"), tr("Problems"));
  problems_ = new ProblemList(*canvas_);
  auto* history = new QUndoView(&session_.undoStack());
  history->setObjectName(QStringLiteral("history"));
  history->setAccessibleName(tr("History"));
  history->setEmptyLabel(tr("As opened"));
  history->setFrameShape(QFrame::NoFrame);
  bottom_->addPage(tr("Problems"), problems_);
  bottom_->addPage(tr("Log"), new MessageLog(session_));
  auto* steps = new QWidget;
  steps->setFocusProxy(history);
  auto* edges = new QVBoxLayout(steps);
  edges->setContentsMargins(space::s, space::xs, space::s, 0);
  edges->addWidget(history);
  bottom_->addPage(tr("History"), steps);
  bottom_->addPage(tr("Text"), new TextPane(*canvas_));
  bottom_->addPage(tr("More devices"), new DevicePlan(session_));
  frame_->addDockWidget(Qt::BottomDockWidgetArea, bottom_);
  connect(problems_, &ProblemList::countChanged, this, [this](int count) { bottom_->setCount(0, count); });
  bottom_->setCount(0, problems_->problemCount());
}

void DesignPage::connectActions() {
  for (const CanvasCommand& command : canvasCommands()) {
    if (QAction* known = action(QLatin1String(command.id)))
      connect(known, &QAction::triggered, this, [this, run = command.run] { run(canvas_->view()); });
  }
  QAction* overview = action(QStringLiteral("overview"));
  overview->setChecked(canvas_->view().mapShown());
  connect(&canvas_->view(), &GraphView::mapShownChanged, overview, &QAction::setChecked);
  connectThumbnails();
  connectLanes();
  connect(action(QStringLiteral("find")), &QAction::triggered, this, [this] {
    left_->showPage(outlinePage);
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
  connect(action(QStringLiteral("show-palette")), &QAction::triggered, this, [this] {
    left_->showPage(layersPage);
    search_->setFocus(Qt::ShortcutFocusReason);
  });
  connect(action(QStringLiteral("show-data")), &QAction::triggered, this, [this] { openSettings(dataPage); });
  connect(action(QStringLiteral("show-settings")), &QAction::triggered, this, [this] { openSettings(settingsPage); });
  connect(action(QStringLiteral("show-history")), &QAction::triggered, this, [this] {
    bottom_->showPage(historyPage);
    findChild<QUndoView*>()->setFocus(Qt::ShortcutFocusReason);
  });
  connect(action(QStringLiteral("reset-layout")), &QAction::triggered, this, &DesignPage::resetLayout);
  connect(action(QStringLiteral("next-problem")), &QAction::triggered, this, [this] {
    bottom_->showPage(problemsPage);
    problems_->goToNext();
  });
  canvas_->view().installEventFilter(this);
}

/// What the nodes show: outputs for a sample image, heat map.
void DesignPage::connectThumbnails() {
  QAction* outputs = action(QStringLiteral("outputs"));
  outputs->setChecked(canvas_->outputs().isOn());
  connect(outputs, &QAction::toggled, &canvas_->outputs(), &NodeOutputs::setOn);
  connect(&canvas_->outputs(), &NodeOutputs::changed, outputs,
          [this, outputs] { outputs->setChecked(canvas_->outputs().isOn()); });
  const std::pair<const char*, HeatmapQuantity> rows[] = {
      {"heat-none", HeatmapQuantity::none},      {"heat-time", HeatmapQuantity::time},
      {"heat-memory", HeatmapQuantity::memory},  {"heat-spread", HeatmapQuantity::spread},
      {"heat-zeros", HeatmapQuantity::zeros},    {"heat-gradients", HeatmapQuantity::gradients},
      {"heat-updates", HeatmapQuantity::updates}};
  for (const auto& [id, by] : rows) {
    QAction* row = action(QLatin1String(id));
    row->setChecked(canvas_->heat().by() == by);
    connect(row, &QAction::triggered, &canvas_->heat(), [this, by = by] { canvas_->heat().setBy(by); });
    connect(&canvas_->heat(), &Heatmap::changed, row, [this, row, by = by] {
      if (canvas_->heat().by() == by) row->setChecked(true);
    });
  }
}

void DesignPage::connectLanes() {
  QAction* shown = action(QStringLiteral("lanes"));
  shown->setChecked(QSettings().value(lanesKey(), true).toBool());
  connect(shown, &QAction::toggled, this, [this](bool on) {
    QSettings().setValue(lanesKey(), on);
    showLanes();
    if (on && !placement_->split()) openSettings(placementPage);
  });
  connect(action(QStringLiteral("show-placement")), &QAction::triggered, this, [this] { openSettings(placementPage); });
  connect(action(QStringLiteral("lane-left")), &QAction::triggered, this,
          [this] { lanes_->board().moveSelection(-1); });
  connect(action(QStringLiteral("lane-right")), &QAction::triggered, this,
          [this] { lanes_->board().moveSelection(1); });
  connect(action(QStringLiteral("lane-balance")), &QAction::triggered, placement_, &Placement::balance);
  connect(placement_, &Placement::changed, this, &DesignPage::showLanes);
  connect(&session_, &Session::documentChanged, this, &DesignPage::showLanes);
  connect(&session_, &Session::documentReplaced, this, &DesignPage::showLanes);
  showLanes();
}

/// Lanes take the canvas's place while the network is split into stages and the user wants to see them.
void DesignPage::showLanes() {
  const bool wanted = placement_->split() && action(QStringLiteral("lanes"))->isChecked();
  QWidget* next = wanted ? static_cast<QWidget*>(lanes_) : canvas_;
  if (middle_->currentWidget() == next) return;
  const bool focused = middle_->isAncestorOf(QApplication::focusWidget());
  if (wanted) canvas_->scene().setScope("");
  middle_->setCurrentWidget(next);
  if (focused) activated();
}

/// Shows the panel and focuses its first control.
std::vector<AddableLayer> DesignPage::addableLayers() const {
  std::vector<AddableLayer> layers;
  for (const QString& id : addable(canvas_->view().graph())) layers.push_back({id, shownName(id), isBlockId(id)});
  return layers;
}

void DesignPage::addLayer(const QString& id) { addAfterCurrent(canvas_->view(), id); }

void DesignPage::showSetting(const QString& id) {
  openSettings(settingsPage);
  auto* panel = findChild<SettingsPanel*>();
  QWidget* control = panel ? panel->control(id) : nullptr;
  if (!control) return;
  panel->ensureWidgetVisible(control);
  control->setFocus(Qt::ShortcutFocusReason);
}

void DesignPage::openSettings(int page) {
  right_->showPage(page);
  const QWidget* panel = right_->page(page);
  for (QWidget* w = panel->nextInFocusChain(); w != panel; w = w->nextInFocusChain())
    if (panel->isAncestorOf(w) && w->isVisible() && w->isEnabled() && (w->focusPolicy() & Qt::TabFocus))
      return w->setFocus(Qt::ShortcutFocusReason);
}

void DesignPage::resetLayout() {
  frame_->restoreState(pristine_, layoutVersion);
  for (TabbedPanel* panel : {left_, right_, bottom_}) panel->show();
  frame_->resizeDocks({left_, right_}, {leftWidth, rightWidth}, Qt::Horizontal);
  frame_->resizeDocks({bottom_}, {bottomHeight}, Qt::Vertical);
}

/// After a panel or an edge between panels was dragged, Qt may leave the canvas under a panel.
void DesignPage::layOutPanels() {
  frame_->layout()->invalidate();
  frame_->layout()->activate();
}

void DesignPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  const bool narrow = width() < paletteFrom, was = event->oldSize().isValid() && event->oldSize().width() < paletteFrom;
  if (narrow == was && event->oldSize().isValid()) return;
  if (narrow && !left_->isHidden())
    folded_ = true, left_->hide();
  else if (!narrow && std::exchange(folded_, false))
    left_->show();
}

/// "/" on the canvas focuses the search; Enter adds the first match, Esc and Down leave the search.
bool DesignPage::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::MouseButtonRelease) QTimer::singleShot(0, this, &DesignPage::layOutPanels);
  if (event->type() != QEvent::KeyPress) return Page::eventFilter(object, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (object == &canvas_->view() && key == Qt::Key_Slash) {
    left_->show();
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
    return true;
  }
  if (object != search_) return false;
  if (key == Qt::Key_Escape) {
    search_->clear();
    canvas_->setFocus();
    return true;
  }
  const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (enter && left_->currentPage() == layersPage) palette_->addBest();
  if (enter && left_->currentPage() == blocksPage) blocks_->addBest();
  if (enter) search_->selectAll();  // the next layer can be typed at once
  if (key == Qt::Key_Down)
    (left_->currentPage() == layersPage   ? static_cast<QWidget*>(palette_)
     : left_->currentPage() == blocksPage ? static_cast<QWidget*>(blocks_)
                                          : outline_)
        ->setFocus();
  return enter || key == Qt::Key_Down;
}

void DesignPage::activated() {
  if (middle_->currentWidget() == lanes_) return lanes_->takeFocus();
  canvas_->setFocus();
}

QWidget* DesignPage::statusWidget() {
  if (!status_) {
    status_ = new DesignStatus(session_);
    placement_->follow(&status_->estimator());
    status_->follow(*placement_);
  }
  return status_;
}

}  // namespace nw::ui
