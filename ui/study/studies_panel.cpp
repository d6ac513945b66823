// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/studies_panel.hpp"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "engine/runs/run_folder.hpp"
#include "engine/search/study_control.hpp"
#include "kernels/printable.hpp"
#include "ui/session/session.hpp"
#include "ui/study/report_export.hpp"
#include "ui/study/search_dialog.hpp"
#include "ui/study/study_list.hpp"
#include "ui/study/study_starter.hpp"
#include "ui/study/study_strip.hpp"
#include "ui/study/study_view.hpp"
#include "ui/study/trial_panel.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int list_regular_ms = 2000, repeats = 5;
}

StudiesPanel::StudiesPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), starter_(new StudyStarter(session, this)) {
  setObjectName(QStringLiteral("studies"));
  build();
  regular_.setInterval(list_regular_ms);
  connect(&regular_, &QTimer::timeout, this, &StudiesPanel::scan);
  connect(list_, &StudyList::scanned, this, &StudiesPanel::refresh);
  connect(list_, &StudyList::opened, this, [this](const QString& folder) {
    if (!folder.isEmpty()) openStudy(folder.toStdString());
  });
  connect(starter_, &StudyStarter::started, this, [this](const QString& folder) { openStudy(folder.toStdString()); });
  connect(starter_, &StudyStarter::ended, this, [this](const QString& folder) {
    const bool shown = stack_->currentWidget() == view_ && view_->folder() == fs::path(folder.toStdString());
    shown && !search::holds_study(view_->folder()) ? showAll() : scan();
  });
  connect(&view_->strip(), &StudyStrip::stop, this, [this] { starter_->stop(view_->model().data()->folder); });
  connect(&view_->strip(), &StudyStrip::hold, this, [this](bool on) {
    if (const Status asked = search::control_study(view_->model().data()->folder, on); !asked)
      Q_EMIT session_.message(translated(asked.error().what), 1);
  });
  connect(&view_->strip(), &StudyStrip::goOn, this, &StudiesPanel::goOn);
  connect(view_, &StudyView::problemFound, this, &StudiesPanel::showProblem);
  connect(&view_->model(), &StudyModel::changed, this, [this] {
    if (view_->model().data() && stack_->currentWidget() == problem_) stack_->setCurrentWidget(view_);
  });
  connect(&view_->model(), &StudyModel::opened, this, [this](qint64 trial) {
    if (trial >= 0) Q_EMIT openRun(runOfTrial(trial), QStringLiteral("train"));
  });
  connect(&view_->panel(), &TrialPanel::openRun, &view_->model(), &StudyModel::open);
  connect(&view_->panel(), &TrialPanel::openNetwork, this,
          [this](qint64 trial) { Q_EMIT openRunProject(runOfTrial(trial)); });
  connect(&view_->panel(), &TrialPanel::repeatBest, this, [this] {
    const StudySnapshot& study = *view_->model().data();
    starter_->goOn(study, study.wanted, repeats);
  });
}

void StudiesPanel::build() {
  list_ = new StudyList;
  view_ = new StudyView;
  empty_ = new EmptyState;
  empty_->show(QStringLiteral("search"), tr("No studies yet"),
               tr("A study tries many settings of the open project and finds the best ones."),
               tr("Search for settings…"));
  problem_ = new EmptyState;
  connect(empty_, &EmptyState::actionTriggered, this, &StudiesPanel::newSearch);
  connect(problem_, &EmptyState::actionTriggered, this, &StudiesPanel::showAll);
  stack_ = new QStackedWidget;
  for (QWidget* w : std::initializer_list<QWidget*>{empty_, list_, view_, problem_}) stack_->addWidget(w);
  makePane(*list_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeToolbar());
  column->addWidget(stack_, 1);
}

QWidget* StudiesPanel::makeToolbar() {
  auto* bar = new QWidget;
  makePane(*bar);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(16, 6, 16, 6);
  all_ = makeButton(tr("All studies"), ButtonKind::ghost, QStringLiteral("chevron-left"));
  all_->setObjectName(QStringLiteral("allStudies"));
  place_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  auto* open = makeButton(tr("Open a study…"), ButtonKind::neutral, QStringLiteral("folder"));
  auto* start = makeButton(tr("Search for settings…"), ButtonKind::tonal, QStringLiteral("plus"));
  start->setObjectName(QStringLiteral("newSearch"));
  row->addWidget(all_);
  row->addWidget(place_, 1);
  report_ = makeButton(tr("Report…"), ButtonKind::neutral, QStringLiteral("file"));
  report_->setObjectName(QStringLiteral("studyReport"));
  connect(report_, &QPushButton::clicked, this, [this] { saveReport(session_, view_->folder(), this); });
  row->addWidget(report_);
  row->addWidget(open);
  row->addWidget(start);
  connect(all_, &QPushButton::clicked, this, &StudiesPanel::showAll);
  connect(open, &QPushButton::clicked, this, &StudiesPanel::chooseFolder);
  connect(start, &QPushButton::clicked, this, &StudiesPanel::newSearch);
  return bar;
}

void StudiesPanel::setWatching(bool on) {
  watching_ = on;
  view_->setWatching(on && stack_->currentWidget() == view_);
  if (!on) return regular_.stop();
  regular_.start();
  scan();
}

void StudiesPanel::scan() { list_->scan(runs_folder()); }

int StudiesPanel::count() const { return static_cast<int>(list_->rows().size()); }

void StudiesPanel::refresh() {
  const bool open = stack_->currentWidget() == view_ || stack_->currentWidget() == problem_;
  if (!open) stack_->setCurrentWidget(count() > 0 ? static_cast<QWidget*>(list_) : empty_);
  all_->setVisible(open);
  report_->setVisible(stack_->currentWidget() == view_);
  Q_EMIT counted();
}

void StudiesPanel::openStudy(const fs::path& folder) {
  view_->follow(folder);
  stack_->setCurrentWidget(view_);
  view_->setWatching(watching_);
  place_->setText(QString::fromStdString(printable(folder.string())));
  refresh();
}

void StudiesPanel::showAll() {
  view_->setWatching(false);
  stack_->setCurrentWidget(count() > 0 ? static_cast<QWidget*>(list_) : empty_);
  place_->setText({});
  refresh();
  scan();
}

void StudiesPanel::showProblem(const QString& sentence) {
  // A study that was just started has no journal yet.
  const fs::path folder = view_->folder();
  if (!search::holds_study(folder) && starter_->isStarted(folder)) return;
  const QWidget* open = stack_->currentWidget();
  if (open != view_ && open != problem_) return;  // left meanwhile: showing it would leave its button below the list
  problem_->show(QStringLiteral("alert-circle"), tr("This study cannot be shown"), sentence, tr("All studies"));
  stack_->setCurrentWidget(problem_);
}

void StudiesPanel::chooseFolder() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Open a study"), QString::fromStdString(runs_folder().string()));
  if (!folder.isEmpty()) openStudy(folder.toStdString());
}

void StudiesPanel::newSearch() {
  if (session_.doc().graph().nodes.empty())
    return void(Q_EMIT session_.message(tr("Open a project first: a search tries its settings."), 1));
  if (session_.analysis().count(Severity::error) > 0)
    return void(Q_EMIT session_.message(tr("The network has problems. Solve them before searching."), 2));
  SearchDialog dialog(session_, window());
  if (dialog.exec() == QDialog::Accepted) starter_->start(dialog.order());
}

void StudiesPanel::goOn() {
  const StudyData study = view_->model().shared();
  bool chosen = false;
  const int trials = QInputDialog::getInt(
      this, tr("Continue the study"), tr("Number of trials in all"), static_cast<int>(study->wanted),
      static_cast<int>(std::max<qint64>(1, static_cast<qint64>(study->trials.size()))), 1'000'000, 1, &chosen);
  if (chosen) starter_->goOn(*study, trials);
}

QString StudiesPanel::runOfTrial(qint64 trial) const {
  const StudySnapshot& study = *view_->model().data();
  return QString::fromStdString((study.folder / search::run_of(trial)).string());
}

}  // namespace nw::ui
