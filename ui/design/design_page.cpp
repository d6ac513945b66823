// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/design_page.hpp"

#include <QPointer>
#include <QSettings>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/canvas/commands.hpp"
#include "ui/canvas/graph_view.hpp"
#include "ui/design/breadcrumbs.hpp"
#include "ui/design/design_status.hpp"
#include "ui/design/inspector.hpp"
#include "ui/design/palette.hpp"
#include "ui/design/problems_panel.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

DesignPage::DesignPage(Session& session) : session_(session) {
  setObjectName(QStringLiteral("designPage"));
  scene_ = new GraphScene(session, this);
  view_ = new GraphView(*scene_);
  view_->setObjectName(QStringLiteral("canvas"));
  view_->setAccessibleName(tr("Canvas"));
  inspector_ = new Inspector(*view_);
  problems_ = new ProblemsPanel(*view_);
  auto* palette = new Palette(*view_);
  auto* middle = new QWidget;
  auto* stack = new QVBoxLayout(middle);
  stack->setContentsMargins(0, 0, 0, 0);
  stack->setSpacing(0);
  stack->addWidget(new Breadcrumbs(*scene_));
  stack->addWidget(view_, 1);
  down_ = new QSplitter(Qt::Vertical);
  down_->addWidget(middle);
  down_->addWidget(problems_);
  panels_ = new QTabWidget;
  panels_->setObjectName(QStringLiteral("designPanels"));
  panels_->setDocumentMode(true);
  panels_->addTab(inspector_, tr("Layer"));
  panels_->addTab(makeDataPanel(session), tr("Data"));
  panels_->addTab(makeSettingsPanel(session), tr("Training"));
  across_ = new QSplitter(Qt::Horizontal);
  for (QWidget* w : {static_cast<QWidget*>(palette), static_cast<QWidget*>(down_), static_cast<QWidget*>(panels_)}) across_->addWidget(w);
  across_->setStretchFactor(1, 1);
  down_->setStretchFactor(0, 1);
  for (QSplitter* s : {across_, down_}) {
    s->setChildrenCollapsible(false);
    s->setHandleWidth(1);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(across_);
  resetLayout();
  const QSettings settings;
  across_->restoreState(settings.value(QStringLiteral("design/across")).toByteArray());
  down_->restoreState(settings.value(QStringLiteral("design/down")).toByteArray());
  connectActions();
}

DesignPage::~DesignPage() {
  QSettings settings;
  settings.setValue(QStringLiteral("design/across"), across_->saveState());
  settings.setValue(QStringLiteral("design/down"), down_->saveState());
}

void DesignPage::resetLayout() {
  across_->setSizes({244, 1000, 312});
  down_->setSizes({800, 150});
}

void DesignPage::showTab(int index) { panels_->setCurrentIndex(index); }

void DesignPage::connectActions() {
  const auto on = [this](const char* id, auto run) { if (QAction* a = action(QLatin1String(id))) connect(a, &QAction::triggered, this, run); };
  for (const CanvasCommand& command : canvasCommands())
    on(command.id, [this, run = command.run] { run(*view_); });
  on("show-data", [this] { showTab(1); });
  on("show-settings", [this] { showTab(2); });
  on("next-problem", [this] { problems_->goToNext(); });
  on("reset-layout", [this] { resetLayout(); });
  connect(scene_, &GraphScene::inspectorWanted, this, [this] { showTab(0); inspector_->focusFirst(); });
  connect(scene_, &QGraphicsScene::selectionChanged, this, [this] { if (scene_->current() != 0) showTab(0); });
  connect(&session_, &Session::documentReplaced, this, [this] { fitted_ = false; activated(); });
}

/// The whole network is shown once the page has its size.
void DesignPage::activated() {
  if (fitted_) return;
  QTimer::singleShot(0, this, [this] {
    if (!isVisible() || fitted_) return;
    fitted_ = true;
    view_->fitAll();
    view_->setFocus();
  });
}

QWidget* DesignPage::statusWidget() {
  if (!status_) status_ = new DesignStatus(session_);
  return status_;
}

Page* makeDesignPage(Session& session) { return new DesignPage(session); }

}  // namespace nw::ui
