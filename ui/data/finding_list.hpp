// SPDX-License-Identifier: GPL-3.0-or-later
// Findings with their thumbnails and the actions exclude and include again. Only visible rows are painted and only
// their thumbnails are requested.
#pragma once
#include <QAbstractListModel>
#include <QImage>
#include <QStyledItemDelegate>
#include <QWidget>
#include <functional>

#include "ui/data/finding.hpp"
#include "ui/session/thumbnails.hpp"

class QListView;
class QPushButton;

namespace nw::ui {

class Session;

class FindingModel : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit FindingModel(Session& session, QObject* parent = nullptr);
  void setFindings(std::vector<Finding> findings);
  const std::vector<Finding>& findings() const { return findings_; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  /// True if all superfluous samples of the finding are excluded.
  bool settled(int row) const;

 private:
  Session& session_;
  std::vector<Finding> findings_;
};

class FindingDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using Picture = std::function<QImage(const FindingSample&)>;
  FindingDelegate(Session& session, const FindingModel& model, Picture picture, QObject* parent);
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;
  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintImages(QPainter& p, const QRect& row, const Finding& f) const;
  Session& session_;
  const FindingModel& model_;
  Picture picture_;
};

class FindingList : public QWidget {
  Q_OBJECT
 public:
  /// The sample set of findings in the training set or in the test set.
  using SetOf = std::function<SampleSet(bool testSet)>;
  FindingList(Session& session, SetOf setOf, QWidget* parent = nullptr);
  void setFindings(std::vector<Finding> findings);
  FindingModel& model() { return *model_; }
  QListView& view() { return *view_; }
  /// Enables excluding; false if the project trains on other data. `why`: tooltip of the disabled buttons.
  void setAllowed(bool allowed, const QString& why = {});
  /// Excludes the samples of the selected rows, or includes them again if all are excluded.
  void toggleChosen();
  void excludeAll();
  bool settled() const { return thumbnails_->idle(); }
  /// Null: there are no findings.
  const Finding* current() const;

 Q_SIGNALS:
  void currentChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QImage picture(const FindingSample& sample);
  QStringList chosenNames() const;
  void refresh();
  Session& session_;
  SetOf setOf_;
  SampleSet training_, test_;  // the sets that findings refer to
  Thumbnails* thumbnails_;
  FindingModel* model_;
  QListView* view_;
  QPushButton *toggle_, *all_;
  bool allowed_ = true;
};

}  // namespace nw::ui
