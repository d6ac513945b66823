// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page's groups and pinned runs, kept for the next start.
#include <QActionGroup>
#include <QMenu>
#include <QPushButton>
#include <QSettings>

#include "ui/runs/run_details.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/runs/runs_view.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
const char *const groupingKey = "runs/grouping", *const collapsedKey = "runs/collapsed", *const pinsKey = "runs/pins";
constexpr int most_collapsed_kept = 1000;
}  // namespace

QPushButton* RunsPage::makeGroupsButton() {
  groups_ = makeButton(tr("Groups"), ButtonKind::neutral, QStringLiteral("layers"));
  groups_->setObjectName(QStringLiteral("runsGroups"));
  groups_->setToolTip(tr("Runs of the same value under a header, with the best and the mean of the chart's quantity"));
  connect(groups_, &QPushButton::clicked, this,
          [this] { openGroups(groups_->mapToGlobal(groups_->rect().bottomLeft())); });
  const QSettings kept;
  filter_->setPins(kept.value(QLatin1String(pinsKey)).toStringList());
  filter_->setGrouping(kept.value(QLatin1String(groupingKey)).toString());
  filter_->setCollapsed(kept.value(QLatin1String(collapsedKey)).toStringList());
  sayGroups();
  connect(filter_, &RunFilter::arranged, this, &RunsPage::keepArrangement);
  return groups_;
}

void RunsPage::keepArrangement() {
  QSettings settings;
  settings.setValue(QLatin1String(pinsKey), filter_->pins());
  settings.setValue(QLatin1String(groupingKey), filter_->grouping());
  scanner_->setTrials(filter_->grouping() == QLatin1String(study_grouping));
  settings.setValue(QLatin1String(collapsedKey), filter_->collapsed().mid(0, most_collapsed_kept));
  sayGroups();
}

void RunsPage::sayGroups() {
  const auto grouping = groupingOf(filter_->grouping());
  groups_->setText(grouping ? tr("Groups: %1").arg(QString(grouping->title).replace(u'&', QStringLiteral("&&")))
                            : tr("Groups"));
  groups_->updateGeometry();
}

void RunsPage::openGroups(const QPoint& at) {
  QMenu menu(this);
  auto* one = new QActionGroup(&menu);
  const auto add = [&](QMenu& to, const RunGrouping& g) {
    QAction* action = to.addAction(QString(g.title).replace(u'&', QStringLiteral("&&")), this,
                                   [this, id = g.id] { filter_->setGrouping(id); });
    action->setCheckable(true);
    action->setChecked(g.id == filter_->grouping());
    one->addAction(action);
  };
  add(menu, {{}, tr("No groups"), {}, {}});
  menu.addSeparator();
  for (const RunGrouping& g : usualGroupings()) add(menu, g);
  QMenu* columns = menu.addMenu(tr("Another column"));
  for (const RunGrouping& g : columnGroupings()) add(*columns, g);
  QMenu* settings = menu.addMenu(tr("A setting that differs"));
  for (const RunGrouping& g : settingGroupings(*model_)) add(*settings, g);
  settings->setEnabled(!settings->isEmpty());
  menu.addSeparator();
  for (const bool close : {true, false})
    menu.addAction(close ? tr("Collapse all groups") : tr("Expand all groups"), this,
                   [this, close] { filter_->setAllCollapsed(close); })
        ->setEnabled(!filter_->groups().isEmpty());
  menu.exec(at);
}

void RunsPage::toggleGroup(const QModelIndex& header) {
  if (const RunGroup* group = filter_->groupAt(header)) filter_->setOpen(header, !group->open);
}

/// On a group's header: Space and Return open or close it, Right opens it, Left closes it.
bool RunsPage::takeGroupKey(int key) {
  const QModelIndex at = table_->currentIndex();
  if (!filter_->groupAt(at)) return false;
  if (key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter) return toggleGroup(at), true;
  if (key == Qt::Key_Left || key == Qt::Key_Right) return filter_->setOpen(at, key == Qt::Key_Right), true;
  return key == Qt::Key_F2 || key == Qt::Key_Delete;
}

/// The selected runs are all pinned, or none of them is any more.
void RunsPage::togglePins() {
  const QStringList runs = selectedRuns();
  bool all = true, room = true;
  for (const QString& run : runs) all = all && filter_->isPinned(run);
  for (const QString& run : runs) room = filter_->setPinned(run, !all) && room;
  table_->scrollTo(table_->currentIndex());
  if (!room) Q_EMIT session_.message(tr("At most %1 runs are pinned. Unpin one first.").arg(RunFilter::most_pins), 1);
}

}  // namespace nw::ui
