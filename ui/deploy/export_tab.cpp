// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/export_tab.hpp"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/deploy/deploy_ground.hpp"
#include "ui/deploy/export_card.hpp"
#include "ui/deploy/export_grid.hpp"
#include "ui/deploy/proof_panel.hpp"
#include "ui/page/page.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int clock_ms = 250, panel_width = 344;

}  // namespace

DeployTab* makeExportTab(const DeployContext& context) { return new ExportTab(context); }

ExportTab::ExportTab(const DeployContext& context, QWidget* parent)
    : DeployTab(parent), context_(context), jobs_(new ExportJobs(this)), grid_(new ExportGrid), panel_(new ProofPanel) {
  setObjectName(QStringLiteral("exportTab"));
  panel_->setFixedWidth(panel_width);
  auto* left = new QVBoxLayout;
  left->setSpacing(0);
  left->addWidget(makeHead());
  left->addWidget(grid_, 1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addLayout(left, 1);
  row->addWidget(panel_);
  makePane(*grid_);
  makePane(*panel_);
  addCards();
  connectJobs();
  clock_.setInterval(clock_ms);
  connect(&clock_, &QTimer::timeout, this, &ExportTab::refresh);
  connect(panel_, &ProofPanel::checkRequested, this, &ExportTab::check);
  connect(panel_, &ProofPanel::stopRequested, this, &ExportTab::stop);
  const auto on = [this](const char* id, auto act) {
    connect(action(QLatin1String(id)), &QAction::triggered, this, [this, act] {
      if (isVisible()) act();
    });
  };
  on("deploy-export", [this] { exportNow(chosen_); });
  on("deploy-prove", [this] { check(chosen_); });
  on("deploy-prove-all", [this] { checkAll(); });
  choose(QLatin1String(networkFormats().front().id));
}

QWidget* ExportTab::makeHead() {
  auto* head = new DeployGround(&Theme::window);
  count_ = makeLabel({}, 1, static_cast<int>(TextRole::node));
  count_->setObjectName(QStringLiteral("provedCount"));
  others_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  all_ = makeButton(tr("Prove all again"), ButtonKind::neutral, QStringLiteral("refresh"));
  all_->setObjectName(QStringLiteral("proveAll"));
  connect(all_, &QPushButton::clicked, this, &ExportTab::checkAll);
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  words->addWidget(count_);
  words->addWidget(others_);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(16, 8, 16, 8);
  row->addLayout(words, 1);
  row->addWidget(all_);
  return head;
}

void ExportTab::addCards() {
  for (const NetworkFormat& format : networkFormats()) {
    auto* card = new ExportCard(format);
    rows_.push_back({.item = {.format = &format}, .card = card});
    grid_->addCard(card);
    connect(card, &ExportCard::chosen, this, &ExportTab::choose);
    connect(card, &ExportCard::exportRequested, this, &ExportTab::exportNow);
    connect(card, &ExportCard::stopRequested, this, &ExportTab::stop);
    connect(card, &ExportCard::checkRequested, this, &ExportTab::check);
    connect(card, &ExportCard::showRequested, this, &ExportTab::showFile);
  }
}

void ExportTab::connectJobs() {
  connect(jobs_, &ExportJobs::ended, this, [this](const QString& format, const ExportRecord& record) {
    if (Row* of = row(format)) of->item = {.format = of->item.format, .record = record};
    Q_EMIT context_.session.message(
        tr("Exported to %1.").arg(inOneLine(QFileInfo(record.file).fileName())) + u' ' + proofText(record.proof), 0,
        fileActions(record.file).mid(1));
    refresh();
  });
  connect(jobs_, &ExportJobs::failed, this, [this](const QString& format, const QString& sentence) {
    if (Row* of = row(format)) of->item.failure = sentence;
    nextCheck();
    refresh();
  });
  connect(jobs_, &ExportJobs::checked, this, &ExportTab::takeChecked);
}

ExportTab::Row* ExportTab::row(const QString& format) {
  const auto found = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const Row& r) { return format == QLatin1String(r.item.format->id); });
  return found == rows_.end() ? nullptr : &*found;
}

ExportCard* ExportTab::card(const QString& format) const {
  for (const Row& r : rows_)
    if (format == QLatin1String(r.item.format->id)) return r.card;
  return nullptr;
}

void ExportTab::choose(const QString& format) {
  chosen_ = format;
  refresh();
}

void ExportTab::setWeights(const DeployWeights& weights) {
  const bool otherRun = weights.run != weights_.run;
  if (otherRun) {
    jobs_->stopAll();
    waiting_.clear();
    for (Row& r : rows_) r.item = {.format = r.item.format};
  }
  weights_ = weights;
  if (otherRun) readRecords();
  refresh();
}

/// Watching: files that were changed by others meanwhile are told.
void ExportTab::setWatching(bool on) {
  if (on) readRecords();
}

void ExportTab::readRecords() {
  if (weights_.run.isEmpty()) return;
  inBackground(
      this, [run = weights_.run.toStdString()] { return readExports(run); },
      [this, turn = ++reading_](const QVector<ExportRecord>& records) {
        if (turn == reading_) takeRecords(records);
      });
}

void ExportTab::takeRecords(const QVector<ExportRecord>& records) {
  for (const ExportRecord& record : records)
    if (Row* of = row(record.format); of && !jobs_->isBusy(record.format)) of->item.record = record;
  refresh();
  findChanges(records);
}

void ExportTab::findChanges(const QVector<ExportRecord>& records) {
  const auto work = [records] {
    QVector<QPair<QString, QStringList>> all;
    for (const ExportRecord& record : records) all.push_back({record.format, changedFiles(record)});
    return all;
  };
  inBackground(this, work, [this, turn = reading_](const QVector<QPair<QString, QStringList>>& all) {
    if (turn != reading_) return;
    for (const auto& [format, changed] : all)
      if (Row* of = row(format); of && !jobs_->isBusy(format)) of->item.changed = changed;
    refresh();
  });
}

void ExportTab::takeChecked(const QString& format, const QStringList& changed, const QString& sentence) {
  if (Row* of = row(format)) {
    of->item.changed = changed;
    of->item.failure.clear();
    of->item.checked = !sentence.isEmpty() ? sentence
                       : changed.isEmpty() ? tr("Every file is as it was proved.")
                                           : QString();
  }
  nextCheck();
  refresh();
}

void ExportTab::exportNow(const QString& format) {
  Row* of = row(format);
  if (!of || weights_.run.isEmpty()) return;
  choose(format);
  QString file = of->item.record ? of->item.record->file : QString();
  if (file.isEmpty()) file = askForFile(*of->item.format, weights_.run, *this);
  if (file.isEmpty()) return;
  if (const QString beside = weightsInTheWay(*of->item.format, file); !beside.isEmpty())
    return void(Q_EMIT context_.session.message(
        tr("%1 exists already; choose another name.").arg(inOneLine(QFileInfo(beside).fileName())), 2));
  of->item.failure.clear();
  of->item.checked.clear();
  jobs_->start(*of->item.format, file, weights_);
  refresh();
}

void ExportTab::check(const QString& format) {
  Row* of = row(format);
  if (!of || !of->item.record || jobs_->isBusy(format)) return;
  ++checks_;
  of->item.failure.clear();
  of->item.checked.clear();
  of->item.checking = true;
  jobs_->check(*of->item.format, *of->item.record, weights_.run);
  refresh();
}

void ExportTab::checkAll() {
  waiting_.clear();
  for (const Row& r : rows_)
    if (r.item.record) waiting_ << QLatin1String(r.item.format->id);
  nextCheck();
}

/// One after another: each computes with all of the processor.
void ExportTab::nextCheck() {
  while (!waiting_.isEmpty()) {
    const QString format = waiting_.takeFirst();
    if (jobs_->isBusy(format)) continue;
    return check(format);
  }
}

void ExportTab::stop(const QString& format) {
  waiting_.clear();
  jobs_->stop(format);
  refresh();
}

void ExportTab::showFile(const QString& format) {
  if (const Row* of = row(format); of && of->item.record)
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(of->item.record->file).absolutePath()));
}

void ExportTab::refresh() {
  bool any = false;
  for (Row& r : rows_) {
    const QString id = QLatin1String(r.item.format->id);
    const bool busy = jobs_->isBusy(id);
    r.item.running = busy && !r.item.checking;
    r.item.checking = busy && r.item.checking;
    r.item.elapsed = jobs_->elapsed(id);
    r.item.expected = r.item.running && r.item.record ? r.item.record->seconds() : 0;
    r.item.stage = jobs_->stage(id);
    any = any || busy;
    const ExportState state = stateOf(r.item, weights_.step);
    r.card->setItem(r.item, state);
    r.card->setChosen(id == chosen_);
    if (id == chosen_)
      panel_->setItem(r.item, state, context_.weights.describe(weights_.run, weights_.checkpoint, weights_.step));
  }
  if (any != clock_.isActive()) any ? clock_.start() : clock_.stop();
  refreshSummary();
}

void ExportTab::refreshSummary() {
  std::map<ExportState, int> of;
  for (const Row& r : rows_) ++of[r.card->state()];
  count_->setText(tr("%1 of %2 proved").arg(of[ExportState::proved]).arg(rows_.size()));
  QStringList rest;
  for (const ExportState state :
       {ExportState::running, ExportState::checking, ExportState::not_run, ExportState::out_of_date,
        ExportState::changed, ExportState::failed, ExportState::none})
    if (of[state] > 0) rest << QStringLiteral("%1: %2").arg(stateText(state).text).arg(of[state]);
  others_->setText(rest.join(QStringLiteral(" · ")));
  all_->setEnabled(std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.item.record.has_value(); }));
  Q_EMIT statusChanged();
}

QString ExportTab::status() const { return tr("No export is called proved before it was run"); }

}  // namespace nw::ui
