// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of one size in as many columns as there is room for; below that they scroll. GUI thread.
#pragma once
#include <QScrollArea>
#include <vector>

class QGridLayout;

namespace nw::ui {

class ExportGrid : public QScrollArea {
  Q_OBJECT
 public:
  explicit ExportGrid(QWidget* parent = nullptr);
  void addCard(QWidget* card);
  int columns() const { return columns_; }

 protected:
  void resizeEvent(QResizeEvent*) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();
  std::vector<QWidget*> cards_;
  QGridLayout* grid_;
  int columns_ = 0;
};

}  // namespace nw::ui
