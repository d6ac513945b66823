// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen run as text, with what the user wrote about it, and its actions. GUI thread.
#pragma once
#include <QWidget>

#include "ui/runs/run_table.hpp"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace nw::ui {

struct RunProperty {
  QString name, value;
};
QVector<RunProperty> runProperties(const RunRow& row);

class RunFacts;

class RunDetails : public QWidget {
  Q_OBJECT
 public:
  explicit RunDetails(QWidget* parent = nullptr);
  /// Null: none chosen. `selected`: the number of selected runs; of several only their number is shown. What is being
  /// typed stays while the run stays.
  void setRun(const RunRow* row, int selected = 1);
  QPushButton* button(const QString& action) const;
  /// Puts the cursor into the run's name.
  void rename();

 Q_SIGNALS:
  // "open", "predict", "canvas", "resume", "further", "reveal", "delete"
  void action(const QString& id);
  void notesEdited(const QString& run, const nw::RunNotes& notes);

 protected:
  void paintEvent(QPaintEvent*) override;
  void hideEvent(QHideEvent*) override { commit(); }
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeButtons();
  QWidget* makeTexts();
  void fill(const RunRow& row);
  void showButtons(const RunRow* row, int selected);
  void commit();
  QString id_;      // of the run whose texts are shown; empty: none
  RunNotes shown_;  // as they were before they were edited
  bool committing_ = false;
  QVector<QPushButton*> buttons_;
  QLineEdit *name_, *tags_;
  QPlainTextEdit* notes_;
  QLabel *when_, *problem_;
  RunFacts* facts_;
};

}  // namespace nw::ui
