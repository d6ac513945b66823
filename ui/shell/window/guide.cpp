// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/guide.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QPushButton>
#include <algorithm>

#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/help/coach_mark.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/main_window.hpp"
#include "ui/shell/window/tour.hpp"

namespace nw::ui {
namespace {

constexpr int poll_interval_ms = 120;

QString say(const char* text) { return QCoreApplication::translate("Guide", text); }

}  // namespace

int Guide::steps() const { return static_cast<int>(tour_->steps.size()); }

Guide::Guide(MainWindow& window, Session& session)
    : QObject(&window), window_(window), session_(session), tour_(&firstNetworkTour) {
  for (const Tour* tour : allTours())
    connect(action(QLatin1String(tour->action)), &QAction::triggered, this, [this, tour] { start(*tour); });
  timer_.setInterval(poll_interval_ms);
  connect(&timer_, &QTimer::timeout, this, &Guide::look);
  window.installEventFilter(this);
}

Guide::~Guide() = default;

void Guide::start() { start(firstNetworkTour); }

void Guide::start(const Tour& tour) {
  stop();
  tour_ = &tour;
  mark_ = new CoachMark(&window_);
  connect(&mark_->onward(), &QPushButton::clicked, this, &Guide::onward);
  connect(&mark_->end(), &QPushButton::clicked, this, &Guide::stop);
  step_ = 0;
  version_ = session_.version();
  edits_ = session_.undoStack().index();
  if (QLatin1String(tour.steps.front().page) == QLatin1String("welcome") && !tour.steps.front().done(now()))
    window_.showPage(QStringLiteral("welcome"));
  timer_.start();
  mark_->show();
  window_.banner().installEventFilter(this);
  makeRoomFor(window_.banner());
  show();
}

void Guide::stop() {
  timer_.stop();
  if (!mark_) return;
  mark_->hide();
  mark_->deleteLater();  // deferred: the call may come from one of the mark's buttons
  mark_ = nullptr;
}

/// Begins the next step, or ends the guide after the last one.
void Guide::show() {
  version_ = session_.version();
  edits_ = session_.undoStack().index();
  if (step_ < steps()) return look();
  timer_.stop();
  mark_->tell(steps() + 1, steps(), say(tour_->endTitle), say(tour_->endSentence),
              say(QT_TRANSLATE_NOOP("Guide", "Done")));
  mark_->end().hide();
  mark_->pointAt({});
}

void Guide::look() {
  if (!mark_ || step_ >= steps()) return;
  const TourStep& step = tour_->steps[std::size_t(step_)];
  const Now now = this->now();
  if (step.done(now)) {
    ++step_;
    return show();
  }
  const bool there = now.isOn(step.page);
  const QRect place = there || step.everywhere ? step.place(now) : QRect();
  const QString onward = place.isEmpty() && !there ? say(QT_TRANSLATE_NOOP("Guide", "Go there"))
                                                   : say(QT_TRANSLATE_NOOP("Guide", "Skip this step"));
  if (mark_->title() != say(step.title) || mark_->onward().text() != onward)
    mark_->tell(step_ + 1, steps(), say(step.title), say(step.sentence), onward);
  if (mark_->place() != place || !mark_->isVisible()) mark_->pointAt(place);
}

Now Guide::now() const { return {window_, session_, version_, edits_}; }

void Guide::onward() {
  if (step_ >= steps()) return stop();
  const TourStep& step = tour_->steps[std::size_t(step_)];
  const Now now = this->now();
  if (!now.isOn(step.page) && !(step.everywhere && !step.place(now).isEmpty())) {
    window_.showPage(QLatin1String(step.page));
    return look();
  }
  if (step.passOver) step.passOver(now);
  ++step_;
  show();
}

/// At once: a notification that appears must not cover the guide's buttons.
void Guide::makeRoomFor(const QWidget& banner) {
  if (mark_) mark_->keepFree(banner.isVisible() ? banner.geometry() : QRect());
}

bool Guide::eventFilter(QObject* object, QEvent* event) {
  if (!mark_) return false;
  const auto is = [&](std::initializer_list<QEvent::Type> types) {
    return std::find(types.begin(), types.end(), event->type()) != types.end();
  };
  if (object != &window_) {  // the notification; it is also told to hide while the window is being destroyed
    if (is({QEvent::Show, QEvent::Hide, QEvent::Move, QEvent::Resize})) makeRoomFor(*static_cast<QWidget*>(object));
  } else if (is({QEvent::Resize})) {
    mark_->pointAt(mark_->place());
    look();
  }
  return false;
}

}  // namespace nw::ui
