// SPDX-License-Identifier: GPL-3.0-or-later
// "Branch from here…": which checkpoint a new run begins with, what it changes, and what becomes of the weights, before
// anything is started. The run itself is `netwright-cli branch`. GUI thread.
#pragma once
#include <QDialog>
#include <QVector>
#include <memory>

#include "engine/train/branch.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/train/run_checkpoints.hpp"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QTimer;

namespace nw::ui {

class BranchFields;
class Session;
class SeverityLabel;

class BranchDialog : public QDialog {
  Q_OBJECT
 public:
  /// `run`: its folder; `step`: the checkpoint chosen at first, -1: the newest.
  BranchDialog(Session& session, const QString& run, std::int64_t step, QWidget* parent = nullptr);
  /// Proposes another value of a setting: "learning_rate".
  void propose(const QString& setting, double value);
  /// What was chosen.
  BranchRequest request() const;
  /// The sentences about weights and exactness are those of the present choice.
  bool isCurrent() const { return planned_ && !planning_; }
  const Branch* planned() const { return planned_.get(); }

 private:
  struct Outcome {
    std::shared_ptr<const Branch> branch;  // null: refused
    QString problem;
  };
  QWidget* makeForm();
  QWidget* makeOutcome();
  void takeCheckpoints(const QVector<RunCheckpoint>& all, std::int64_t step);
  void listDevices();
  void planSoon();
  void plan(bool base);
  void takeBase(const Branch& branch);
  void take(const Outcome& outcome);
  void showWeights(const Branch& branch);
  std::optional<GraphDoc> project() const;
  static Outcome outcomeOf(const BranchPlan& plan);

  Session& session_;
  QString run_;
  QVector<RunCheckpoint> checkpoints_;
  std::shared_ptr<const Branch> base_, planned_;  // without changes; as chosen
  QVector<std::pair<QString, double>> proposed_;
  QTimer* soon_;
  int generation_ = 0;
  bool planning_ = true;
  QComboBox *from_, *network_, *data_, *devices_;
  BranchFields* fields_;
  QLabel *facts_, *weightsText_;
  QListWidget* weights_;
  SeverityLabel* exact_;
  QPushButton* start_;
};

/// Opens the dialog and starts what was chosen. False: nothing was started.
bool branchFrom(Session& session, const QString& run, std::int64_t step, QWidget* parent,
                const QVector<std::pair<QString, double>>& proposed = {});

}  // namespace nw::ui
