// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineF>
#include <algorithm>

#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/gestures/gestures.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/hit_test.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

class ConnectGesture final : public Gesture {
 public:
  ConnectGesture(GraphView& view, PortRef from, QPointF start, bool keys)
      : view_(view), scene_(view.graph()), from_(from), at_(start), start_(start), byKeys_(keys) {
    if (!keys && !from.output) takeAlong();
    findTargets();
    if (keys) step(1);
  }
  ~ConnectGesture() override { clearHints(); }

  void move(QPointF at, Qt::KeyboardModifiers) override {
    if (byKeys_) return;
    moved_ = moved_ || QLineF(start_, at).length() * view_.camera().zoom() > 4;
    at_ = at;
    target_ = targetAt(at);
    if (target_) at_ = end(*target_).at;
    view_.viewport()->update();
  }

  void release(QPointF at, Qt::KeyboardModifiers) override {
    if (!moved_) return;
    target_ = targetAt(at);
    if (target_) return commit();
    if (const auto other = portAt(scene_, at, card::portReach);
        other && replaced_ && *other == PortRef{replaced_->to, false, replaced_->to_port})
      return;
    if (rejectAt(at)) return;
    if (!replaced_) return openAddList(view_, at, from_);
    scene_.session().push(disconnect(scene_.doc(), scene_.scope(), *replaced_),
                          canvasText(QT_TRANSLATE_NOOP("canvas", "Disconnect")));
  }

  bool key(QKeyEvent* event) override {
    if (!byKeys_) return false;
    switch (event->key()) {
      case Qt::Key_Down:
      case Qt::Key_Right:
      case Qt::Key_Tab:
        step(1);
        return true;
      case Qt::Key_Up:
      case Qt::Key_Left:
      case Qt::Key_Backtab:
        step(-1);
        return true;
      case Qt::Key_Return:
      case Qt::Key_Enter:
      case Qt::Key_W:
        if (target_) commit();
        finished = true;
        return true;
      default:
        return false;
    }
  }

  void paint(QPainter& p) override {
    const Theme& t = theme();
    const bool wrong = target_ && fits_.at(*target_).answer != Fit::Answer::fits;
    const ConnectionEnd start = end(from_);
    const ConnectionEnd tip = target_ ? end(*target_) : ConnectionEnd{at_, from_.output ? Side::top : Side::bottom, {}};
    const QVector<QPointF> corners = from_.output ? routeConnection(start, tip, {}) : routeConnection(tip, start, {});
    QPen pen(wrong ? t.error : t.ring, card::imageConnection);
    if (wrong) pen.setDashPattern({3.2, 2.6});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPath(roundedPath(corners, card::connectionRadius));
    if (target_) paintAnswer(p, tip.at, fits_.at(*target_));
  }

 private:
  ConnectionEnd end(const PortRef& port) const {
    const NodeItem* item = scene_.elements().node(port.node);
    return item ? item->end(port.output, port.port) : ConnectionEnd{at_, Side::top, {}};
  }

  void paintAnswer(QPainter& p, QPointF at, const Fit& fit) {
    const bool fits = fit.answer == Fit::Answer::fits;
    const QString words = !fits ? fit.why
                          : fit.output.rank() > 0
                              ? canvasText(QT_TRANSLATE_NOOP("canvas", "fits, gives %1")).arg(shapeText(fit.output))
                              : QString();
    if (words.isEmpty()) return;
    const Theme& t = theme();
    const QFont f = font(TextRole::secondary);
    const QRectF pill(at + QPointF(16, -34), QSizeF(QFontMetricsF(f).horizontalAdvance(words) + 20, 26));
    paintFloat(p, pill, radius::control, fits ? t.overlay : t.errorSoft, fits ? t.border2 : t.error);
    p.setFont(f);
    p.setPen(fits ? t.accentText : t.error);
    p.drawText(pill, Qt::AlignCenter, words);
  }

  /// From an occupied input the gesture moves that connection's end; the connection stays until the new port is known.
  void takeAlong() {
    for (const Connection& c : scene_.graph().connections)
      if (c.to == from_.node && c.to_port == from_.port) {
        replaced_ = c;
        from_ = {c.from, true, c.from_port};
        return;
      }
  }

  void findTargets() {
    const std::set<NodeId> around =
        from_.output ? upstream(scene_.graph(), from_.node) : downstream(scene_.graph(), from_.node);
    for (const auto& [id, item] : scene_.elements().nodes()) {
      if (id == from_.node) continue;
      const int count = from_.output ? item->look().inputs : item->look().outputs;
      QVector<PortHint> hints;
      for (int i = 0; i < count; ++i) {
        const PortRef port{id, !from_.output, i};
        const Fit fit = fitOf(scene_, wire(port), around.contains(id));
        fits_[port] = fit;
        hints << (fit.answer == Fit::Answer::fits ? PortHint::fits : PortHint::wrong);
      }
      item->setHints(!from_.output, hints);
    }
  }

  void clearHints() {
    for (const auto& [id, item] : scene_.elements().nodes()) item->clearHints();
  }

  Connection wire(const PortRef& other) const {
    return from_.output ? Connection{from_.node, from_.port, other.node, other.port}
                        : Connection{other.node, other.port, from_.node, from_.port};
  }

  bool possible(const PortRef& port) const {
    const auto found = fits_.find(port);
    return found != fits_.end() && found->second.answer != Fit::Answer::impossible;
  }

  /// The port under the pointer, or the best port of the node under it: free and fitting ports first.
  std::optional<PortRef> targetAt(QPointF at) const {
    if (const auto port = portAt(scene_, at, card::portReach * 1.4); port && possible(*port)) return port;
    const NodeItem* item = nodeAt(scene_, at);
    if (!item) return {};
    std::optional<PortRef> best;
    int worth = -1;
    for (const auto& [port, fit] : fits_) {
      if (port.node != item->id() || !possible(port)) continue;
      const int score = (fit.answer == Fit::Answer::fits ? 2 : 0) + (scene_.index().isConnected(port) ? 0 : 1);
      if (score > worth) {
        worth = score;
        best = port;
      }
    }
    return best;
  }

  bool rejectAt(QPointF at) {
    const NodeItem* item = nodeAt(scene_, at);
    if (!item) return false;
    if (item->id() == from_.node) return true;
    for (const auto& [port, fit] : fits_)
      if (port.node == item->id() && fit.answer == Fit::Answer::impossible) view_.callout().show(fit.why, at);
    return true;
  }

  void commit() {
    EditChain chain(scene_.doc());
    const Connection wanted = wire(*target_);
    if (replaced_ && *replaced_ == wanted) return;
    if (replaced_) chain.add(disconnect(chain.doc(), scene_.scope(), *replaced_));
    chain.add(connect(chain.doc(), scene_.scope(), wanted));
    const Fit fit = fits_.at(*target_);
    if (!chain.ok()) return view_.callout().show(translated(chain.refusal()), at_);
    scene_.session().push(chain.edit(), canvasText(QT_TRANSLATE_NOOP("canvas", "Connect")));
    if (fit.answer == Fit::Answer::wrong) view_.callout().show(fit.why, at_);
  }

  /// Keyboard: the possible ports from near to far, fitting ones first.
  void step(int by) {
    if (order_.empty()) {
      for (const auto& [port, fit] : fits_)
        if (possible(port)) order_.push_back(port);
      const QPointF origin = end(from_).at;
      std::stable_sort(order_.begin(), order_.end(), [&](const PortRef& a, const PortRef& b) {
        const bool fa = fits_.at(a).answer == Fit::Answer::fits, fb = fits_.at(b).answer == Fit::Answer::fits;
        return fa != fb ? fa : QLineF(origin, end(a).at).length() < QLineF(origin, end(b).at).length();
      });
      index_ = by > 0 ? -1 : 0;
    }
    if (order_.empty()) return;
    const int count = static_cast<int>(order_.size());
    index_ = (index_ + by + count) % count;
    target_ = order_[static_cast<std::size_t>(index_)];
    at_ = end(*target_).at;
    view_.camera().reveal(target_->node);
    view_.viewport()->update();
  }

  GraphView& view_;
  GraphScene& scene_;
  PortRef from_;
  QPointF at_, start_;
  bool byKeys_, moved_ = false;
  std::optional<Connection> replaced_;
  std::map<PortRef, Fit> fits_;
  std::optional<PortRef> target_;
  std::vector<PortRef> order_;
  int index_ = -1;
};

}  // namespace

std::unique_ptr<Gesture> connectGesture(GraphView& view, const PortRef& from, QPointF start) {
  return std::make_unique<ConnectGesture>(view, from, start, false);
}
std::unique_ptr<Gesture> connectByKeys(GraphView& view, const PortRef& from) {
  const NodeItem* item = view.graph().elements().node(from.node);
  return std::make_unique<ConnectGesture>(view, from, item ? item->portPosition(from.output, from.port) : QPointF(),
                                          true);
}

}  // namespace nw::ui
