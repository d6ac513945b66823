// SPDX-License-Identifier: GPL-3.0-or-later
// Palette | canvas over problems | layer, data and training panels.
#pragma once
#include "ui/shell/page.hpp"

class QSplitter;
class QTabWidget;

namespace nw::ui {

class DesignStatus;
class GraphScene;
class GraphView;
class Inspector;
class ProblemsPanel;

class DesignPage : public Page {
  Q_OBJECT
 public:
  explicit DesignPage(Session& session);
  ~DesignPage() override;
  void activated() override;
  QWidget* statusWidget() override;
  GraphView& view() const { return *view_; }

 private:
  void connectActions();
  void resetLayout();
  void showTab(int index);

  Session& session_;
  GraphScene* scene_;
  GraphView* view_;
  Inspector* inspector_;
  ProblemsPanel* problems_;
  QTabWidget* panels_;
  QSplitter *across_, *down_;
  DesignStatus* status_ = nullptr;
  bool fitted_ = false;
};

}  // namespace nw::ui
