// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/status_bar.hpp"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

StatusBar::StatusBar(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setFixedHeight(34);
  place_ = new QWidget(this);
  auto* inner = new QHBoxLayout(place_);
  inner->setContentsMargins(0, 0, 0, 0);
  run_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), this);
  saved_ = makeLabel({}, 3, static_cast<int>(TextRole::secondary), this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(space::l, 1, space::l, 0);
  row->setSpacing(space::l);
  row->addWidget(place_, 1);
  row->addWidget(run_);
  row->addWidget(saved_);
  connect(&session_, &Session::fileChanged, this, &StatusBar::refresh);
  connect(&session_.run(), &RunController::stateChanged, this, &StatusBar::refresh);
  refresh();
}

void StatusBar::setPageWidget(QWidget* widget) {
  if (shown_) {
    place_->layout()->removeWidget(shown_);
    shown_->hide();
  }
  shown_ = widget;
  if (!widget) return;
  place_->layout()->addWidget(widget);
  widget->show();
}

void StatusBar::refresh() {
  const RunController::State state = session_.run().state();
  const bool going = state != RunController::State::idle;
  run_->setText(!going                                  ? QString()
                : state == RunController::State::paused ? tr("● Training is paused")
                                                        : tr("● Training"));
  run_->setVisible(going);
  saved_->setText(
      session_.path().isEmpty() ? tr("Not saved yet")
      : session_.readOnly()     ? tr("Read-only")
      : session_.isModified()
          ? tr("Changed since last saved")
          : tr("Saved at %1").arg(QFileInfo(session_.path()).lastModified().toString(QStringLiteral("HH:mm"))));
}

void StatusBar::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), theme().window);
  p.fillRect(0, 0, width(), 1, theme().border1);
}

}  // namespace nw::ui
