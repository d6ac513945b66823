// SPDX-License-Identifier: GPL-3.0-or-later
// "Run elsewhere…": where the open project is trained, what would be written there, the checks, and the submission by
// `netwright-cli submit` in a process of its own. GUI thread.
#pragma once
#include <QDialog>

#include "engine/core/files.hpp"
#include "ui/session/command_process.hpp"

class QLabel;
class QProgressBar;
class QPushButton;

namespace nw::ui {

class Session;
class SeverityLabel;
class StepList;
class SubmitForm;
class WrittenView;

class SubmitDialog : public QDialog {
  Q_OBJECT
 public:
  /// `data`: the place of the project's data set on this computer; empty: it needs none.
  SubmitDialog(Session& session, const QString& data, QWidget* parent = nullptr);
  ~SubmitDialog() override;
  SubmitForm& form() { return *form_; }
  StepList& steps() { return *steps_; }
  /// The name of the job, once it was submitted.
  QString job() const { return job_; }
  QString problem() const;  // below the checks
  void reject() override;   // stops what runs first

 private:
  void build();
  QWidget* makeOutcome();
  void refresh();
  void run(bool checkOnly);
  void take(const Json& line);
  void finish(const Json& answer);
  void fail(const QString& sentence);
  void showRunning(bool running);
  QString settingsText() const;
  Result<fs::path> saveProject();
  Session& session_;
  SubmitForm* form_;
  WrittenView* written_ = nullptr;
  StepList* steps_ = nullptr;
  QProgressBar* bar_ = nullptr;
  SeverityLabel* problem_ = nullptr;
  QPushButton *check_ = nullptr, *submit_ = nullptr, *stop_ = nullptr;
  CommandProcess* process_ = nullptr;
  bool valid_ = false;
  fs::path snapshot_;
  QString job_;
};

/// Opens the dialog; the name of the job that was submitted; empty: none was.
QString submitElsewhere(Session& session, const QString& data, QWidget* parent);

}  // namespace nw::ui
