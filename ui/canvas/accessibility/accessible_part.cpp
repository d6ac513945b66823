// SPDX-License-Identifier: GPL-3.0-or-later
// Name, position, state and actions of a layer, a port and a connection.
#include <QMenu>

#include "ui/canvas/accessibility/accessible_parts.hpp"
#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {
namespace {

/// An action that Qt does not predefine: removes the part.
constexpr auto deletes = "Delete";

class AccessiblePart : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  AccessiblePart(AccessibleParts& voices, const CanvasPart& part) : accessibles_(voices), part_(part) {}
  bool isValid() const override { return accessibles_.view() != nullptr; }
  QObject* object() const override { return nullptr; }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(accessibles_.view()); }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  QAccessibleInterface* child(int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  void setText(QAccessible::Text, const QString&) override {}
  QString text(QAccessible::Text kind) const override {
    if (!there()) return {};
    return kind == QAccessible::Name ? name() : kind == QAccessible::Description ? description() : QString();
  }
  QRect rect() const override {
    if (!there()) return {};
    const QRect inView = view().mapFromScene(place()).boundingRect();
    return {view().viewport()->mapToGlobal(inView.topLeft()), inView.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State s;
    if (!there()) return s;
    s.focusable = true;
    s.offscreen = !view().viewport()->rect().intersects(view().mapFromScene(place()).boundingRect());
    fill(s);
    return s;
  }
  QStringList actionNames() const override {
    QStringList names{setFocusAction(), pressAction(), showMenuAction()};
    if (!std::holds_alternative<PortRef>(part_)) names << QLatin1String(deletes);
    return names;
  }
  QString localizedActionName(const QString& action) const override {
    return action == QLatin1String(deletes) ? canvasText(QT_TRANSLATE_NOOP("canvas", "Delete"))
                                            : QAccessibleActionInterface::localizedActionName(action);
  }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }
  void doAction(const QString& action) override {
    if (!there()) return;
    if (action == setFocusAction()) {
      view().setFocus();
      take();
    } else if (action == pressAction()) {
      press();
    } else if (action == QLatin1String(deletes)) {
      take();
      runCommand(view(), "delete");
    } else if (action == showMenuAction()) {
      take();
      auto* menu = new QMenu(&view());
      menu->setAttribute(Qt::WA_DeleteOnClose);
      fillContextMenu(view(), *menu, place().center());
      menu->popup(rect().center());
    }
  }

 protected:
  virtual QString name() const = 0;
  virtual QString description() const { return {}; }
  virtual QRectF place() const = 0;  // scene coordinates
  virtual void fill(QAccessible::State& state) const = 0;
  virtual void take() = 0;  // selects it alone
  virtual void press() = 0;
  bool there() const { return accessibles_.hasPart(part_); }
  GraphView& view() const { return *accessibles_.view(); }
  GraphScene& scene() const { return *accessibles_.scene(); }
  QString called(NodeId id) const {
    return scene().elements().node(id) ? scene().elements().node(id)->look().name : QString();
  }
  QString shapeOf(NodeId id) const {
    const NodeInfo* facts = scene().facts(id);
    return facts && facts->output.rank() > 0 ? QStringLiteral(", ") + shapeText(facts->output) : QString();
  }
  AccessibleParts& accessibles_;
  CanvasPart part_;
};

class AccessibleNode final : public AccessiblePart {
 public:
  using AccessiblePart::AccessiblePart;
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  int childCount() const override { return static_cast<int>(accessibles_.portsOf(id()).size()); }
  QAccessibleInterface* child(int index) const override {
    const std::vector<CanvasPart> ports = accessibles_.portsOf(id());
    return index >= 0 && index < static_cast<int>(ports.size())
               ? accessibles_.of(ports[static_cast<std::size_t>(index)])
               : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* wanted) const override {
    for (int i = 0; i < childCount(); ++i)
      if (child(i) == wanted) return i;
    return -1;
  }
  QString localizedActionDescription(const QString& action) const override {
    if (action != pressAction()) return QAccessibleActionInterface::localizedActionDescription(action);
    return item().look().block ? canvasText(QT_TRANSLATE_NOOP("canvas", "Opens the block"))
                               : canvasText(QT_TRANSLATE_NOOP("canvas", "Opens the settings of the layer"));
  }

 protected:
  NodeId id() const { return std::get<NodeId>(part_); }
  const NodeItem& item() const { return *scene().elements().node(id()); }
  QString name() const override {
    return item().spoken(accessibles_.indexOf(part_) + 1, static_cast<int>(scene().elements().nodes().size()));
  }
  QString description() const override { return item().look().settings; }
  QRectF place() const override { return item().outline(); }
  void fill(QAccessible::State& s) const override {
    s.selectable = true;
    s.selected = item().isSelected();
    s.focused = scene().selection().current() == id() && view().hasFocus();
    s.invalid = item().look().state == NodeState::error;
  }
  void take() override { scene().selection().setCurrent(id()); }
  void press() override {
    if (item().look().block) return enterBlock(scene(), id());
    take();
    Q_EMIT scene().inspectorWanted();
  }
};

/// Pressing one and then another connects them.
class AccessiblePort final : public AccessiblePart {
 public:
  using AccessiblePart::AccessiblePart;
  QAccessible::Role role() const override { return QAccessible::Button; }
  QAccessibleInterface* parent() const override { return accessibles_.of(port().node); }
  QString localizedActionDescription(const QString& action) const override {
    return action == pressAction() ? canvasText(QT_TRANSLATE_NOOP("canvas", "Starts a connection here, or ends it"))
                                   : QAccessibleActionInterface::localizedActionDescription(action);
  }

 protected:
  const PortRef& port() const { return std::get<PortRef>(part_); }
  QString name() const override {
    const NodeText& look = scene().elements().node(port().node)->look();
    const bool several = (port().output ? look.outputs : look.inputs) > 1;
    QString text = port().output ? (several ? canvasText(QT_TRANSLATE_NOOP("canvas", "Output %2 of %1"))
                                            : canvasText(QT_TRANSLATE_NOOP("canvas", "Output of %1")))
                                 : (several ? canvasText(QT_TRANSLATE_NOOP("canvas", "Input %2 of %1"))
                                            : canvasText(QT_TRANSLATE_NOOP("canvas", "Input of %1")));
    text = text.arg(look.name);
    if (several) text = text.arg(port().port + 1);
    return text + (port().output ? shapeOf(port().node) : QString()) + reach();
  }
  QString reach() const {
    QStringList others;
    for (const Connection& c : scene().graph().connections) {
      if (port().output && c.from == port().node && c.from_port == port().port) others << called(c.to);
      if (!port().output && c.to == port().node && c.to_port == port().port) others << called(c.from);
    }
    if (others.isEmpty()) return canvasText(QT_TRANSLATE_NOOP("canvas", ", not connected"));
    return (port().output ? canvasText(QT_TRANSLATE_NOOP("canvas", ", to %1"))
                          : canvasText(QT_TRANSLATE_NOOP("canvas", ", from %1")))
        .arg(others.join(QStringLiteral(", ")));
  }
  QRectF place() const override {
    const QPointF at = scene().elements().node(port().node)->portPosition(port().output, port().port);
    return {at - QPointF(6, 6), QSizeF(12, 12)};
  }
  void fill(QAccessible::State& s) const override { s.invalid = scene().index().isBroken(port()); }
  void take() override { scene().selection().setCurrent(port().node); }
  void press() override { accessibles_.press(port()); }
};

class AccessibleConnection final : public AccessiblePart {
 public:
  using AccessiblePart::AccessiblePart;
  QAccessible::Role role() const override { return QAccessible::ListItem; }

 protected:
  const Connection& wire() const { return std::get<Connection>(part_); }
  QString name() const override {
    const bool several = scene().elements().node(wire().to)->look().inputs > 1;
    QString text = several ? canvasText(QT_TRANSLATE_NOOP("canvas", "Connection from %1 to input %3 of %2"))
                           : canvasText(QT_TRANSLATE_NOOP("canvas", "Connection from %1 to %2"));
    text = text.arg(called(wire().from), called(wire().to));
    if (several) text = text.arg(wire().to_port + 1);
    text += shapeOf(wire().from);
    if (scene().index().isBroken(wire()))
      text +=
          canvasText(QT_TRANSLATE_NOOP("canvas", ", error: %1")).arg(scene().elements().node(wire().to)->problemText());
    return text;
  }
  QRectF place() const override { return scene().elements().connection(wire())->boundingRect(); }
  void fill(QAccessible::State& s) const override {
    s.selectable = true;
    s.selected = scene().elements().connection(wire())->isSelected();
    s.focused = s.selected && !scene().selection().current() && view().hasFocus();
    s.invalid = scene().index().isBroken(wire());
  }
  void take() override {
    scene().clearSelection();
    scene().elements().connection(wire())->setSelected(true);
  }
  void press() override { take(); }
};

}  // namespace

QAccessibleInterface* makeAccessible(AccessibleParts& voices, const CanvasPart& part) {
  if (std::holds_alternative<NodeId>(part)) return new AccessibleNode(voices, part);
  if (std::holds_alternative<PortRef>(part)) return new AccessiblePort(voices, part);
  return new AccessibleConnection(voices, part);
}

}  // namespace nw::ui
