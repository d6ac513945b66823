// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the Compress tab: made, undone, gone to, kept.
#include <QInputDialog>

#include "ui/deploy/compress/compress_tab.hpp"
#include "ui/deploy/compress/plan_panel.hpp"
#include "ui/deploy/compress/step_strip.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

void CompressTab::apply() {
  if (maker_.isOn() || state_.chain.empty() || !state_.locked.isEmpty()) return;
  QVector<const StepKind*> kinds;
  const CompressPlan plan = plan_->plan();
  for (const StepKind& kind : stepKinds())
    if (kind.last ? plan_->int8() : !plan.removed.isEmpty()) kinds.push_back(&kind);
  if (kinds.isEmpty()) return;
  measuring_.cancel();
  inBackground(
      this,
      [undone = undone_] {
        for (const QString& run : undone) removeDraft(run.toStdString());
        return true;
      },
      [](bool) {});
  undone_.clear();
  maker_.start({weights_.run, checkpointName(), state_.chain.front().run, QStringLiteral("best"), state_.project}, plan,
               kinds);
  clock_.start();
  showProgress();
}

void CompressTab::undo() {
  if (maker_.isOn() || state_.chain.size() < 2) return;
  undone_ << weights_.run;
  const QString before = state_.chain[state_.chain.size() - 2].run;
  moving_ = true;
  goTo(before);
  moving_ = false;
}

void CompressTab::redo() {
  if (maker_.isOn() || undone_.isEmpty()) return;
  const QString after = undone_.takeLast();
  moving_ = true;
  goTo(after);
  moving_ = false;
}

void CompressTab::goTo(const QString& run) {
  if (run == weights_.run || maker_.isOn()) return;
  if (context_.weights.find(run)) return void(Q_EMIT context_.weights.chosen(run, QStringLiteral("best")));
  report(tr("The run is not there any more."));
}

void CompressTab::askToKeep() {
  if (state_.chain.empty() || !state_.chain.back().draft) return;
  QStringList steps{state_.project};
  for (std::size_t i = 1; i < state_.chain.size(); ++i) steps << titleOf(state_.chain[i]);
  bool yes = false;
  const QString name = QInputDialog::getText(this, tr("Keep as run"), tr("Name of the run"), QLineEdit::Normal,
                                             steps.join(QStringLiteral(", ")).left(100), &yes);
  if (yes) keep(name.trimmed());
}

/// With the drafts that it was made of.
void CompressTab::keep(const QString& name) {
  QStringList drafts;
  for (const CompressionRecord& r : state_.chain)
    if (r.draft) drafts << r.run;
  const auto work = [drafts, name, last = weights_.run]() -> Status {
    for (const QString& run : drafts) NW_TRY(keepRun(run.toStdString(), run == last ? name : QString()));
    return {};
  };
  inBackground(this, work, [this, name](const Status& kept) {
    if (!kept) return report(translated(kept.error().what));
    for (CompressionRecord& r : state_.chain) r.draft = false;
    strip_->setChain(state_.chain, !undone_.isEmpty());
    context_.weights.refresh(weights_.run);
    Q_EMIT context_.session.message(tr("Kept as %1.").arg(inOneLine(name)), 0);
  });
}

}  // namespace nw::ui
