// SPDX-License-Identifier: GPL-3.0-or-later
// The path of the open scope: lenet5 › BasicBlock. A click on any part but the last opens that scope.
#pragma once
#include <QHBoxLayout>
#include <QStringList>
#include <QWidget>

namespace nw::ui {

class Breadcrumbs : public QWidget {
  Q_OBJECT
 public:
  explicit Breadcrumbs(QWidget* parent = nullptr);
  void setPath(const QStringList& parts);
 Q_SIGNALS:
  void chosen(int depth);  // 0: the whole network
 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QHBoxLayout* row_;
};

}  // namespace nw::ui
