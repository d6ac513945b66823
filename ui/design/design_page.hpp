// SPDX-License-Identifier: GPL-3.0-or-later
// The Design page: palette, canvas, inspector with data and training settings, problems. Panels are docks of a window
// inside the page; their positions are saved.
#pragma once
#include <QMainWindow>
#include <QPointer>
#include <vector>

#include "ui/canvas/canvas.hpp"
#include "ui/page/page.hpp"

class QStackedWidget;

namespace nw::ui {

class DesignStatus;
class Inspector;
class LaneView;
class OutlineTree;
class PaletteTree;
class Placement;
class ProblemList;
class SearchField;
class TabbedPanel;

/// A layer type or block of the add list.
struct AddableLayer {
  QString id, title;
  bool block = false;
};

class DesignPage : public Page {
  Q_OBJECT
 public:
  explicit DesignPage(Session& session);
  ~DesignPage() override;
  void activated() override;
  QWidget* statusWidget() override;
  Canvas& canvas() { return *canvas_; }
  /// The layers and blocks that can be added to the open scope.
  std::vector<AddableLayer> addableLayers() const;
  /// Adds a layer behind the selected one, as a double click in the list does.
  void addLayer(const QString& id);
  /// Shows a training setting and gives it the focus; `id`: of SettingRow.
  void showSetting(const QString& id);
  Inspector& inspector() { return *inspector_; }
  PaletteTree& palette() { return *palette_; }
  ProblemList& problems() { return *problems_; }
  Placement& placement() { return *placement_; }
  LaneView& lanes() { return *lanes_; }

 protected:
  bool eventFilter(QObject*, QEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  void buildLeft();
  void buildRight();
  void buildBottom();
  void connectActions();
  void connectThumbnails();
  void connectLanes();
  void showLanes();
  void openSettings(int page);
  void resetLayout();
  void layOutPanels();

  Session& session_;
  QMainWindow* frame_;
  QStackedWidget* middle_;  // the canvas, or the lanes
  Canvas* canvas_;
  Placement* placement_;
  LaneView* lanes_;
  TabbedPanel *left_, *right_, *bottom_;
  SearchField* search_;
  PaletteTree *palette_, *blocks_;
  OutlineTree* outline_;
  Inspector* inspector_;
  ProblemList* problems_;
  QPointer<DesignStatus> status_;
  QByteArray pristine_;
  bool folded_ = false;  // the palette is hidden because the page is narrow
};

}  // namespace nw::ui
