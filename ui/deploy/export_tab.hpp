// SPDX-License-Identifier: GPL-3.0-or-later
// The tab Export: a card for each exporter (a row of networkFormats()) and the proof of the chosen one. GUI thread.
#pragma once
#include <QTimer>

#include "ui/deploy/deploy_tab.hpp"
#include "ui/deploy/export_item.hpp"

class QLabel;
class QPushButton;

namespace nw::ui {

class ExportGrid;
class ExportCard;
class ProofPanel;

class ExportTab : public DeployTab {
  Q_OBJECT
 public:
  explicit ExportTab(const DeployContext& context, QWidget* parent = nullptr);
  void setWeights(const DeployWeights& weights) override;
  void setWatching(bool on) override;
  QString status() const override;
  void choose(const QString& format);
  QString chosen() const { return chosen_; }
  ExportCard* card(const QString& format) const;
  ProofPanel& panel() { return *panel_; }
  /// Asks for the place where nothing was exported yet.
  void exportNow(const QString& format);
  void check(const QString& format);
  /// How often a proof was begun again by check() since the window was opened.
  int checks() const { return checks_; }
  void checkAll();

 private:
  struct Row {
    ExportItem item;
    ExportCard* card = nullptr;
  };
  QWidget* makeHead();
  void addCards();
  void connectJobs();
  Row* row(const QString& format);
  void readRecords();
  void takeRecords(const QVector<ExportRecord>& records);
  void findChanges(const QVector<ExportRecord>& records);
  void showChanges(const QString& format, const QStringList& changed);
  void takeChecked(const QString& format, const QStringList& changed, const QString& sentence);
  void nextCheck();
  void stop(const QString& format);
  void showFile(const QString& format);
  void refresh();
  void refreshSummary();
  const DeployContext context_;
  DeployWeights weights_;
  ExportJobs* jobs_;
  std::vector<Row> rows_;
  ExportGrid* grid_;
  ProofPanel* panel_;
  QLabel *count_ = nullptr, *others_ = nullptr;
  QPushButton* all_ = nullptr;
  QString chosen_;
  int checks_ = 0;
  QStringList waiting_;  // formats that "Prove all again" has still to check
  QTimer clock_;
  quint64 reading_ = 0;
};

}  // namespace nw::ui
