// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a field of the project one that a search varies, where it stands: a quiet button beside it, and below it the
// range or the list, which are part of the document.
#pragma once
#include <QAbstractButton>
#include <functional>
#include <string>

class QLineEdit;

namespace nw::ui {

class NumberSpin;
class RefusalNote;
class Session;

/// Painted only while the mouse or the focus is in its row, and while the field is searched; always there for keys and
/// screen readers.
class SearchMark : public QAbstractButton {
  Q_OBJECT
 public:
  SearchMark(const QString& label, QWidget* row);
  /// The mouse or the focus came to the row, or left it.
  void setNear(bool near);
  QSize sizeHint() const override { return {20, 20}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  bool near_ = false;
};

class FieldSearch : public QWidget {
  Q_OBJECT
 public:
  /// `field`: the field's name as the engine knows it ("conv1.out_channels"), asked for each time: layers are renamed.
  FieldSearch(Session& session, std::function<std::string()> field, const QString& label, QWidget* row);
  SearchMark& mark() { return *mark_; }
  bool searched() const { return !isHidden() && mark_->isChecked(); }
  /// A list that is typed into the field itself is searched.
  void listenTo(NumberSpin& spin);

 Q_SIGNALS:
  void searchedChanged(bool searched);

 private:
  void build();
  void refresh();
  void toggle();
  void begin();
  void end();
  void take(const QString& typed);
  void takeLine();

  Session& session_;
  std::function<std::string()> field_;
  QString label_;
  SearchMark* mark_;
  QLineEdit* line_;
  QAbstractButton* log_;
  RefusalNote* note_;
};

}  // namespace nw::ui
