// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/train_button.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <algorithm>

#include "ui/page/page.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int menuWidth = 30, buttonHeight = 36, buttonWidth = 92;
int swapPauseMs = 500;

QFont trainFont() {
  QFont f = ui::font(TextRole::node);
  f.setWeight(QFont::DemiBold);
  return f;
}
}  // namespace

SplitButton::SplitButton(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SplitButton::setProblems(int count) {
  if (problems_ == count) return;
  problems_ = count;
  setAccessibleDescription(count > 0 ? tr("%n problem(s) to solve first", nullptr, count) : QString());
  updateGeometry();
  update();
}

QSize SplitButton::sizeHint() const {
  const int wide = QFontMetrics(trainFont()).horizontalAdvance(text());
  return {16 + 16 + 8 + wide + (problems_ > 0 ? 28 : 0) + 18 + (menu_ ? menuWidth : 0), buttonHeight};
}

QRect SplitButton::menuRect() const { return menu_ ? QRect(width() - menuWidth, 0, menuWidth, height()) : QRect(); }

void SplitButton::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const bool blocked = problems_ > 0;
  QColor fill = blocked ? t.accentSoft : t.accent;
  if (underMouse() || isDown()) fill = t.dark ? fill.lighter(isDown() ? 95 : 110) : fill.darker(isDown() ? 112 : 105);
  const QColor ink = blocked ? t.accentText : t.onAccent;
  style::box(p, rect(), radius::group, fill, QColor(0, 0, 0, 0));
  paintIcon(p, QStringLiteral("play"), QRectF(16, height() / 2.0 - 8, 16, 16), ink);
  p.setFont(trainFont());
  p.setPen(ink);
  p.drawText(QRectF(40, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, text());
  if (blocked) {
    const qreal x = 40 + QFontMetrics(trainFont()).horizontalAdvance(text()) + 8;
    const QString count = problems_ > 99 ? QStringLiteral("99+") : QString::number(problems_);
    const qreal w = qMax(18.0, QFontMetricsF(ui::font(TextRole::axis)).horizontalAdvance(count) + 10);
    style::box(p, QRectF(x, height() / 2.0 - 9, w, 18), 9, t.error, QColor(0, 0, 0, 0));
    QFont bold = ui::font(TextRole::axis);
    bold.setWeight(QFont::Bold);
    p.setFont(bold);
    p.setPen(t.dark ? t.window : QColor(Qt::white));
    p.drawText(QRectF(x, height() / 2.0 - 9, w, 18), Qt::AlignCenter, count);
  }
  if (menu_) {
    QColor line = ink;
    line.setAlphaF(0.25f);
    p.setPen(line);
    p.drawLine(menuRect().left(), 9, menuRect().left(), height() - 10);
    style::chevron(p, menuRect(), "down", ink);
  }
  if (hasFocus()) style::focusRing(p, rect(), radius::group);
}

void SplitButton::openMenu() { menu_->popup(mapToGlobal(QPoint(width() - menu_->sizeHint().width(), height() + 4))); }

void SplitButton::mousePressEvent(QMouseEvent* event) {
  if (menu_ && menuRect().contains(event->position().toPoint())) return openMenu();
  QAbstractButton::mousePressEvent(event);
}

void SplitButton::keyPressEvent(QKeyEvent* event) {
  if (menu_ && (event->key() == Qt::Key_Down || event->key() == Qt::Key_Menu)) return openMenu();
  QAbstractButton::keyPressEvent(event);
}

TrainButtons::TrainButtons(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  train_ = new SplitButton(this);
  train_->setText(tr("Train"));
  train_->setObjectName(QStringLiteral("trainButton"));
  auto* menu = new QMenu(train_);
  for (const char* id : {"train", "pause", "stop", "run-settings", "branch", "queue-add", "submit"})
    menu->addAction(action(QLatin1String(id)));
  menu->addSeparator();
  for (const char* id : {"show-data", "show-settings", "export-command-line"})
    menu->addAction(action(QLatin1String(id)));
  train_->setMenu(menu);
  pause_ = makeButton(tr("Pause"), ButtonKind::primary, QStringLiteral("pause"), this);
  pause_->setObjectName(QStringLiteral("pauseButton"));
  stop_ = makeButton(tr("Stop"), ButtonKind::neutral, QStringLiteral("stop"), this);
  stop_->setObjectName(QStringLiteral("stopButton"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  for (QPushButton* button : {pause_, stop_}) {
    button->setFont(trainFont());
    button->setMinimumHeight(buttonHeight);
  }
  row->addWidget(train_);
  row->addWidget(pause_);
  row->addWidget(stop_);
  const std::pair<QAbstractButton*, const char*> buttons[] = {{train_, "train"}, {pause_, "pause"}, {stop_, "stop"}};
  for (const auto& [button, id] : buttons)
    connect(button, &QAbstractButton::clicked, this, [this, id = id] {
      if (swapped_.isValid() && swapped_.elapsed() < swapPauseMs) return;
      action(QLatin1String(id))->trigger();
    });
  connect(&session_.run(), &RunController::stateChanged, this, &TrainButtons::refresh);
  connect(&session_, &Session::analysisChanged, this, &TrainButtons::refresh);
  refresh();
}

void TrainButtons::setSwapPause(int milliseconds) { swapPauseMs = milliseconds; }

/// The first error; empty: there is none.
QString TrainButtons::reasonNotToTrain() const {
  for (const Problem& problem : session_.analysis().problems)
    if (problem.severity == Severity::error) return translated(problem.what);
  return {};
}

void TrainButtons::refresh() {
  using State = RunController::State;
  const State state = session_.run().state();
  const bool waiting = session_.run().isWaiting(), idle = state == State::idle && !waiting;
  if (isVisible() && train_->isHidden() == idle) swapped_.start();
  train_->setVisible(idle);
  train_->setProblems(session_.analysis().count(Severity::error));
  train_->setToolTip(reasonNotToTrain());
  pause_->setVisible(!idle);
  stop_->setVisible(!idle);
  const bool paused = state == State::paused;
  pause_->setText(waiting                    ? tr("Waiting…")
                  : state == State::starting ? tr("Starting…")
                  : state == State::stopping ? tr("Stopping…")
                  : paused                   ? tr("Continue")
                                             : tr("Pause"));
  pause_->setToolTip(waiting ? tr("Training starts as soon as the data are open") : QString());
  pause_->setIcon(icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
  pause_->setEnabled(state == State::running || paused);
  stop_->setEnabled(state != State::starting);
  stop_->setText(waiting ? tr("Do not start") : state == State::stopping ? tr("Stop now") : tr("Stop"));
  for (QPushButton* button : {pause_, stop_})  // a longer text takes its place from the data chip
    button->setMinimumWidth(std::max(buttonWidth, button->sizeHint().width()));
  action(QStringLiteral("train"))->setEnabled(idle);
  action(QStringLiteral("pause"))->setEnabled(state == State::running || paused);
  action(QStringLiteral("stop"))->setEnabled(!idle);
}

}  // namespace nw::ui
