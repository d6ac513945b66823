// SPDX-License-Identifier: GPL-3.0-or-later
// Findings with their pictures, and what to do about them: exclude, or take back. Only what is visible is drawn or
// fetched.
#pragma once
#include <QAbstractListModel>
#include <QHash>
#include <QImage>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QWidget>
#include <functional>

#include "kernels/result.hpp"
#include "ui/data/finding.hpp"

class QListView;
class QPushButton;

namespace nw::ui {

class Session;

/// Thumbnails of samples, requested in batches when a view is about to draw them. GUI thread.
class FindingThumbnails : public QObject {
  Q_OBJECT
 public:
  using Done = std::function<void(const Result<std::vector<QImage>>&)>;
  using Ask = std::function<void(const std::vector<FindingSample>&, int size, Done)>;
  FindingThumbnails(Ask ask, QObject* parent);
  /// The thumbnail; or a null image, and arrived() follows later.
  QImage image(const FindingSample& sample);
  void clear();
  bool idle() const { return wanted_.empty() && !busy_; }

 Q_SIGNALS:
  void arrived();

 private:
  void fetch();
  Ask ask_;
  QHash<QString, QImage> kept_;  // null: requested
  std::vector<FindingSample> wanted_;
  QTimer timer_;
  bool busy_ = false;
  quint64 turn_ = 0;
};

class FindingModel : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit FindingModel(Session& session, QObject* parent = nullptr);
  void setFindings(std::vector<Finding> findings);
  const std::vector<Finding>& findings() const { return findings_; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  /// All that can go of it is gone.
  bool settled(int row) const;

 private:
  Session& session_;
  std::vector<Finding> findings_;
};

class FindingDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  FindingDelegate(Session& session, const FindingModel& model, FindingThumbnails& images, QObject* parent);
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;
  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintImages(QPainter& p, const QRect& row, const Finding& f) const;
  Session& session_;
  const FindingModel& model_;
  FindingThumbnails& images_;
};

class FindingList : public QWidget {
  Q_OBJECT
 public:
  FindingList(Session& session, FindingThumbnails::Ask ask, QWidget* parent = nullptr);
  void setFindings(std::vector<Finding> findings);
  FindingModel& model() { return *model_; }
  QListView& view() { return *view_; }
  /// What may be excluded here: not where the project trains on other data. `why` is then the buttons' tooltip.
  void setAllowed(bool allowed, const QString& why = {});
  /// Of the chosen rows; takes them back when all of them are excluded.
  void toggleChosen();
  void excludeAll();
  bool settled() const { return images_->idle(); }
  /// Null: nothing was found.
  const Finding* current() const;

 Q_SIGNALS:
  void currentChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QStringList chosenNames() const;
  void refresh();
  Session& session_;
  FindingThumbnails* images_;
  FindingModel* model_;
  QListView* view_;
  QPushButton *toggle_, *all_;
  bool allowed_ = true;
};

}  // namespace nw::ui
