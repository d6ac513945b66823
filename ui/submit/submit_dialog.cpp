// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/submit/submit_dialog.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>

#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/submit/submission.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/submit/step_list.hpp"
#include "ui/submit/submit_form.hpp"
#include "ui/submit/written_view.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int bar_steps = 1000;
constexpr QSize first_size(1080, 660);

QString freeName(const QString& project) {
  return QString::fromStdString(submit::free_name(runNameOf(project).toStdString()));
}

bool isTaken(const std::string& name) {
  std::error_code ignored;
  return fs::exists(submit::jobs_folder() / name / "job.json", ignored);
}

}  // namespace

SubmitDialog::SubmitDialog(Session& session, const QString& data, QWidget* parent)
    : QDialog(parent), session_(session), form_(new SubmitForm(freeName(session.displayName()), data)) {
  setObjectName(QStringLiteral("submitDialog"));
  setWindowTitle(tr("Run %1 elsewhere").arg(session.displayName()));
  resize(first_size);
  build();
  connect(form_, &SubmitForm::changed, this, &SubmitDialog::refresh);
  refresh();
}

SubmitDialog::~SubmitDialog() {
  std::error_code ignored;
  if (!snapshot_.empty()) fs::remove_all(snapshot_.parent_path(), ignored);  // the job has its own copy
}

void SubmitDialog::build() {
  check_ = makeButton(tr("Check"), ButtonKind::neutral, QStringLiteral("search"));
  check_->setObjectName(QStringLiteral("submitCheck"));
  check_->setToolTip(tr("Checks the place and the data there; copies and starts nothing"));
  submit_ = makeButton(tr("Submit"), ButtonKind::primary, QStringLiteral("play"));
  submit_->setObjectName(QStringLiteral("submitStart"));
  submit_->setDefault(true);
  stop_ = makeButton(tr("Stop"), ButtonKind::neutral, QStringLiteral("stop"));
  stop_->setObjectName(QStringLiteral("submitStop"));
  auto* close = makeButton(tr("Close"), ButtonKind::ghost);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(close);
  buttons->addStretch(1);
  for (QWidget* button : {stop_, check_, submit_}) buttons->addWidget(button);
  auto* sides = new QHBoxLayout;
  sides->setSpacing(space::l);
  sides->addWidget(form_, 5);
  sides->addWidget(makeOutcome(), 6);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addLayout(sides, 1);
  column->addLayout(buttons);
  connect(check_, &QPushButton::clicked, this, [this] { run(true); });
  connect(submit_, &QPushButton::clicked, this, [this] { run(false); });
  connect(stop_, &QPushButton::clicked, this, [this] { process_->stop(); });
  connect(close, &QPushButton::clicked, this, &SubmitDialog::reject);
  showRunning(false);
}

QWidget* SubmitDialog::makeOutcome() {
  written_ = new WrittenView;
  steps_ = new StepList;
  bar_ = new QProgressBar;
  bar_->setTextVisible(false);
  bar_->setFixedHeight(6);
  bar_->setRange(0, bar_steps);
  bar_->setAccessibleName(tr("Progress of the copy"));
  problem_ = new SeverityLabel(SeverityLabel::Tone::error);
  problem_->setObjectName(QStringLiteral("submitProblem"));
  auto* settings = makeElidedLabel(settingsText(), 2, static_cast<int>(TextRole::secondary));
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::s);
  column->addWidget(settings);
  column->addWidget(written_, 1);
  column->addWidget(steps_);
  column->addWidget(bar_);
  column->addWidget(problem_);
  connect(written_, &WrittenView::saveFailed, problem_, &SeverityLabel::say);
  return side;
}

/// The training's options as they are set in the project.
QString SubmitDialog::settingsText() const {
  const TrainSettings& s = session_.doc().settings();
  return tr("%n epoch(s)", nullptr, static_cast<int>(s.epochs)) + QStringLiteral(" · ") + tr("batch %1").arg(s.batch) +
         QStringLiteral(" · ") + QString::fromStdString(s.optimizer.name()) + QStringLiteral(" · ") +
         tr("learning rate %1").arg(s.learning_rate);
}

QString SubmitDialog::problem() const { return problem_->sentence(); }

/// The files, or why there are none: beside the field, or below the checks where no field is to blame.
void SubmitDialog::refresh() {
  if (process_) return;
  steps_->clearSteps();
  const submit::Job job = form_->job();
  const auto files = submit::written_files(job);
  const bool taken = files && isTaken(job.name);
  valid_ = files && !taken;
  const QString sentence = taken   ? tr("There is a job of this name already.")
                           : files ? QString()
                                   : translated(files.error().what);
  const QString field = taken   ? QStringLiteral("name")
                        : files ? QString()
                                : QString::fromStdString(submit::field_of(files.error()));
  problem_->say(form_->say(field, sentence) ? QString() : sentence);
  written_->show(files ? *files : std::vector<submit::WrittenFile>());
  showRunning(false);
}

Result<fs::path> SubmitDialog::saveProject() {
  if (!snapshot_.empty()) return snapshot_;
  const std::string name = runNameOf(session_.displayName()).toStdString();
  NW_ASSIGN(const GraphDoc doc, away_from(session_.doc(), fs::path(session_.path().toStdString()).parent_path()));
  NW_ASSIGN(const fs::path folder, reserve_run_folder(state_folder() / "starting", name));
  NW_TRY(ProjectFile::save(doc, folder / (name + ".netwright")));
  snapshot_ = folder / (name + ".netwright");
  return snapshot_;
}

void SubmitDialog::run(bool checkOnly) {
  if (process_ || !valid_) return;
  const auto project = saveProject();
  if (!project) return fail(translated(project.error().what));
  steps_->clearSteps();
  problem_->say({});
  form_->save();
  process_ = new CommandProcess(this);
  process_->onLine([this](const Json& line) { take(line); });
  QStringList words{QStringLiteral("submit"), QString::fromStdString(project->string())};
  if (checkOnly) words << QStringLiteral("--check-only");
  words << QStringLiteral("--json") << form_->arguments();
  showRunning(true);
  process_->startAsIs(
      words, [this](const Json& answer) { finish(answer); }, [this](const QString& sentence) { fail(sentence); });
}

void SubmitDialog::take(const Json& line) {
  steps_->take(line);
  bar_->setVisible(steps_->copied() >= 0);
  bar_->setValue(static_cast<int>(steps_->copied() * bar_steps));
}

void SubmitDialog::finish(const Json& answer) {
  process_->deleteLater();
  process_ = nullptr;
  showRunning(false);
  if (textAt(answer, "type") != QLatin1String("submitted")) return;
  job_ = textAt(answer, "job");
  accept();
}

void SubmitDialog::fail(const QString& sentence) {
  if (process_) process_->deleteLater();
  process_ = nullptr;
  steps_->fail();
  problem_->say(sentence.isEmpty() ? tr("Stopped. What was copied stays there; Submit goes on with it.") : sentence);
  showRunning(false);
}

void SubmitDialog::showRunning(bool running) {
  form_->setEnabled(!running);
  check_->setEnabled(!running && valid_);
  submit_->setEnabled(!running && valid_);
  stop_->setVisible(running);
  if (running) stop_->setFocus();
  bar_->setVisible(running && steps_->copied() >= 0);
}

void SubmitDialog::reject() {
  if (process_) return process_->stop();
  QDialog::reject();
}

QString submitElsewhere(Session& session, const QString& data, QWidget* parent) {
  SubmitDialog dialog(session, data, parent);
  return dialog.exec() == QDialog::Accepted ? dialog.job() : QString();
}

}  // namespace nw::ui
