// SPDX-License-Identifier: GPL-3.0-or-later
// "Get data": public data sets with size, licence and whether their digests were published; downloads one and chooses
// it for the project.
#pragma once
#include <QDialog>

#include "engine/data/fetch/public_sets.hpp"

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace nw::ui {

class DataFetch;
class Session;
class SeverityLabel;

class GetDataDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GetDataDialog(Session& session, QWidget* parent = nullptr);
  QTreeWidget& list() { return *list_; }
  QPushButton& fetchButton() { return *fetch_; }  // Download, Go on, or Stop
  QPushButton& useButton() { return *use_; }
  QString errorText() const;
  QString progressText() const;
  void choose(const QString& setId);

 private:
  void fill();
  const PublicSet* chosen() const;
  void refresh();
  void refreshRow(QTreeWidgetItem* item, const PublicSet& set);
  void showProgress();
  void fetchOrStop();
  void use();
  Session& session_;
  DataFetch& fetcher_;
  QTreeWidget* list_;
  QLabel *facts_, *state_;
  SeverityLabel *error_, *note_;
  QProgressBar* bar_;
  QPushButton *fetch_, *use_;
};

/// The data choice for a public data set, with the split of the current choice.
DataChoice choice_of(const PublicSet& set, const DataChoice& current);
/// Shows the dialog; at most one is open.
void getData(Session& session, QWidget* parent);

}  // namespace nw::ui
