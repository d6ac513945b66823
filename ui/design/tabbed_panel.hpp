// SPDX-License-Identifier: GPL-3.0-or-later
// A dock whose title bar is its tabs.
#pragma once
#include <QDockWidget>
#include <QStackedWidget>
#include <QTabBar>

namespace nw::ui {

class TabbedPanel : public QDockWidget {
  Q_OBJECT
 public:
  TabbedPanel(const QString& objectName, const QString& title, QWidget* parent = nullptr);
  int addPage(const QString& title, QWidget* page);
  void setCount(int index, int count);  // a number beside the tab's title; 0: none
  void showPage(int index);
  int currentPage() const;
  QWidget* page(int index) const { return stack_->widget(index); }
  QTabBar& tabs() { return *tabs_; }
  void setFooter(QWidget* widget);
  void setHeader(QWidget* widget);  // between tabs and page, on every page

 Q_SIGNALS:
  void pageChanged(int index);

 private:
  QTabBar* tabs_;
  QStackedWidget* stack_;
  class QVBoxLayout* column_;
};

}  // namespace nw::ui
