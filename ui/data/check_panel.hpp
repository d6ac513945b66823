// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the data check on request and lists its findings: duplicates, blank images, skipped files, …
#pragma once
#include <QWidget>

#include "engine/predict/serve.hpp"
#include "ui/data/finding_list.hpp"

class QLabel;
class QProgressBar;

namespace nw::ui {

class SeverityLabel;

class CheckPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CheckPanel(Session& session, QWidget* parent = nullptr);
  void start();
  void stop();
  FindingList& list() { return *list_; }
  bool busy() const { return request_ != 0; }
  bool settled() const { return !busy() && list_->settled(); }
  /// The text about the last data check.
  QString summary() const;

 private:
  void take(const Result<Message>& answer);
  void dataChanged();
  void refresh();

  Session& session_;
  QPushButton *start_, *restore_;
  QProgressBar* progress_;
  SeverityLabel *summary_, *excluded_;
  FindingList* list_;
  qint64 request_ = 0;
  std::string checkedSource_;  // key of the source that was checked
};

}  // namespace nw::ui
