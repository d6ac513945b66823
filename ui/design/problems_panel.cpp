// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/problems_panel.hpp"

#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QTime>
#include <QUndoView>

#include "ui/canvas/graph_view.hpp"
#include "ui/canvas/placing.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

const char* icon_of(Severity s) { return s == Severity::error ? "alert-octagon" : s == Severity::warning ? "alert-triangle" : "info"; }
QColor colour_of(Severity s) { return s == Severity::error ? theme().error : s == Severity::warning ? theme().warn : theme().text3; }

/// One problem: icon, layer, sentence; the repairs are buttons at its right end.
class ProblemRow : public QWidget {
 public:
  ProblemRow(Severity severity, std::function<void()> clicked) : severity_(severity), clicked_(std::move(clicked)) {
    setMinimumHeight(36);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
      p.setPen(hasFocus() ? QPen(theme().ring, 1.2) : QPen(Qt::NoPen));
      p.setBrush(theme().hover);
      p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::control, radius::control);
    }
    paintIcon(p, QLatin1String(icon_of(severity_)), QRectF(12, height() / 2.0 - 8, 16, 16), colour_of(severity_));
  }
  void mousePressEvent(QMouseEvent*) override { clicked_(); }
  void keyPressEvent(QKeyEvent* e) override {
    if (e->key() == Qt::Key_Return || e->key() == Qt::Key_Space) clicked_();
    else QWidget::keyPressEvent(e);
  }

 private:
  Severity severity_;
  std::function<void()> clicked_;
};

}  // namespace

ProblemsPanel::ProblemsPanel(GraphView& view, QWidget* parent) : QTabWidget(parent), view_(view) {
  setObjectName(QStringLiteral("problems"));
  setDocumentMode(true);
  list_ = new QWidget;
  rows_ = new QVBoxLayout(list_);
  rows_->setContentsMargins(8, 4, 8, 4);
  rows_->setSpacing(0);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(list_);
  addTab(scroll, tr("Problems"));
  auto* log = new QListWidget;
  log->setFrameShape(QFrame::NoFrame);
  log->setAccessibleName(tr("Log"));
  addTab(log, tr("Log"));
  auto* history = new QUndoView(&view.graph().session().undoStack());
  history->setFrameShape(QFrame::NoFrame);
  history->setEmptyLabel(tr("As opened"));
  addTab(history, tr("History"));
  Session& session = view.graph().session();
  connect(&session, &Session::message, log, [log](const QString& sentence) {
    log->insertItem(0, QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + sentence);
    while (log->count() > 500) delete log->takeItem(log->count() - 1);
  });
  connect(&session, &Session::analysisChanged, this, &ProblemsPanel::fill);
  fill();
}

void ProblemsPanel::fill() {
  while (QLayoutItem* item = rows_->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  const auto& problems = view_.graph().session().analysis().problems;
  setTabText(0, problems.empty() ? tr("Problems") : tr("Problems %1").arg(problems.size()));
  constexpr int shown = 100;
  for (int i = 0; i < static_cast<int>(problems.size()) && i < shown; ++i) {
    const Problem& problem = problems[static_cast<std::size_t>(i)];
    auto* row = new ProblemRow(problem.severity, [this, i] { goTo(i); });
    row->setObjectName(QStringLiteral("problem-%1").arg(i));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(38, 4, 4, 4);
    line->setSpacing(space::s);
    const QString name = problem.node_name.empty() ? tr("Network") : QString::fromStdString(problem.node_name);
    auto* who = makeLabel(name, 1, static_cast<int>(TextRole::button));
    who->setFixedWidth(112);
    line->addWidget(who);
    auto* what = makeLabel(translated(problem.what), 2);
    what->setWordWrap(true);
    line->addWidget(what, 1);
    row->setAccessibleName(name + QStringLiteral(": ") + translated(problem.what));
    for (int k = static_cast<int>(problem.fixes.size()); k-- > 0;) {
      auto* fix = makeButton(translated(problem.fixes[static_cast<std::size_t>(k)].label), k == 0 ? ButtonKind::tonal : ButtonKind::ghost);
      fix->setObjectName(QStringLiteral("fix-%1-%2").arg(i).arg(k));
      connect(fix, &QPushButton::clicked, this, [this, i, k] { apply(i, k); });
      line->addWidget(fix);
    }
    rows_->addWidget(row);
  }
  if (problems.empty()) {
    auto* fine = makeLabel(tr("No problems. The network can be trained."), 3);
    fine->setContentsMargins(14, 12, 0, 0);
    rows_->addWidget(fine);
  }
  rows_->addStretch(1);
}

void ProblemsPanel::goTo(int index) {
  const auto& problems = view_.graph().session().analysis().problems;
  if (index >= static_cast<int>(problems.size())) return;
  const Problem problem = problems[static_cast<std::size_t>(index)];
  if (problem.node == 0 || !view_.graph().doc().has_scope(problem.scope)) return;
  if (view_.graph().scope() != problem.scope) view_.graph().setScope(problem.scope);
  view_.graph().setCurrent(problem.node);
  view_.reveal(problem.node);
}

void ProblemsPanel::apply(int index, int fix) {
  Session& session = view_.graph().session();
  const auto& problems = session.analysis().problems;
  if (!session.analysisCurrent() || index >= static_cast<int>(problems.size())) return;
  const Problem& problem = problems[static_cast<std::size_t>(index)];
  if (fix >= static_cast<int>(problem.fixes.size())) return;
  const Fix chosen = problem.fixes[static_cast<std::size_t>(fix)];
  session.push(withPlaces(session.doc(), chosen.edit), translated(chosen.label));
}

void ProblemsPanel::goToNext() {
  const int count = static_cast<int>(view_.graph().session().analysis().problems.size());
  if (count == 0) return;
  setCurrentIndex(0);
  goTo(next_ % count);
  next_ = (next_ + 1) % count;
}

}  // namespace nw::ui
