// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the runs of a plan, one a step, and measures each beside the original. What was begun and not finished is
// removed. GUI thread.
#pragma once
#include "ui/deploy/compress/step_kind.hpp"
#include "ui/deploy/compress/step_record.hpp"
#include "ui/session/command_chain.hpp"

namespace nw::ui {

/// Where the steps begin.
struct StepStart {
  QString run, checkpoint;               // the shown run's weights
  QString original, originalCheckpoint;  // folder; what the results are compared with
  QString project;                       // for the names of the new folders
};

class StepMaker : public QObject {
  Q_OBJECT
 public:
  explicit StepMaker(QObject* parent = nullptr);
  ~StepMaker() override;
  void start(const StepStart& from, const CompressPlan& plan, QVector<const StepKind*> kinds);
  void stop();
  bool isOn() const { return on_; }
  QString stage() const { return chain_.stage(); }
  double seconds() const { return chain_.seconds(); }
  /// Of the training, 0…1; negative: not known.
  double fraction() const { return fraction_; }

 Q_SIGNALS:
  void progressed();
  /// A step's run is there, measured; the last one ends the work.
  void made(const nw::ui::CompressionRecord& record, bool last);
  /// Without a sentence it was stopped.
  void failed(const QString& sentence);

 private:
  void nextStep();
  void run(const QString& to);
  void finish(const Json& result);
  void giveUp(const QString& sentence);
  CommandChain chain_;
  StepStart from_;
  CompressPlan plan_;
  QVector<const StepKind*> kinds_;
  QString to_;
  double fraction_ = -1;
  bool on_ = false;
  quint64 turn_ = 0;
};

}  // namespace nw::ui
