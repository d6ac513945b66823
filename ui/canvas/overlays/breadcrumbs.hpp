// SPDX-License-Identifier: GPL-3.0-or-later
// Where we are: lenet5 › BasicBlock. Each part but the last leads back.
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
