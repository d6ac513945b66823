// SPDX-License-Identifier: GPL-3.0-or-later
// Label issues of the training set, the largest loss first; the samples can be excluded from the project's data.
#pragma once
#include <QWidget>

#include "ui/data/finding_list.hpp"
#include "ui/predict/source/predict_source.hpp"

class QLabel;
class QProgressBar;

namespace nw::ui {

class ClassBars;
class ImageView;
class SeverityLabel;

class LabelIssuesView : public QWidget {
  Q_OBJECT
 public:
  LabelIssuesView(Session& session, PredictSource& source, QWidget* parent = nullptr);
  /// Discards the label issues after a change of weights or data.
  void refresh();
  FindingList& list() { return *list_; }
  /// The chosen image enlarged, and its predicted classes.
  const ImageView& large() const { return *large_; }
  const ClassBars& bars() const { return *bars_; }
  bool settled() const;

 protected:
  void showEvent(QShowEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  void ask();
  void take(const Result<Message>& answer);
  void refreshAllowed();
  QWidget* makeSide();
  void showCurrent();

  Session& session_;
  PredictSource& source_;
  SeverityLabel* note_;
  QProgressBar* progress_;
  FindingList* list_;
  QWidget* side_ = nullptr;
  ImageView* large_ = nullptr;
  QLabel *title_ = nullptr, *detail_ = nullptr;
  ClassBars* bars_ = nullptr;
  qint64 request_ = 0;
  quint64 look_ = 0;  // responses to an earlier request are discarded
  bool looking_ = false;
  bool stale_ = true;
};

}  // namespace nw::ui
