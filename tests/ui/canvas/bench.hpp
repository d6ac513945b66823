// SPDX-License-Identifier: GPL-3.0-or-later
// A canvas with a document under real mouse and keyboard events.
#pragma once
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

#include "engine/design/project_file.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

class CanvasTest : public testing::Test {
 protected:
  CanvasTest() : canvas(session) {
    canvas.resize(1200, 900);
    canvas.show();
    canvas.setFocus();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&canvas));
    QCoreApplication::processEvents();
    view().camera().setZoom(1, QPointF(0, 0));
    view().centerOn(0, 200);
  }

  GraphView& view() { return canvas.view(); }
  GraphScene& scene() { return canvas.scene(); }
  QWidget* port() { return view().viewport(); }
  const Graph& graph() { return session.doc().graph(scene().scope()); }

  NodeId add(const char* type, const char* name, QPointF at, AttrMap attrs = {}) {
    NodeId id = 0;
    const Node node{.type = type, .name = name, .attrs = std::move(attrs), .position = {at.x(), at.y()}};
    EXPECT_TRUE(session.push(add_node(session.doc(), scene().scope(), node, &id), QStringLiteral("Add")));
    return id;
  }
  void wire(NodeId from, NodeId to, int toPort = 0) {
    EXPECT_TRUE(
        session.push(connect(session.doc(), scene().scope(), {from, 0, to, toPort}), QStringLiteral("Connect")));
  }
  bool connected(NodeId from, NodeId to) {
    return std::any_of(graph().connections.begin(), graph().connections.end(),
                       [&](const Connection& c) { return c.from == from && c.to == to; });
  }
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
    QCoreApplication::processEvents();
  }

  QPoint at(QPointF scenePoint) { return view().mapFromScene(scenePoint); }
  void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton) {
    press(from, keys, button);
    for (const double share : {0.1, 0.5, 0.9, 1.0}) move(from + (to - from) * share, keys, button);
    release(to, keys, button);
  }
  void press(QPoint p, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton) {
    send(QEvent::MouseButtonPress, p, button, button, keys);
  }
  void move(QPoint p, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton) {
    send(QEvent::MouseMove, p, Qt::NoButton, button, keys);
  }
  void release(QPoint p, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton) {
    send(QEvent::MouseButtonRelease, p, button, Qt::NoButton, keys);
  }
  void click(QPoint p, Qt::KeyboardModifiers keys = {}) {
    press(p, keys);
    release(p, keys);
  }
  void key(Qt::Key k, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&view(), k, keys); }
  std::string text() { return ProjectFile::text(session.doc()); }
  /// Undo restores the bytes from before the edit, redo those from after it.
  void expectUndoable(const std::string& before) {
    const std::string after = text();
    EXPECT_NE(before, after);
    session.undoStack().undo();
    EXPECT_EQ(text(), before);
    session.undoStack().redo();
    EXPECT_EQ(text(), after);
  }

  Session session;
  Canvas canvas;

 private:
  void send(QEvent::Type type, QPoint p, Qt::MouseButton button, Qt::MouseButtons held, Qt::KeyboardModifiers keys) {
    QMouseEvent event(type, p, port()->mapToGlobal(p), button, held, keys);
    QCoreApplication::sendEvent(port(), &event);
  }
};

}  // namespace nw::ui
