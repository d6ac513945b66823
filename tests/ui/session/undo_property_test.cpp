// SPDX-License-Identifier: GPL-3.0-or-later
// Random edits on the window's undo stack: undoing all restores the initial bytes, redoing all the final ones, and
// the canvas shows the document's content throughout.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <QUndoStack>

#include <algorithm>

#include "engine/design/project_file.hpp"
#include "tests/support/random_edits.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

bool showsAll(const GraphScene& scene) {
  const Graph& g = scene.graph();
  const auto drawn = [&](const Connection& c) { return scene.elements().connection(c) != nullptr; };
  const auto same = [&](const auto& n) {
    return scene.elements().node(n.first) && scene.elements().node(n.first)->look().name.toStdString() == n.second.name;
  };
  return scene.elements().nodes().size() == g.nodes.size() && std::all_of(g.nodes.begin(), g.nodes.end(), same) &&
         std::all_of(g.connections.begin(), g.connections.end(), drawn) &&
         scene.elements().frames().size() == g.frames.size() && scene.elements().notes().size() == g.notes.size();
}

struct Stack {
  Session session;
  std::unique_ptr<GraphScene> scene;

  std::string text() const { return ProjectFile::text(session.doc()); }
  void check(const std::vector<std::uint64_t>& numbers) {
    session.replace({}, {}, {});
    const std::string start = text();
    for (const std::uint64_t number : numbers) {
      const Edit edit = test::any_edit(session.doc(), test::Dice{number});
      // some edits merge into one undo step, as those of a drag do
      session.push(edit, QStringLiteral("Edit"), number % 4 == 0 ? 1 + static_cast<int>(number % 3) : 0);
      if (scene && number % 8 == 0) RC_ASSERT(showsAll(*scene));
    }
    const std::string end = text();
    QUndoStack& undo = session.undoStack();
    while (undo.canUndo()) undo.undo();
    RC_ASSERT(text() == start);
    if (scene) RC_ASSERT(showsAll(*scene));
    while (undo.canRedo()) undo.redo();
    RC_ASSERT(text() == end);
    undo.setIndex(undo.count() / 2);
    const std::string middle = text();
    undo.setIndex(0);
    undo.setIndex(undo.count() / 2);
    RC_ASSERT(text() == middle);
    if (scene) RC_ASSERT(showsAll(*scene));
  }
};

bool hold(const char* what, Stack& stack, const char* often, const char* very_often) {
  ::setenv("RC_PARAMS", std::getenv("NETWRIGHT_LONG") ? very_often : often, 1);
  return rc::check(what, [&] {
    stack.check(*rc::gen::container<std::vector<std::uint64_t>>(200, rc::gen::arbitrary<std::uint64_t>()));
  });
}

TEST(UndoProperty, UndoAndRedoOfTwoHundredRandomEditsGiveTheSameBytes) {
  Stack stack;
  EXPECT_TRUE(hold("undo all, redo all", stack, "max_success=500", "max_success=10000"));
}

TEST(UndoProperty, TheCanvasFollowsEveryOneOfThem) {
  Stack stack;
  stack.scene = std::make_unique<GraphScene>(stack.session);
  EXPECT_TRUE(hold("the canvas follows", stack, "max_success=20", "max_success=400"));
}

}  // namespace
}  // namespace nw::ui
