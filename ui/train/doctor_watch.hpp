// SPDX-License-Identifier: GPL-3.0-or-later
// Examines the followed run with the training doctor after each epoch and at its end. The run's folder is read on
// another thread; what only the images tell is measured by `netwright-cli doctor`, when it is asked for.
#pragma once
#include <QObject>
#include <QPointer>
#include <optional>
#include <vector>

#include "engine/doctor/examine.hpp"

namespace nw::ui {

class CommandProcess;
class RunFeed;

class DoctorWatch : public QObject {
  Q_OBJECT
 public:
  explicit DoctorWatch(const RunFeed& feed, QObject* parent = nullptr);
  const std::vector<doctor::Finding>& findings() const { return findings_; }
  /// Of the followed run: it has been examined at least once.
  bool examined() const { return examined_; }
  bool canBranch() const { return canBranch_; }  // there is a checkpoint
  bool imagesCompared() const { return figures_.has_value(); }
  bool comparing() const { return !process_.isNull(); }
  /// Starts the process that compares validation images with training images.
  void compareImages();

 Q_SIGNALS:
  void changed();
  void problem(const QString& sentence);

 private:
  void followed();
  void examine();
  void take(std::vector<doctor::Finding> findings, bool canBranch);
  const RunFeed& feed_;
  QString run_;
  std::vector<doctor::Finding> findings_;
  std::optional<doctor::DataFigures> figures_;
  QPointer<CommandProcess> process_;
  bool examined_ = false, canBranch_ = false, busy_ = false, again_ = false;
};

}  // namespace nw::ui
