// SPDX-License-Identifier: GPL-3.0-or-later
// What the buttons of the Train page and of its notifications do.
#include <unistd.h>

#include <QDesktopServices>
#include <QDir>
#include <QUrl>
#include <algorithm>

#include "engine/runs/contained.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/train/train_page.hpp"

namespace nw::ui {

void TrainPage::startTraining() { session_.run().start(); }

bool TrainPage::isActive() const {
  return session_.run().state() != RunController::State::idle && session_.run().folder() == feed_.folder();
}

/// Training can resume: a checkpoint was reported, or the controller found one.
bool TrainPage::canResume() const {
  if (session_.run().state() != RunController::State::idle) return false;
  if (failedFolder_ == feed_.folder() && !failure_.isEmpty()) return failedCanResume_;
  return std::any_of(feed_.log().begin(), feed_.log().end(),
                     [](const Event& e) { return std::holds_alternative<Saved>(e.what); });
}

void TrainPage::act(const QString& id) {
  if (id == QLatin1String("resume"))
    session_.run().resume(feed_.folder());
  else if (id == QLatin1String("try-again"))
    session_.run().unpause();
  else if (id == QLatin1String("resume-cpu"))
    session_.run().resume(feed_.folder(), QStringLiteral("cpu"));
  else if (id == QLatin1String("lower-rate"))
    branchWithLowerRate();
  else if (id == QLatin1String("predict"))
    Q_EMIT openRun(feed_.folder(), QStringLiteral("predict"));
  else if (id == QLatin1String("adapt"))
    Q_EMIT adaptRun(feed_.folder());
  else if (id == QLatin1String("log"))
    showLog();
  else if (id == QLatin1String("show-active"))
    session_.feed().follow(session_.run().folder());
}

/// After numbers that are not finite: from the newest checkpoint, with a tenth of the rate that was set last.
void TrainPage::branchWithLowerRate() {
  if (!feed_.definition()) return;
  double rate = feed_.definition()->doc.settings().learning_rate;
  for (const Event& event : feed_.log())
    if (const auto* knob = std::get_if<Knob>(&event.what); knob && knob->name == "learning_rate" && !knob->scheduled)
      rate = knob->value;
  session_.run().branch(
      {.parent = feed_.folder(), .settings = {QStringLiteral("learning_rate=%1").arg(rate / 10, 0, 'g', 6)}});
}

/// Hands the log to the desktop's viewer, unless a received folder has something else under its name.
void TrainPage::showLog() {
  const auto opened = open_inside(feed_.folder().toStdString(), "log.txt");
  if (!opened) {
    Q_EMIT session_.message(translated(opened.error().what), 2);
    return;
  }
  ::close(*opened);
  QDesktopServices::openUrl(QUrl::fromLocalFile(QDir(feed_.folder()).filePath(QStringLiteral("log.txt"))));
}

}  // namespace nw::ui
