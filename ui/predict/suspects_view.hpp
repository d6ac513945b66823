// SPDX-License-Identifier: GPL-3.0-or-later
// Training images whose label the network doubts, the largest loss first; they can be excluded from the project's data.
#pragma once
#include <QWidget>

#include "ui/data/finding_list.hpp"
#include "ui/predict/predict_source.hpp"

class QProgressBar;

namespace nw::ui {

class ToneLabel;

class SuspectsView : public QWidget {
  Q_OBJECT
 public:
  SuspectsView(Session& session, PredictSource& source, QWidget* parent = nullptr);
  /// Other weights, other data: what was found is of no use any more.
  void refresh();
  FindingList& list() { return *list_; }
  bool settled() const { return request_ == 0 && list_->settled(); }

 protected:
  void showEvent(QShowEvent*) override;

 private:
  void ask();
  void take(const Result<Message>& answer);
  void askImages(const std::vector<FoundSample>& samples, int size, FindingImages::Done done);
  void refreshAllowed();

  Session& session_;
  PredictSource& source_;
  ToneLabel* note_;
  QProgressBar* progress_;
  FindingList* list_;
  qint64 request_ = 0;
  bool stale_ = true;
};

}  // namespace nw::ui
