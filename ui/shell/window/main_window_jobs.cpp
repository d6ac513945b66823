// SPDX-License-Identifier: GPL-3.0-or-later
// Trainings that are submitted to other computers, in the window.
#include "ui/data/data_opener.hpp"
#include "ui/page/actions.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/main_window.hpp"
#include "ui/submit/job_followers.hpp"
#include "ui/submit/submit_dialog.hpp"
#include "ui/widgets/typed_text.hpp"

namespace nw::ui {

void MainWindow::connectJobs() {
  connect(action(QStringLiteral("submit")), &QAction::triggered, this, &MainWindow::submitOpenProject);
  connect(&jobFollowers(work_.session), &JobFollowers::began, this, &MainWindow::jobBegan);
  connect(&work_.session.run(), &RunController::jobToResume, this, &MainWindow::requeueJob);
}

void MainWindow::submitOpenProject() {
  finishTyping(*this);
  if (work_.session.doc().graph().nodes.empty())
    return void(Q_EMIT work_.session.message(tr("Open a project first: it is what trains elsewhere."), 1));
  if (work_.session.analysis().count(Severity::error) > 0) {
    showPage(QStringLiteral("design"));
    return action(QStringLiteral("next-problem"))->trigger();
  }
  const QString job = submitElsewhere(work_.session, dataOpener(work_.session).info().place, this);
  if (job.isEmpty()) return;
  JobFollowers& followers = jobFollowers(work_.session);
  followers.follow(job);
  openRun(followers.runOf(job), QStringLiteral("train"));
  banner_->say(tr("%1 was submitted. It goes on when this window closes; Runs, Elsewhere lists it.").arg(job), 0);
}

/// A run that is shown is controlled from now on; another one is offered.
void MainWindow::jobBegan(const QString& folder) {
  RunController& run = work_.session.run();
  const QString shown = work_.session.feed().folder();
  if (run.state() != RunController::State::idle) return;
  if (shown.isEmpty() || shown == folder) return run.attach(folder);
  banner_->say(tr("A run is training"), 0,
               {{tr("Show"), [this, folder] { openRun(folder, QStringLiteral("train")); }, ValidUntil::run_ends}});
}

void MainWindow::requeueJob(const QString& record) {
  auto* const process = new CommandProcess(this);
  process->start(
      {QStringLiteral("jobs"), QStringLiteral("requeue"), record},
      [this, process, record](const Json&) {
        process->deleteLater();
        jobFollowers(work_.session).follow(record.section(u'/', -1));
      },
      [this, process](const QString& sentence) {
        process->deleteLater();
        if (!sentence.isEmpty()) Q_EMIT work_.session.message(sentence, 2);
      });
}

}  // namespace nw::ui
