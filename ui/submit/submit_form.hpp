// SPDX-License-Identifier: GPL-3.0-or-later
// Where a training is submitted to and what it is given there: the fields that the target's record takes. Each field
// has its problem below it. GUI thread.
#pragma once
#include <QScrollArea>
#include <functional>
#include <vector>

#include "engine/submit/target.hpp"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace nw::ui {

class SeverityLabel;

class SubmitForm : public QScrollArea {
  Q_OBJECT
 public:
  /// `data`: the place of the open project's data set; empty: none.
  SubmitForm(const QString& name, const QString& data, QWidget* parent = nullptr);
  const submit::Target& target() const;
  void choose(const submit::Target& target);
  /// As the fields are now; what nobody typed is completed. Not checked.
  submit::Job job() const;
  /// The data set of this computer that is copied; empty: none.
  QString data() const;
  /// The words behind `netwright-cli submit FILE` that say the same.
  QStringList arguments() const;
  /// Shows the sentence below the field, by its name on the command line or in job.json, and takes it from all others.
  /// False: the field is not shown.
  bool say(const QString& field, const QString& sentence);
  void save() const;  // for the next dialog
  QWidget* editor(const QString& field) const;

 Q_SIGNALS:
  void changed();

 private:
  struct Row {
    QString name;
    QWidget* editor;
    QLabel* label;
    QWidget* whole;
    SeverityLabel* problem;
    std::function<bool(const submit::Target&)> isShown;
  };
  void addRow(const QString& name, const QString& title, QWidget* editor,
              std::function<bool(const submit::Target&)> isShown);
  QLineEdit* addText(const char* name, const QString& title, std::function<bool(const submit::Target&)> isShown);
  void addTexts();
  void addFields();
  void showRows();
  void showDefaults();
  void restore();
  bool isShown(const QString& name) const;
  QString text(const QString& name) const;
  void putResources(submit::Resources& to) const;
  QComboBox* targets_;
  QGridLayout* form_;  // not a QFormLayout: Qt 6.4 writes beyond its memory when a hidden row grows
  std::vector<Row> rows_;
};

/// "disk=ssd, zone=a" as labels; without a "=" the value is empty.
std::map<std::string, std::string> labelsFrom(const QString& typed);

}  // namespace nw::ui
