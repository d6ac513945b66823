// SPDX-License-Identifier: GPL-3.0-or-later
// The proof of the chosen export: what was done and how long it took, what each program computed, golden samples, and
// what the last check found. GUI thread.
#pragma once
#include <QScrollArea>

#include "ui/deploy/export_item.hpp"

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace nw::ui {

class GoldenStrip;

class ProofPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ProofPanel(QWidget* parent = nullptr);
  /// `weights`: which are chosen, for the text that is copied.
  void setItem(const ExportItem& item, ExportState state, const QString& weights);
  void copy() const;
  QString text() const { return text_; }
  GoldenStrip& golden() { return *golden_; }

 Q_SIGNALS:
  void checkRequested(const QString& format);
  void stopRequested(const QString& format);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QWidget* makeTitle();
  QWidget* makeButtons();
  void showStages(const ExportItem& item);
  void showReaders(const ExportItem& item);
  void showGolden(const ExportItem& item);
  void showVerdict(const ExportItem& item, ExportState state);
  void openProof() const;
  QString format_, file_, text_, shownGolden_;
  ExportState state_ = ExportState::none;
  bool filled_ = false;
  QLabel *title_, *sentence_, *verdict_, *readersTitle_, *goldenTitle_;
  QWidget *pill_, *stages_, *readers_;
  GoldenStrip* golden_;
  QPushButton *again_, *open_, *copy_;
};

}  // namespace nw::ui
