// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/submit/jobs_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/session.hpp"
#include "ui/submit/job_followers.hpp"
#include "ui/submit/job_list.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int scan_ms = 1000;
}

JobsPanel::JobsPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("jobs"));
  build();
  regular_.setInterval(scan_ms);
  connect(&regular_, &QTimer::timeout, list_, &JobList::scan);
  connect(list_, &JobList::scanned, this, &JobsPanel::refresh);
  connect(list_, &QTableWidget::itemSelectionChanged, this, &JobsPanel::refresh);
  connect(list_, &QTableWidget::cellActivated, this, &JobsPanel::openChosen);
  connect(empty_, &EmptyState::actionTriggered, this, [] { action(QStringLiteral("submit"))->trigger(); });
  refresh();
}

void JobsPanel::build() {
  list_ = new JobList;
  empty_ = new EmptyState;
  empty_->show(QStringLiteral("external"), tr("Nothing was submitted from here"),
               tr("Networks can train on another computer by ssh, on a Slurm or a Kubernetes cluster, also while this "
                  "window is closed."),
               tr("Run elsewhere…"));
  stack_ = new QStackedWidget;
  stack_->addWidget(empty_);
  stack_->addWidget(list_);
  makePane(*list_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeToolbar());
  column->addWidget(stack_, 1);
}

QPushButton* JobsPanel::button(const char* name, const QString& text, const QString& iconName,
                               void (JobsPanel::*act)()) {
  QPushButton* made = makeButton(text, ButtonKind::neutral, iconName);
  made->setObjectName(QLatin1String(name));
  connect(made, &QPushButton::clicked, this, act);
  return made;
}

QWidget* JobsPanel::makeToolbar() {
  open_ = button("jobOpen", tr("Open the run"), QStringLiteral("page-train"), &JobsPanel::openChosen);
  pause_ = button("jobPause", tr("Pause"), QStringLiteral("pause"), &JobsPanel::pauseChosen);
  goOn_ = button("jobContinue", tr("Continue"), QStringLiteral("play"), &JobsPanel::goOnChosen);
  stop_ = button("jobStop", tr("Stop"), QStringLiteral("stop"), &JobsPanel::stopChosen);
  stop_->setToolTip(tr("Finishes the step and keeps a checkpoint"));
  fetch_ = button("jobFetch", tr("Fetch"), QStringLiteral("download"), &JobsPanel::fetchChosen);
  fetch_->setToolTip(tr("Copies the run with its checkpoints to this computer"));
  cancel_ = button("jobCancel", tr("Cancel"), QStringLiteral("x"), &JobsPanel::cancelChosen);
  cancel_->setToolTip(tr("Ends the job, also one that still waits; one that trains saves a checkpoint"));
  requeue_ = button("jobRequeue", tr("Start again"), QStringLiteral("refresh"), &JobsPanel::requeueChosen);
  requeue_->setToolTip(tr("It goes on from its last checkpoint, where it trained"));
  forget_ = button("jobForget", tr("Forget"), QStringLiteral("trash"), &JobsPanel::forgetChosen);
  forget_->setToolTip(tr("Removes what is here of a job that has ended; its folder there stays"));
  status_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  auto* bar = new QWidget;
  makePane(*bar);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(16, 6, 16, 6);
  auto* line = new WrappingBar;
  for (QWidget* widget : std::initializer_list<QWidget*>{open_, pause_, goOn_, stop_, fetch_, cancel_})
    line->addWidget(widget);
  line->addWidget(status_, true);
  for (QWidget* widget : std::initializer_list<QWidget*>{requeue_, forget_}) line->addWidget(widget);
  row->addWidget(line);
  return bar;
}

void JobsPanel::setWatching(bool on) {
  if (!on) return regular_.stop();
  regular_.start();
  list_->scan();
}

void JobsPanel::refresh() {
  QWidget* const filled = list_;
  stack_->setCurrentWidget(list_->shown().isEmpty() ? static_cast<QWidget*>(empty_) : filled);
  const JobRow* row = list_->chosen();
  const bool over = row && isOver(row->last), trains = row && row->last.state == submit::JobState::running;
  for (QPushButton* b : {open_, fetch_}) b->setEnabled(row);
  for (QPushButton* b : {pause_, goOn_, stop_}) b->setEnabled(trains);
  cancel_->setEnabled(row && !over);
  for (QPushButton* b : {requeue_, forget_}) b->setEnabled(over);
  const auto count =
      std::count_if(list_->shown().begin(), list_->shown().end(), [](const JobRow& r) { return !isOver(r.last); });
  status_->setText(list_->shown().isEmpty() ? QString() : tr("%n not ended", nullptr, static_cast<int>(count)));
}

void JobsPanel::openChosen() {
  if (const JobRow* row = list_->chosen()) Q_EMIT openRun(row->run, QStringLiteral("train"));
}

void JobsPanel::control(const char* word) { command("control", {QLatin1String(word)}, {}, {}); }
void JobsPanel::pauseChosen() { control("pause"); }
void JobsPanel::goOnChosen() { control("continue"); }
void JobsPanel::stopChosen() { control("stop"); }
void JobsPanel::cancelChosen() { command("cancel", {}, tr("The job is being cancelled."), {}); }

void JobsPanel::fetchChosen() {
  const JobRow* row = list_->chosen();
  if (!row) return;
  command("fetch", {}, tr("The run is being fetched."), [this, run = row->run](const QString& job) {
    Q_EMIT session_.message(
        tr("The run of %1 is here with its checkpoints.").arg(job), 0,
        {{tr("Open on Predict"), [this, run] { Q_EMIT openRun(run, QStringLiteral("predict")); }, ValidUntil::closed}});
  });
}

void JobsPanel::requeueChosen() {
  command("requeue", {}, {}, [this](const QString& job) { jobFollowers(session_).follow(job); });
}

void JobsPanel::forgetChosen() {
  const JobRow* row = list_->chosen();
  if (!row) return;
  QMessageBox question(QMessageBox::Question, tr("Forget the job"),
                       tr("Everything here of the job %1 is removed, with its run and what was fetched of it.")
                           .arg(QString::fromStdString(row->job.name)),
                       QMessageBox::NoButton, this);
  const QPushButton* forget = question.addButton(tr("Forget"), QMessageBox::DestructiveRole);
  question.setDefaultButton(question.addButton(QMessageBox::Cancel));
  question.exec();
  if (question.clickedButton() == forget) command("forget", {}, {}, {});
}

void JobsPanel::command(const char* verb, const QStringList& more, const QString& saying,
                        const std::function<void(const QString& job)>& done) {
  const JobRow* row = list_->chosen();
  if (!row) return;
  const QString job = QString::fromStdString(row->job.name);
  auto* process = new CommandProcess(this);
  process->start(
      QStringList{QStringLiteral("jobs"), QLatin1String(verb), job} + more,
      [this, process, done, job](const Json&) {
        process->deleteLater();
        if (done) done(job);
        list_->scan();
      },
      [this, process](const QString& sentence) {
        process->deleteLater();
        if (!sentence.isEmpty()) Q_EMIT session_.message(sentence, 2);
        list_->scan();
      });
  if (saying.isEmpty()) return;
  Q_EMIT session_.message(saying, 0,
                          {{tr("Stop"),
                            [guard = QPointer(process)] {
                              if (guard) guard->stop();
                            },
                            ValidUntil::closed}});
}

}  // namespace nw::ui
