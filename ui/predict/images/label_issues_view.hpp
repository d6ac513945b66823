// SPDX-License-Identifier: GPL-3.0-or-later
// Training images whose label the network doubts, the largest loss first; they can be excluded from the project's data.
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
  /// Other weights, other data: what was found is of no use any more.
  void refresh();
  FindingList& list() { return *list_; }
  /// The chosen image large, and what the weights say of it.
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
  quint64 look_ = 0;  // an image of another look is too late
  bool looking_ = false;
  bool stale_ = true;
};

}  // namespace nw::ui
