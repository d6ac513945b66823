// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_list.hpp"

#include <QCoreApplication>
#include <QHeaderView>
#include <algorithm>
#include <cmath>

#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

namespace {

constexpr int columns = 6;

QString progressOf(const queue::Item& item) {
  const QString message = inOneLine(QString::fromStdString(item.message));
  const auto run = item.run.empty() ? fail(Errc::other, "") : summarize_run(item.run);
  if (!run || run->epochs < 1) return message;
  QString words = QueueList::tr("Epoch %1 of %2").arg(run->epochs_done).arg(run->epochs);
  if (std::isfinite(run->best_accuracy)) words += QueueList::tr(", best %1 %").arg(run->best_accuracy * 100, 0, 'f', 2);
  return message.isEmpty() ? words : message;
}

/// As `queue list` orders them: what runs, what waits, what ended.
std::vector<const queue::Item*> ordered(const queue::Queue& q) {
  std::vector<const queue::Item*> items;
  for (const std::int64_t n : q.order()) items.push_back(q.find(n));
  for (const queue::Item& item : q.items()) {
    const bool listed = std::find(items.begin(), items.end(), &item) != items.end();
    if (!listed && item.state != queue::ItemState::removed) items.push_back(&item);
  }
  std::stable_partition(items.begin(), items.end(), [](const queue::Item* item) { return item->runs; });
  return items;
}

QueueSnapshot read(const fs::path& folder) {
  QueueSnapshot s;
  s.process = FileLock::is_held(folder / queue::daemon_lock);
  const auto q = queue::read_queue(folder);
  if (!q) {
    s.problem = translated(q.error().what);
    return s;
  }
  s.paused = q->paused();
  for (const queue::Item* item : ordered(*q)) s.rows.append({*item, progressOf(*item)});
  return s;
}

}  // namespace

QString queueStateText(const queue::Item& item) {
  if (item.runs) return item.state == queue::ItemState::waiting ? QueueList::tr("Running") : QueueList::tr("Stopping");
  switch (item.state) {
    case queue::ItemState::waiting:
      return QueueList::tr("Waiting");
    case queue::ItemState::paused:
      return QueueList::tr("Paused");
    case queue::ItemState::finished:
      return QueueList::tr("Finished");
    case queue::ItemState::stopped:
      return QueueList::tr("Stopped");
    case queue::ItemState::failed:
      return QueueList::tr("Failed");
    case queue::ItemState::removed:
      break;
  }
  return {};
}

QueueList::QueueList(QWidget* parent) : QTableWidget(0, columns, parent) {
  setObjectName(QStringLiteral("queueList"));
  setAccessibleName(tr("Queue"));
  setHorizontalHeaderLabels({tr("Item"), tr("Network"), tr("State"), tr("Priority"), tr("Devices"), tr("Progress")});
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(34);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
  for (const auto& [column, width] : {std::pair(0, 64), {1, 240}, {2, 110}, {3, 90}, {4, 160}})
    setColumnWidth(column, width);
}

void QueueList::scan(const fs::path& folder) {
  if (busy_) {
    again_ = true;
    return;
  }
  busy_ = true;
  inBackground(
      this, [folder] { return read(folder); },
      [this, folder](const QueueSnapshot& snapshot) {
        busy_ = false;
        take(snapshot);
        if (std::exchange(again_, false)) scan(folder);
      },
      [this] { busy_ = false; });
}

void QueueList::take(const QueueSnapshot& snapshot) {
  const std::int64_t before = chosen() ? chosen()->item.number : 0;
  shown_ = snapshot;
  setRowCount(static_cast<int>(shown_.rows.size()));
  for (int i = 0; i < rowCount(); ++i) {
    const queue::Item& item = shown_.rows[i].item;
    const QString devices = QString::fromStdString(item.uses.empty() ? queue::to_text(item.device)
                                                                     : queue::to_text(queue::DeviceRule{item.uses, 0}));
    const QString texts[columns] = {QString::number(item.number),
                                    inOneLine(QString::fromStdString(item.name)),
                                    queueStateText(item),
                                    QString::number(item.priority),
                                    devices,
                                    shown_.rows[i].progress};
    for (int column = 0; column < columns; ++column) {
      auto* cell = new QTableWidgetItem(texts[column]);
      cell->setToolTip(texts[column]);
      setItem(i, column, cell);
    }
    if (item.number == before || (before == 0 && i == 0)) selectRow(i);
  }
  Q_EMIT scanned();
}

const QueueRow* QueueList::chosen() const {
  const int row = currentRow();
  return row >= 0 && row < shown_.rows.size() ? &shown_.rows[row] : nullptr;
}

}  // namespace nw::ui
