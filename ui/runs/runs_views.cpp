// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page's saved views and computed columns.
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include "ui/runs/computed_columns.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/runs/runs_view.hpp"
#include "ui/runs/saved_views.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

QPushButton* RunsPage::makeViewsButton() {
  QPushButton* views = makeButton(tr("Views"), ButtonKind::neutral, QStringLiteral("layout"));
  views->setObjectName(QStringLiteral("runsViews"));
  views->setToolTip(tr("Saved filters, columns, orders and curves"));
  connect(views, &QPushButton::clicked, this,
          [this, views] { openViews(views->mapToGlobal(views->rect().bottomLeft())); });
  return views;
}

void RunsPage::openViews(const QPoint& at) {
  QMenu menu(this);
  const QVector<RunView> views = savedViews();
  for (const RunView& v : views)
    menu.addAction(QString(v.name).replace(u'&', QStringLiteral("&&")), this, [this, v] { showView(v); });
  if (!views.isEmpty()) menu.addSeparator();
  menu.addAction(tr("Save this view…"), this, &RunsPage::nameView);
  QMenu* remove = menu.addMenu(tr("Remove a view"));
  remove->setEnabled(!views.isEmpty());
  for (const RunView& v : views)
    remove->addAction(QString(v.name).replace(u'&', QStringLiteral("&&")), this, [name = v.name] { removeView(name); });
  menu.exec(at);
}

RunView RunsPage::viewNow(const QString& name) const {
  return {.name = name,
          .words = search_->text(),
          .status = statuses_->current(),
          .tree = filter_->isTree(),
          .table = columns_->state(),
          .metric = QLatin1String(chart_->metric().id),
          .axis = QLatin1String(chart_->axis().id),
          .charted = model_->chosen(),
          .grouping = filter_->grouping(),
          .collapsed = filter_->collapsed(),
          .pinned = filter_->pins()};
}

/// Runs that are no longer there are left out.
void RunsPage::showView(const RunView& view) {
  search_->setText(view.words);
  statuses_->setCurrent(view.status);
  findChild<QPushButton*>(QStringLiteral("runsTree"))->setChecked(view.tree);
  columns_->apply(view.table);
  columns_->save();
  for (const QString& run : model_->chosen())
    if (!view.charted.contains(run)) model_->setChosen(run, false);
  for (const QString& run : view.charted) model_->setChosen(run, true);
  filter_->setGrouping(view.grouping);
  filter_->setCollapsed(view.collapsed);
  filter_->setPins(view.pinned);
  chart_->setMetric(view.metric);
  chart_->setAxis(view.axis);
}

void RunsPage::nameView() {
  bool wanted = false;
  const QString name = QInputDialog::getText(this, tr("Save this view"), tr("Name"), QLineEdit::Normal, {}, &wanted);
  if (!wanted || name.simplified().isEmpty()) return;
  if (!saveView(viewNow(name.simplified().left(60))))
    Q_EMIT session_.message(tr("There are %1 saved views. Remove one first.").arg(most_views), 1);
}

/// The table is built anew: its columns are others. Order and widths stay with their columns.
void RunsPage::changeColumns(const QVector<ComputedColumn>& computed) {
  const TableState before = columns_->state();
  const QStringList selected = selectedRuns();
  saveComputedColumns(computed);
  columns_->keepQuiet([&] { model_->takeComputedColumns(); });
  columns_->apply(before);
  columns_->save();
  if (!groupingOf(filter_->grouping())) filter_->setGrouping({});
  if (const int row = selected.isEmpty() ? -1 : model_->find(selected.front()); row >= 0)
    table_->selectRow(filter_->mapFromSource(model_->index(row, 0)).row());
}

void RunsPage::addComputed() {
  ComputedDialog dialog([this](std::string_view name) { return model_->hasSetting(name); }, this);
  if (dialog.exec() != QDialog::Accepted) return;
  QVector<ComputedColumn> columns = computedColumns();
  columns.removeIf([&](const ComputedColumn& c) { return c.expression == dialog.column().expression; });
  if (columns.size() >= most_computed)
    return void(Q_EMIT session_.message(tr("There are %1 computed columns. Remove one first.").arg(most_computed), 1));
  columns.append(dialog.column());
  changeColumns(columns);
}

void RunsPage::fillColumnsMenu(QMenu& menu, int at) {
  if (const auto grouping = at < 0 ? std::nullopt : groupingOf(QStringLiteral("column/") + runColumns()[at].key()))
    menu.addAction(icon(QStringLiteral("layers")), tr("Group by this column"), this,
                   [this, id = grouping->id] { filter_->setGrouping(id); });
  menu.addSeparator();
  menu.addAction(tr("Add a computed column…"), this, &RunsPage::addComputed);
  QMenu* remove = menu.addMenu(tr("Remove a computed column"));
  const QVector<ComputedColumn> columns = computedColumns();
  remove->setEnabled(!columns.isEmpty());
  for (const ComputedColumn& c : columns)
    remove->addAction(QString(c.name).replace(u'&', QStringLiteral("&&")), this, [this, c] {
      QVector<ComputedColumn> left = computedColumns();
      left.removeOne(c);
      changeColumns(left);
    });
}

}  // namespace nw::ui
