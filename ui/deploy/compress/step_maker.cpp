// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/step_maker.hpp"

#include <QFileInfo>
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "engine/runs/run_folder.hpp"
#include "ui/deploy/compress/compress_state.hpp"
#include "ui/session/background.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int most_tries = 20;

/// The process that was ended may still have written a file.
bool removeFolder(const QString& folder) {
  std::error_code error;
  for (int i = 0; i < most_tries && !folder.isEmpty() && fs::exists(folder.toStdString(), error); ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fs::remove_all(folder.toStdString(), error);
  }
  return true;
}

}  // namespace

StepMaker::StepMaker(QObject* parent) : QObject(parent) {
  connect(&chain_, &CommandChain::line, this, [this](const QString& stage, const Json& line) {
    if (stage == QLatin1String("train") && line.contains("epoch"))
      fraction_ = std::clamp(numberAt(line, "epoch") / std::max(1, plan_.epochs), 0.0, 1.0);
    if (stage != QLatin1String("train")) fraction_ = -1;
    Q_EMIT progressed();
  });
  connect(&chain_, &CommandChain::finished, this,
          [this](const std::vector<Json>& answers) { finish(answers.empty() ? Json::object() : answers.back()); });
  connect(&chain_, &CommandChain::failed, this, &StepMaker::giveUp);
}

StepMaker::~StepMaker() {
  chain_.disconnect(this);
  chain_.stop();
  removeFolder(to_);
}

void StepMaker::start(const StepStart& from, const CompressPlan& plan, QVector<const StepKind*> kinds) {
  if (on_ || kinds.isEmpty()) return;
  from_ = from;
  plan_ = plan;
  kinds_ = std::move(kinds);
  on_ = true;
  nextStep();
}

void StepMaker::nextStep() {
  const fs::path beside = fs::path(from_.original.toStdString()).parent_path();
  inBackground(
      this, [beside, name = from_.project.toStdString()] { return reserve_run_folder(beside, name); },
      [this, turn = ++turn_](Result<fs::path> folder) {
        if (turn != turn_ || !on_) {
          std::error_code ignored;
          if (folder) fs::remove(*folder, ignored);  // it is empty
          return;
        }
        if (!folder) return giveUp(translated(folder.error().what));
        run(QString::fromStdString(folder->string()));
      });
}

void StepMaker::run(const QString& to) {
  to_ = to;
  fraction_ = -1;
  QVector<StepCommand> commands = kinds_.front()->commands(plan_, {from_.run, from_.checkpoint, to, from_.project});
  commands.push_back(
      {QStringLiteral("measure"),
       {QStringLiteral("changed-predictions"), from_.original, to, QStringLiteral("--checkpoint-before"),
        from_.originalCheckpoint, QStringLiteral("--seconds"), QStringLiteral("0.2"), QStringLiteral("--from-files")}});
  chain_.start(commands);
  Q_EMIT progressed();
}

void StepMaker::finish(const Json& result) {
  CompressionRecord record{.run = to_,
                           .parent = QFileInfo(from_.run).fileName(),
                           .original = QFileInfo(from_.original).fileName(),
                           .kind = QLatin1String(kinds_.front()->id),
                           .plan = plan_,
                           .result = result,
                           .draft = true};
  const auto work = [record]() -> Result<CompressionRecord> {
    const CompressionRecord whole = withCosts(record);
    NW_TRY(saveCompression(whole));
    NW_TRY(markDraft(whole.run.toStdString()));
    return whole;
  };
  inBackground(this, work, [this, turn = ++turn_](Result<CompressionRecord> saved) {
    if (turn != turn_ || !on_) return;
    if (!saved) return giveUp(translated(saved.error().what));
    to_.clear();
    kinds_.pop_front();
    from_.run = saved->run;
    from_.checkpoint = QStringLiteral("best");
    on_ = !kinds_.isEmpty();
    Q_EMIT made(*saved, !on_);
    if (on_) nextStep();
  });
}

void StepMaker::stop() {
  if (!on_) return;
  if (chain_.isOn()) return chain_.stop();
  giveUp({});
}

void StepMaker::giveUp(const QString& sentence) {
  ++turn_;
  on_ = false;
  inBackground(
      this, [to = std::exchange(to_, {})] { return removeFolder(to); }, [](bool) {});
  Q_EMIT failed(sentence);
}

}  // namespace nw::ui
