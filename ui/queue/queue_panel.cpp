// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_panel.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/queue/autostart.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/queue/queue_list.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {

constexpr int regular_ms = 1000;

bool isOver(const queue::Item& item) {
  return !item.runs && (item.state == queue::ItemState::finished || item.state == queue::ItemState::stopped ||
                        item.state == queue::ItemState::failed);
}

bool canPause(const queue::Item& item) { return item.state == queue::ItemState::waiting; }

}  // namespace

QueuePanel::QueuePanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("queue"));
  build();
  regular_.setInterval(regular_ms);
  connect(&regular_, &QTimer::timeout, this, &QueuePanel::scan);
  connect(list_, &QueueList::scanned, this, &QueuePanel::refresh);
  connect(list_, &QTableWidget::itemSelectionChanged, this, &QueuePanel::refresh);
  connect(list_, &QTableWidget::cellActivated, this, &QueuePanel::openChosen);
  connect(empty_, &EmptyState::actionTriggered, this, &QueuePanel::addOpenProject);
  refresh();
}

void QueuePanel::build() {
  list_ = new QueueList;
  empty_ = new EmptyState;
  empty_->show(QStringLiteral("list"), tr("Nothing waits"),
               tr("A queue trains one network after another on devices as they become free, also while this window is "
                  "closed."),
               tr("Add this network"));
  problem_ = new EmptyState;
  stack_ = new QStackedWidget;
  for (QWidget* w : std::initializer_list<QWidget*>{empty_, list_, problem_}) stack_->addWidget(w);
  makePane(*list_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeToolbar());
  column->addWidget(stack_, 1);
}

QPushButton* QueuePanel::button(const char* name, const QString& text, const QString& iconName,
                                void (QueuePanel::*act)()) {
  QPushButton* made = makeButton(text, ButtonKind::neutral, iconName);
  made->setObjectName(QLatin1String(name));
  connect(made, &QPushButton::clicked, this, act);
  return made;
}

QWidget* QueuePanel::makeToolbar() {
  QPushButton* add = button("queueAdd", tr("Add this network"), QStringLiteral("plus"), &QueuePanel::addOpenProject);
  add->setToolTip(tr("Train the open network, as it is now, once its turn comes"));
  up_ = button("queueUp", tr("Earlier"), QStringLiteral("arrow-up"), &QueuePanel::moveUp);
  down_ = button("queueDown", tr("Later"), QStringLiteral("arrow-down"), &QueuePanel::moveDown);
  pause_ = button("queuePause", tr("Pause"), QStringLiteral("pause"), &QueuePanel::pauseOrContinue);
  remove_ = button("queueRemove", tr("Remove"), QStringLiteral("trash"), &QueuePanel::removeChosen);
  remove_->setToolTip(tr("Takes it out of the queue; one that runs stops with a checkpoint. Its run is kept."));
  open_ = button("queueOpen", tr("Open the run"), QStringLiteral("page-train"), &QueuePanel::openChosen);
  whole_ = button("queueWhole", tr("Pause the queue"), QStringLiteral("pause"), &QueuePanel::pauseOrContinueQueue);
  whole_->setToolTip(tr("Starts nothing more; what runs goes on"));
  autostart_ = new QCheckBox(tr("Go on after a restart of the computer"));
  autostart_->setObjectName(QStringLiteral("queueAutostart"));
  autostart_->setToolTip(tr("At the next login, the queue goes on with what was interrupted"));
  autostart_->setChecked(queue::starts_at_login());
  connect(autostart_, &QCheckBox::clicked, this, [this](bool on) {
    command({QStringLiteral("autostart"), on ? QStringLiteral("on") : QStringLiteral("off")});
  });
  status_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  auto* bar = new QWidget;
  makePane(*bar);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(16, 6, 16, 6);
  auto* line = new WrappingBar;
  for (QWidget* widget : std::initializer_list<QWidget*>{add, up_, down_, pause_, remove_, open_})
    line->addWidget(widget);
  line->addWidget(status_, true);
  for (QWidget* widget : std::initializer_list<QWidget*>{autostart_, whole_}) line->addWidget(widget);
  row->addWidget(line);
  return bar;
}

void QueuePanel::setWatching(bool on) {
  if (!on) return regular_.stop();
  regular_.start();
  scan();
}

void QueuePanel::scan() { list_->scan(queue::queue_folder()); }

void QueuePanel::refresh() {
  const QueueSnapshot& shown = list_->shown();
  const bool broken = !shown.problem.isEmpty();
  if (broken) problem_->show(QStringLiteral("alert-circle"), tr("The queue cannot be shown"), shown.problem);
  QWidget* filled = list_;
  stack_->setCurrentWidget(broken ? problem_ : shown.rows.isEmpty() ? static_cast<QWidget*>(empty_) : filled);
  const QueueRow* row = list_->chosen();
  const int at = list_->currentRow(), count = static_cast<int>(shown.rows.size());
  const auto waits = [&](int i) {
    return i >= 0 && i < count && !shown.rows[i].item.runs && !isOver(shown.rows[i].item);
  };
  up_->setEnabled(row && waits(at) && waits(at - 1));
  down_->setEnabled(row && waits(at) && waits(at + 1));
  pause_->setEnabled(row && row->item.state != queue::ItemState::finished);
  const bool pauses = !row || canPause(row->item);
  pause_->setText(pauses ? tr("Pause") : tr("Continue"));
  pause_->setIcon(icon(pauses ? QStringLiteral("pause") : QStringLiteral("play")));
  remove_->setEnabled(row);
  open_->setEnabled(row && !row->item.run.empty());
  whole_->setText(shown.paused ? tr("Start the queue") : tr("Pause the queue"));
  whole_->setIcon(icon(shown.paused ? QStringLiteral("play") : QStringLiteral("pause")));
  const auto number = [&](auto is) {
    return static_cast<int>(
        std::count_if(shown.rows.begin(), shown.rows.end(), [&](const QueueRow& r) { return is(r.item); }));
  };
  const int running = number([](const queue::Item& item) { return item.runs; });
  const int waiting = number([](const queue::Item& item) { return !item.runs && canPause(item); });
  QString words = tr("%n running", nullptr, running) + QStringLiteral(", ") + tr("%n waiting", nullptr, waiting);
  if (shown.paused) words += QStringLiteral("; ") + tr("the queue is paused");
  status_->setText(shown.rows.isEmpty() ? QString() : words);
}

void QueuePanel::addOpenProject() {
  if (session_.doc().graph().nodes.empty())
    return void(Q_EMIT session_.message(tr("Open a project first: the queue trains it."), 1));
  if (session_.analysis().count(Severity::error) > 0)
    return void(Q_EMIT session_.message(tr("The network has problems. Solve them before training."), 2));
  const QString name = runNameOf(session_.displayName());
  const auto doc = away_from(session_.doc(), fs::path(session_.path().toStdString()).parent_path());
  const auto folder = doc ? reserve_run_folder(state_folder() / "starting", name.toStdString()) : doc.error();
  const fs::path file = folder ? *folder / (name.toStdString() + ".netwright") : fs::path();
  const Status saved = folder ? ProjectFile::save(*doc, file) : folder.error();
  if (!saved) return void(Q_EMIT session_.message(translated(saved.error().what), 2));
  command({QStringLiteral("add"), QStringLiteral("--name"), name, QStringLiteral("train"),
           QString::fromStdString(file.string())},
          [this, place = *folder] {
            std::error_code ignored;
            fs::remove_all(place, ignored);  // the queue has its own copy
            Q_EMIT session_.message(tr("Added to the queue."), 0);
          });
}

void QueuePanel::moveTo(int place) {
  const QueueRow* row = list_->chosen();
  const auto& rows = list_->shown().rows;
  if (!row || place < 0) return;
  QStringList words{QStringLiteral("move"), QString::number(row->item.number)};
  if (place < rows.size() && !isOver(rows[place].item))
    words << QStringLiteral("--before") << QString::number(rows[place].item.number);
  else
    words << QStringLiteral("--last");
  command(words);
}

void QueuePanel::moveUp() { moveTo(list_->currentRow() - 1); }
void QueuePanel::moveDown() { moveTo(list_->currentRow() + 2); }

void QueuePanel::pauseOrContinue() {
  const QueueRow* row = list_->chosen();
  if (!row) return;
  command(
      {canPause(row->item) ? QStringLiteral("pause") : QStringLiteral("continue"), QString::number(row->item.number)});
}

void QueuePanel::removeChosen() {
  if (const QueueRow* row = list_->chosen()) command({QStringLiteral("remove"), QString::number(row->item.number)});
}

void QueuePanel::pauseOrContinueQueue() {
  command({list_->shown().paused ? QStringLiteral("continue") : QStringLiteral("pause")});
}

void QueuePanel::openChosen() {
  const QueueRow* row = list_->chosen();
  if (row && !row->item.run.empty()) Q_EMIT openRun(QString::fromStdString(row->item.run), QStringLiteral("train"));
}

void QueuePanel::command(const QStringList& words, const std::function<void()>& done) {
  auto* process = new CommandProcess(this);
  process->start(
      QStringList{QStringLiteral("queue")} + words,
      [this, process, done](const Json&) {
        process->deleteLater();
        if (done) done();
        scan();
      },
      [this, process](const QString& sentence) {
        process->deleteLater();
        if (!sentence.isEmpty()) Q_EMIT session_.message(sentence, 2);
        autostart_->setChecked(queue::starts_at_login());
        scan();
      });
}

}  // namespace nw::ui
