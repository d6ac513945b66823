// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/deploy_page.hpp"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "ui/deploy/deploy_ground.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct DeployTabRow {
  const char *id, *title;
  DeployTab* (*make)(const DeployContext&);
};
const DeployTabRow tab_table[] = {
    {"export", QT_TRANSLATE_NOOP("DeployPage", "Export"), makeExportTab},
    {"compress", QT_TRANSLATE_NOOP("DeployPage", "Compress"), makeCompressTab},
    {"serve", QT_TRANSLATE_NOOP("DeployPage", "Serve"), makeServeTab},
    {"test", QT_TRANSLATE_NOOP("DeployPage", "Test"), makeTestTab},
};

/// The step of "best", "latest" or a checkpoint's name.
qint64 stepOf(const WeightsOfRun* run, const QString& checkpoint) {
  if (run == nullptr) return 0;
  if (checkpoint == QLatin1String("best")) return run->best;
  if (checkpoint == QLatin1String("latest")) return run->latest;
  return checkpoint_step(checkpoint.toStdString()).value_or(0);
}

}  // namespace

Page* makeDeployPage(Session& session) { return new DeployPage(session); }

DeployPage::DeployPage(Session& session)
    : session_(session), tabs_(new QTabBar), parts_(new QStackedWidget), empty_(new EmptyState) {
  setObjectName(QStringLiteral("deploy"));
  status_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHead());
  column->addWidget(parts_, 1);
  auto* backdrop = new DeployGround(&Theme::canvas);
  (new QVBoxLayout(backdrop))->addWidget(empty_);
  stack_ = new QStackedLayout(this);
  stack_->addWidget(backdrop);
  stack_->addWidget(content);
  addTabs();
  empty_->show(QStringLiteral("upload"), tr("Nothing to deploy yet"),
               tr("A trained run leaves here as a file for other programs, with the proof that it computes the same."),
               tr("Go to Train"));
  connect(empty_, &EmptyState::actionTriggered, this, [this] { Q_EMIT goTo(QStringLiteral("train")); });
  connect(&list_, &WeightsList::refreshed, this, &DeployPage::pickRun);
  connect(&list_, &WeightsList::chosen, this, &DeployPage::setWeights);
  const auto again = [this] {
    if (isVisible()) activated();
  };
  connect(&session_.feed(), &RunFeed::statusChanged, this, again);
  connect(&session_.feed(), &RunFeed::reset, this, again);
}

QWidget* DeployPage::makeHead() {
  auto* head = new DeployGround(&Theme::window);
  makePane(*head);
  tabs_->setObjectName(QStringLiteral("deployTabs"));
  tabs_->setAccessibleName(tr("Export and its proofs"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  chooser_ = new ChooserButton(tr("Weights"), head);
  chooser_->setObjectName(QStringLiteral("deployWeights"));
  menu_ = new QMenu(chooser_);
  chooser_->setMenu(menu_);
  connect(menu_, &QMenu::aboutToShow, this, [this] { list_.fill(*menu_, weights_.run, weights_.checkpoint); });
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(8, 4, 12, 5);
  row->addWidget(tabs_);
  row->addStretch(1);
  row->addWidget(chooser_);
  return head;
}

void DeployPage::addTabs() {
  const DeployContext context{session_, list_};
  for (const DeployTabRow& row : tab_table) {
    DeployTab* made = row.make(context);
    tabs_->addTab(QCoreApplication::translate("DeployPage", row.title));
    parts_->addWidget(made);
    connect(made, &DeployTab::openSample, this, &DeployPage::openSample);
    connect(made, &DeployTab::statusChanged, this, [this, made] {
      if (parts_->currentWidget() == made) status_->setText(made->status());
    });
  }
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    parts_->setCurrentIndex(index);
    watchShownTab();
  });
  status_->setText(static_cast<DeployTab*>(parts_->currentWidget())->status());
}

QString DeployPage::shownRun() const {
  const WeightsOfRun* run = list_.find(weights_.run);
  return run ? inOneLine(run->title()) : QFileInfo(weights_.run).fileName();
}

DeployTab* DeployPage::tab(const QString& id) const {
  for (int i = 0; i < static_cast<int>(std::size(tab_table)); ++i)
    if (id == QLatin1String(tab_table[i].id)) return static_cast<DeployTab*>(parts_->widget(i));
  return nullptr;
}

void DeployPage::showTab(const QString& id) {
  if (DeployTab* shown = tab(id)) tabs_->setCurrentIndex(parts_->indexOf(shown));
}

void DeployPage::watchShownTab() {
  for (int i = 0; i < parts_->count(); ++i)
    static_cast<DeployTab*>(parts_->widget(i))->setWatching(active_ && i == tabs_->currentIndex());
  status_->setText(static_cast<DeployTab*>(parts_->currentWidget())->status());
}

void DeployPage::activated() {
  active_ = true;
  list_.refresh(session_.feed().folder().isEmpty() ? session_.run().folder() : session_.feed().folder());
  watchShownTab();
}

void DeployPage::hideEvent(QHideEvent* event) {
  active_ = false;
  watchShownTab();
  Page::hideEvent(event);
}

/// The session's run once it has weights; otherwise what was chosen; otherwise the newest run.
void DeployPage::pickRun() {
  const QString run = session_.feed().folder().isEmpty() ? session_.run().folder() : session_.feed().folder();
  const QString best = QStringLiteral("best");
  if (!run.isEmpty() && run != followed_ && list_.find(run) != nullptr) {
    followed_ = run;
    setWeights(run, best);
  } else if (list_.find(weights_.run) == nullptr) {
    setWeights(list_.runs().empty() ? QString() : list_.runs().front().folder(), best);
  } else {
    setWeights(weights_.run, weights_.checkpoint);  // "best" may be another step now
  }
}

void DeployPage::setWeights(const QString& run, const QString& checkpoint) {
  const bool other = run != weights_.run;
  weights_ = {run, checkpoint, stepOf(list_.find(run), checkpoint)};
  stack_->setCurrentIndex(run.isEmpty() ? 0 : 1);
  chooser_->setValue(run.isEmpty() ? QString() : list_.describe(run, checkpoint, weights_.step));
  for (int i = 0; i < parts_->count(); ++i) static_cast<DeployTab*>(parts_->widget(i))->setWeights(weights_);
  if (other) Q_EMIT shownRunChanged();
}

}  // namespace nw::ui
