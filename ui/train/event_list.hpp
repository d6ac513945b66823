// SPDX-License-Identifier: GPL-3.0-or-later
// A run's events, newest first: one entry with icon, sentence, detail and time of day for each event. GUI thread.
#pragma once
#include <QAbstractListModel>
#include <QListView>
#include <QString>
#include <QVector>
#include <vector>

#include "engine/runs/events.hpp"

namespace nw::ui {

struct EventRow {
  QString icon, tone;  // tone: "", "ok", "warn", "error", "best"
  QString title, detail;
  double time = 0;  // Unix seconds
  bool operator==(const EventRow&) const = default;
};

/// Entries of a log, oldest first, from its last `most` events.
QVector<EventRow> eventEntries(const std::vector<Event>& log, std::size_t most = 500);
/// "Healthy", or how many warnings there are in the whole log, or that it failed, with the tone of a pill.
QString healthText(const std::vector<Event>& log, QString* tone);

/// The same with long paths shortened in their middle: "/home/…/model.safetensors".
QString withShortPaths(const QString& sentence);

class HealthPill;

class EventModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  void setEntries(QVector<EventRow> oldestFirst);
  const EventRow& entry(int row) const { return entries_[entries_.size() - 1 - row]; }
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
  }
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  QVector<EventRow> entries_;
};

/// The card "Events".
class EventList : public QWidget {
  Q_OBJECT
 public:
  explicit EventList(QWidget* parent = nullptr);
  void setLog(const std::vector<Event>& log);
  EventModel& model() { return *model_; }
  /// What the pill says; empty: there is none yet.
  const QString& health() const { return health_; }
  /// How many findings the training doctor has; they take the place of "Healthy" and of warnings.
  void setFindings(int count);
  HealthPill& pill() { return *pill_; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  void showHealth();
  EventModel* model_;
  HealthPill* pill_;
  QListView* view_;
  QString health_, healthSeverity_;
  int findings_ = 0;
};

}  // namespace nw::ui
