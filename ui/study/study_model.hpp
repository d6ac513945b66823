// SPDX-License-Identifier: GPL-3.0-or-later
// What the views of a study share: its snapshot, the chosen trial, and the ranges that are brushed on axes. GUI thread.
#pragma once
#include <QMap>
#include <QObject>
#include <optional>

#include "ui/charts/chart_scale.hpp"
#include "ui/study/study_snapshot.hpp"

namespace nw::ui {

class StudyModel : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  const StudySnapshot* data() const { return data_.get(); }
  /// To be held while events are processed: reading the journal replaces data().
  StudyData shared() const { return data_; }
  void setData(const StudyData& data);
  void clear();

  qint64 current() const { return current_; }  // -1: none
  const search::Trial* currentTrial() const;
  void setCurrent(qint64 trial);

  /// Places 0…1 on the axis with this key; nullopt: all. Until the first brush the best trials are selected.
  void setBrush(int axis, std::optional<Range> places);
  void clearBrushes();
  const QMap<int, Range>& brushes() const { return brushes_; }
  bool isUsual() const { return usual_; }
  bool isSelected(qint64 trial) const { return trial < selected_.size() && selected_[trial]; }
  int selectedCount() const { return static_cast<int>(selected_.count(true)); }

 Q_SIGNALS:
  void changed();        // the snapshot
  void trialsChanged();  // other trials, or other values: with changed(), before it
  void currentChanged();
  void brushChanged();
  void opened(qint64 trial);  // a trial is to be opened

 public:
  void open(qint64 trial) { Q_EMIT opened(trial); }

 private:
  void select();
  void brushTheBest();
  StudyData data_;
  qint64 current_ = -1;
  QMap<int, Range> brushes_;
  QVector<bool> selected_;
  bool usual_ = true;
};

}  // namespace nw::ui
