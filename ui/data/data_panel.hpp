// SPDX-License-Identifier: GPL-3.0-or-later
// The project's data set, its contents and its split. Every change is one undo step; an error of the data is shown
// below the field that causes it.
#pragma once
#include <QScrollArea>
#include <map>

#include "ui/data/data_opener.hpp"
#include "ui/data/data_rows.hpp"

class QLabel;
class QProgressBar;
class QVBoxLayout;

namespace nw::ui {

class CheckPanel;
class ClassCounts;
class FormSection;
class PanelRow;
class SamplePreview;
class SegmentedControl;
class SeverityLabel;

class DataPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit DataPanel(Session& session, QWidget* parent = nullptr);
  const std::vector<DataRow>& rows() const { return rows_; }
  /// The control of a row by its id: QComboBox, PathField, QLineEdit, NumberSpin or ToggleSwitch.
  QWidget* control(const QString& id) const;
  bool isShown(const QString& id) const;
  /// The displayed error about unreadable data; empty: no error.
  QString errorText() const;
  SamplePreview& preview() { return *preview_; }
  CheckPanel& check() { return *check_; }

 protected:
  void dragEnterEvent(QDragEnterEvent*) override;
  void dropEvent(QDropEvent*) override;

 private:
  QWidget* makeSummary();
  QWidget* makeControl(const DataRow& row, int index);
  QWidget* makePreview();
  void show(const DataRow& row);
  void refresh();
  void infoChanged();
  void showRepairs();
  void keepFocus();
  void showNormalization();
  void recallPaths(const DataChoice& before, DataChoice& now);
  void change(int index, const DataRow::Value& value);
  void push(const DataChoice& choice, const QString& text, int mergeKey = 0);

  Session& session_;
  DataOpener& probe_;
  std::vector<DataRow> rows_;
  std::map<QString, PanelRow*> shown_;
  QLabel *title_, *place_, *normalization_;
  SeverityLabel *error_, *warnings_;
  QProgressBar* busy_;
  SamplePreview* preview_;
  CheckPanel* check_;
  SegmentedControl* split_;
  ClassCounts* counts_;
  FormSection *samples_, *classes_, *defects_;
  QVBoxLayout* repairs_;
  std::map<std::string, DataChoice> paths_;  // by kind, what it was when another kind was chosen
  bool refreshing_ = false;
  bool repaired_ = false;  // by a button that had the focus; until the data are open
};

}  // namespace nw::ui
