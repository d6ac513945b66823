// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/doctor_watch.hpp"

#include <utility>

#include "ui/session/background.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/run_feed.hpp"

namespace nw::ui {

namespace {
struct Examined {
  std::vector<doctor::Finding> findings;
  bool read = false, canBranch = false;
};

Examined examineRun(const fs::path& run, const std::optional<doctor::DataFigures>& figures) {
  auto record = doctor::read_record(run);
  if (!record) return {};
  if (figures) doctor::take_figures(*record, *figures);
  return {doctor::examine(*record), true, record->checkpoint_step >= 0};
}
}  // namespace

DoctorWatch::DoctorWatch(const RunFeed& feed, QObject* parent) : QObject(parent), feed_(feed) {
  connect(&feed, &RunFeed::reset, this, &DoctorWatch::followed);
  for (const auto signal : {&RunFeed::epochArrived, &RunFeed::definitionArrived, &RunFeed::statusChanged})
    connect(&feed, signal, this, &DoctorWatch::examine);
  followed();
}

void DoctorWatch::followed() {
  if (run_ != feed_.folder()) {
    run_ = feed_.folder();
    findings_.clear();
    figures_.reset();
    examined_ = canBranch_ = false;
    delete process_.data();
    Q_EMIT changed();
  }
  examine();
}

/// One reading at a time; what happened meanwhile is read once more.
void DoctorWatch::examine() {
  if (run_.isEmpty() || !feed_.definition()) return;
  if (busy_) return void(again_ = true);
  busy_ = true;
  inBackground(
      this, [run = fs::path(run_.toStdString()), figures = figures_] { return examineRun(run, figures); },
      [this, run = run_](const Examined& done) {
        busy_ = false;
        if (done.read && run == run_) take(done.findings, done.canBranch);
        if (std::exchange(again_, false) || run != run_) examine();
      },
      [this] { busy_ = false; });
}

void DoctorWatch::take(std::vector<doctor::Finding> findings, bool canBranch) {
  findings_ = std::move(findings);
  canBranch_ = canBranch;
  examined_ = true;
  Q_EMIT changed();
}

void DoctorWatch::compareImages() {
  if (process_ || run_.isEmpty()) return;
  process_ = new CommandProcess(this);
  const auto done = [this, run = run_](const QString& sentence) {
    if (process_) process_->deleteLater();
    process_.clear();
    if (!sentence.isEmpty()) Q_EMIT problem(sentence);
    Q_EMIT changed();
    if (run == run_) examine();
  };
  process_->start(
      {QStringLiteral("doctor"), run_},
      [this, done](const Json& answer) {
        doctor::DataFigures figures;
        if (const auto at = answer.find("figures"); at != answer.end() && at->is_object()) {
          figures.validation = integerAt(*at, "validation");
          figures.shared = integerAt(*at, "shared");
          figures.image_bytes = integerAt(*at, "image_bytes");
          figures.most_common = numberAt(*at, "most_common");
          figures_ = figures;
        }
        done(figures_ ? QString() : tr("The images could not be compared: the run's data are not here."));
      },
      [done](const QString& sentence) { done(sentence); });
  Q_EMIT changed();
}

}  // namespace nw::ui
