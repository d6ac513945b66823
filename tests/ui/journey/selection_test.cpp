// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that remove selected layers, in the whole window: Delete, Ctrl+G, and Ctrl+Z of a copy. No pane may look up a
// layer that the document no longer has.
#include <QSignalSpy>
#include <algorithm>
#include <span>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/design/inspector.hpp"

namespace nw::ui {
namespace {

constexpr const char* names[] = {"conv1", "relu1", "pool1"};

struct Place {
  int layers;   // selected
  bool inside;  // in a block's definition
};

class SelectedLayers : public Journey, public testing::WithParamInterface<Place> {
 protected:
  void SetUp() override {
    Journey::SetUp();
    openWindow({{}, QStringLiteral("lenet5")});
    analysed();
    if (GetParam().inside) openBlock();
    ASSERT_NE(GetParam().inside, scene().scope().empty());
    select(GetParam().layers);
    ASSERT_EQ(chosen_, scene().selection().nodes());
    ASSERT_TRUE(shows("layerName"));
    before_.emplace(session().doc());
    QObject::connect(&scene(), &GraphScene::selectionUpdated, &scene(), [this] { expectSelectionHeld(); });
    QObject::connect(&scene(), &GraphScene::contentChanged, &scene(), [this] { expectSelectionHeld(); });
    QObject::connect(&scene(), &QGraphicsScene::selectionChanged, &scene(), [this] { expectSelectionHeld(); });
  }
  NodeId named(const char* name) {
    for (const auto& [id, node] : scene().graph().nodes)
      if (node.name == name) return id;
    ADD_FAILURE() << "there is no layer " << name;
    return 0;
  }
  void select(int layers) {
    chosen_.clear();
    for (const char* name : std::span(names).first(static_cast<std::size_t>(layers))) {
      const Qt::KeyboardModifiers held = chosen_.empty() ? Qt::NoModifier : Qt::ControlModifier;
      chosen_.push_back(named(name));
      hand.click(view().viewport(), nodePosition(view(), chosen_.back()), held);
    }
    std::sort(chosen_.begin(), chosen_.end());
  }
  void openBlock() {
    select(std::size(names));
    hand.key(Qt::Key_G, Qt::ControlModifier);
    hand.key(Qt::Key_Escape);  // leaves the block's name as it is
    hand.key(Qt::Key_Tab);
    QCoreApplication::processEvents();
  }
  /// Called at every moment at which a pane may read the selection.
  void expectSelectionHeld() {
    for (const NodeId id : scene().selection().nodes()) {
      EXPECT_TRUE(scene().graph().nodes.contains(id)) << id;
      EXPECT_NE(scene().elements().node(id), nullptr) << id;
    }
    EXPECT_TRUE(scene().selection().current() == 0 || scene().graph().nodes.contains(scene().selection().current()));
  }
  /// Null if none is visible. Editors of the previous selection are hidden before they are destroyed.
  QWidget* visibleEditor(const char* name) {
    const auto all = design().inspector().findChildren<QWidget*>(QLatin1String(name));
    const auto found = std::find_if(all.begin(), all.end(), [](const QWidget* w) { return w->isVisible(); });
    return found == all.end() ? nullptr : *found;
  }
  bool shows(const char* name) { return visibleEditor(name) != nullptr; }
  std::size_t layers() { return scene().graph().nodes.size(); }

  std::vector<NodeId> chosen_;
  std::optional<GraphDoc> before_;
};

TEST_P(SelectedLayers, DeleteRemovesThemAndUndoBringsThemBack) {
  const std::size_t drawn = layers();
  QSignalSpy updated(&scene(), &GraphScene::selectionUpdated);
  hand.key(Qt::Key_Delete);
  EXPECT_EQ(layers(), drawn - chosen_.size());
  EXPECT_EQ(updated.count(), 1) << "once, after the whole change";
  EXPECT_TRUE(scene().selection().nodes().empty());
  EXPECT_EQ(scene().selection().current(), 0);
  EXPECT_FALSE(shows("layerName"));
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(session().doc(), *before_);
  select(GetParam().layers);
  EXPECT_TRUE(shows("layerName"));
}

TEST_P(SelectedLayers, GroupingThemSelectsTheBlock) {
  const std::size_t drawn = layers();
  hand.key(Qt::Key_G, Qt::ControlModifier);
  EXPECT_EQ(layers(), drawn - chosen_.size() + 1);
  EXPECT_EQ(scene().selection().nodes().size(), 1U);
  EXPECT_TRUE(shows("blockName"));
  hand.key(Qt::Key_Escape);
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(session().doc(), *before_);
  EXPECT_TRUE(scene().selection().nodes().empty());
  EXPECT_FALSE(shows("blockName"));
}

TEST_P(SelectedLayers, UndoRemovesTheirSelectedCopies) {
  const std::size_t drawn = layers();
  hand.key(Qt::Key_D, Qt::ControlModifier);
  EXPECT_EQ(layers(), drawn + chosen_.size());
  EXPECT_EQ(scene().selection().nodes().size(), chosen_.size());
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(session().doc(), *before_);
  EXPECT_TRUE(scene().selection().nodes().empty());
  EXPECT_FALSE(shows("layerName"));
}

TEST_P(SelectedLayers, AClickOnOneOfThemSelectsItAlone) {
  hand.click(view().viewport(), nodePosition(view(), chosen_[1]));
  EXPECT_EQ(scene().selection().nodes(), std::vector{chosen_[1]});
  EXPECT_EQ(session().doc(), *before_) << "a click moves nothing";
}

TEST_P(SelectedLayers, ATypedNameIsGivenToTheLayerItWasTypedFor) {
  select(1);
  ASSERT_TRUE(shows("layerName"));
  hand.click(visibleEditor("layerName"));
  hand.key(Qt::Key_A, Qt::ControlModifier);
  hand.type(QStringLiteral("typed"));
  scene().selection().setCurrent(named("pool1"));  // as a click on a problem does
  EXPECT_EQ(scene().graph().nodes.at(chosen_[0]).name, "typed");
  EXPECT_EQ(scene().graph().nodes.at(named("pool1")).name, "pool1");
}

INSTANTIATE_TEST_SUITE_P(Places, SelectedLayers,
                         testing::Values(Place{2, false}, Place{3, false}, Place{2, true}, Place{3, true}),
                         [](const auto& info) {
                           return std::to_string(info.param.layers) + (info.param.inside ? "_in_a_block" : "");
                         });

}  // namespace
}  // namespace nw::ui
