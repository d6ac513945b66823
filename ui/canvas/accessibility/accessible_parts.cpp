// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/accessibility/accessible_parts.hpp"

#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/gestures/gestures.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/reading_order.hpp"

namespace nw::ui {

AccessibleParts::~AccessibleParts() {
  view_.clear();
  for (const auto& [part, voice] : accessibles_) QAccessible::deleteAccessibleInterface(voice);
}

bool AccessibleParts::hasPart(const CanvasPart& part) const {
  const GraphScene* s = scene();
  if (!s) return false;
  if (const auto* node = std::get_if<NodeId>(&part)) return s->elements().node(*node) != nullptr;
  if (const auto* wire = std::get_if<Connection>(&part)) return s->elements().connection(*wire) != nullptr;
  const auto& port = std::get<PortRef>(part);
  const NodeItem* item = s->elements().node(port.node);
  return item && port.port < (port.output ? item->look().outputs : item->look().inputs);
}

QAccessibleInterface* AccessibleParts::of(const CanvasPart& part) {
  if (const auto known = accessibles_.find(part); known != accessibles_.end())
    return QAccessible::accessibleInterface(known->second);
  if (!hasPart(part)) return nullptr;
  QAccessibleInterface* made = makeAccessible(*this, part);
  const QAccessible::Id id = QAccessible::registerAccessibleInterface(made);
  accessibles_[part] = id;
  accessibleOf_.emplace(id, part);
  return made;
}

std::optional<CanvasPart> AccessibleParts::partOf(const QAccessibleInterface* voice) const {
  const auto found =
      voice ? accessibleOf_.find(QAccessible::uniqueId(const_cast<QAccessibleInterface*>(voice))) : accessibleOf_.end();
  return found == accessibleOf_.end() ? std::nullopt : std::optional<CanvasPart>(found->second);
}

const std::vector<CanvasPart>& AccessibleParts::parts() {
  if (!std::exchange(stale_, false)) return parts_;
  parts_.clear();
  places_.clear();
  if (const GraphScene* s = scene()) {
    for (const NodeId id : readingOrder(s->graph()))
      if (s->elements().node(id)) parts_.emplace_back(id);
    for (const auto& [wire, item] : s->elements().connections()) parts_.emplace_back(wire);
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) places_[parts_[i]] = static_cast<int>(i);
  return parts_;
}

int AccessibleParts::indexOf(const CanvasPart& part) {
  parts();
  const auto found = places_.find(part);
  return found == places_.end() ? -1 : found->second;
}

std::vector<CanvasPart> AccessibleParts::portsOf(NodeId node) const {
  std::vector<CanvasPart> ports;
  const NodeItem* item = scene() ? scene()->elements().node(node) : nullptr;
  if (!item) return ports;
  for (int i = 0; i < item->look().inputs; ++i) ports.emplace_back(PortRef{node, false, i});
  for (int i = 0; i < item->look().outputs; ++i) ports.emplace_back(PortRef{node, true, i});
  return ports;
}

void AccessibleParts::announce(const CanvasPart& part, QAccessible::Event kind) {
  QAccessibleEvent event(of(part), kind);
  QAccessible::updateAccessibility(&event);
}

void AccessibleParts::followContent() {
  const std::vector<CanvasPart> before = stale_ ? std::vector<CanvasPart>{} : parts_;
  const std::map<CanvasPart, int> known = std::exchange(places_, {});
  const bool told = !std::exchange(stale_, true) && QAccessible::isActive();
  for (auto it = accessibles_.begin(); it != accessibles_.end();) {
    if (hasPart(it->first)) {
      ++it;
      continue;
    }
    const auto gone = *it;
    QAccessibleEvent event(QAccessible::accessibleInterface(gone.second), QAccessible::ObjectDestroyed);
    QAccessible::updateAccessibility(&event);
    it = accessibles_.erase(it);
    accessibleOf_.erase(gone.second);
    QAccessible::deleteAccessibleInterface(gone.second);
  }
  if (!told) return;  // no accessible object of the canvas was requested yet
  for (const CanvasPart& part : std::vector<CanvasPart>(parts()))
    if (!known.contains(part)) announce(part, QAccessible::ObjectCreated);
}

void AccessibleParts::press(const PortRef& port) {
  if (!view_) return;
  if (!taken_ || taken_->output == port.output || !hasPart(*taken_)) {
    taken_ = port;
    view_->setFocus();
    return view_->begin(connectByKeys(*view_, port));
  }
  const PortRef out = port.output ? port : *taken_, in = port.output ? *taken_ : port;
  taken_.reset();
  view_->cancel();
  const Connection wire{out.node, out.port, in.node, in.port};
  const Fit fit = fitOf(*scene(), wire);
  EditChain chain(scene()->doc());
  ui::push(*scene(), chain.add(connect(chain.doc(), scene()->scope(), wire)), QT_TRANSLATE_NOOP("canvas", "Connect"));
  if (fit.answer == Fit::Answer::wrong)
    view_->callout().show(fit.why, scene()->elements().node(in.node)->portPosition(false, in.port));
}

}  // namespace nw::ui
