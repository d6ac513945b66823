// SPDX-License-Identifier: GPL-3.0-or-later
// The Design page under real mouse and keyboard events.
#pragma once
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "engine/design/project_file.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/inspector.hpp"
#include "ui/design/palette_tree.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

class DesignTest : public testing::Test {
 protected:
  DesignTest() : page(session) {
    page.resize(1600, 950);
    page.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&page));
    page.activated();
    QCoreApplication::processEvents();
  }
  GraphScene& scene() { return page.canvas().scene(); }
  GraphView& view() { return page.canvas().view(); }
  const Graph& graph() { return session.doc().graph(scene().scope()); }
  NodeId find(const char* name) {
    for (const auto& [id, node] : graph().nodes)
      if (node.name == name) return id;
    return 0;
  }
  void analysed() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return session.analysisCurrent(); }, 10000));
  }
  void open(const char* name) {
    session.replace(find_template(name)->make(), {}, QString::fromUtf8(name));
    analysed();
  }
  template <class W>
  W* child(const QString& name) {
    W* found = page.findChild<W*>(name);
    EXPECT_NE(found, nullptr) << name.toStdString();
    return found;
  }
  template <class W>
  W* editor(const char* field) {
    return qobject_cast<W*>(page.inspector().editorOf(QLatin1String(field)));
  }
  std::string text() { return ProjectFile::text(session.doc()); }
  void expectUndoable(const std::string& before) {
    const std::string after = text();
    EXPECT_NE(before, after);
    session.undoStack().undo();
    EXPECT_EQ(text(), before);
    session.undoStack().redo();
    EXPECT_EQ(text(), after);
  }

  Session session;
  DesignPage page;
};

}  // namespace nw::ui
