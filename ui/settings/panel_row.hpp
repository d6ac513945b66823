// SPDX-License-Identifier: GPL-3.0-or-later
// "Label | control" with help on the whole row, as in the inspector; hidden and shown as one. Below a number field that
// refuses a text are its limits and a button that takes the nearest permitted number.
#pragma once
#include <QWidget>
#include <functional>
#include <string>

class QGridLayout;
class QLabel;

namespace nw::ui {

class FieldSearch;
class Session;
class SeverityLabel;

class PanelRow : public QWidget {
  Q_OBJECT
 public:
  PanelRow(const QString& label, QWidget* control, const QString& help = {}, QWidget* parent = nullptr);
  QWidget* control() const { return control_; }
  /// A sentence below the control about a problem with its value; empty: none.
  void setError(const QString& sentence);
  /// Offers to search over this field of the project; `field` gives its name as the engine knows it.
  void offerSearch(Session& session, std::function<std::string()> field);
  FieldSearch* search() const { return search_; }  // null: not offered

 protected:
  void enterEvent(QEnterEvent*) override;
  void leaveEvent(QEvent*) override;

 private:
  void showRefusals(QGridLayout& grid);
  void showMark(bool near);
  void giveName(int width);
  QWidget* control_;
  QLabel* name_;
  FieldSearch* search_ = nullptr;
  SeverityLabel* error_;
};

}  // namespace nw::ui
