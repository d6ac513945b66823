// SPDX-License-Identifier: GPL-3.0-or-later
// Search for settings: which fields of the project vary, and how the search is done. GUI thread.
#pragma once
#include <QDialog>
#include <set>
#include <string>
#include <vector>

#include "engine/search/fields.hpp"
#include "ui/study/study_starter.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace nw::ui {

class Session;

class SearchDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SearchDialog(Session& session, QWidget* parent = nullptr);
  const StudyOrder& order() const { return order_; }
  QTableWidget& fields() { return *table_; }
  bool loaded() const { return !fields_.empty(); }
  int rowOf(const std::string& field) const;  // -1: there is none

 protected:
  void accept() override;

 private:
  enum Column { field, now, from, to, logarithmic, list };
  void build();
  QWidget* makeOptions();
  void takeFields(std::vector<search::SearchField> fields, const std::set<std::string>& chosen);
  void addRow(int row, const search::SearchField& f, bool tick);
  void filter(const QString& words);
  void say();
  /// Errc::bad_input: what cannot be, with the name of the field.
  Result<search::Space> space() const;
  Result<search::Parameter> parameterOf(int row) const;
  bool isAsSuggested(int row) const;
  int ticked() const;

  Session& session_;
  std::vector<search::SearchField> fields_;
  StudyOrder order_;
  QTableWidget* table_;
  QLineEdit* find_;
  QComboBox *first_, *second_, *sampler_, *pruner_;
  QSpinBox *trials_, *epochs_, *jobs_, *seed_;
  QLabel* note_;
  QPushButton* start_;
  bool filling_ = false;
};

}  // namespace nw::ui
