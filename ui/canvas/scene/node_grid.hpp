// SPDX-License-Identifier: GPL-3.0-or-later
// A spatial index of node rectangles by grid square, so that thousands of connections find their obstacles without
// testing every node.
#pragma once
#include <QHash>
#include <QRectF>
#include <QVector>
#include <algorithm>
#include <cmath>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class NodeGrid {
 public:
  void put(NodeId id, const QRectF& card) {
    remove(id);
    const Square at{square(card.center().x()), square(card.center().y())};
    squares_[at].append({id, card});
    at_[id] = at;
    reach_ = {std::max(reach_.width(), card.width() / 2), std::max(reach_.height(), card.height() / 2)};
  }
  void remove(NodeId id) {
    const auto known = at_.constFind(id);
    if (known == at_.constEnd()) return;
    const auto cards = squares_.find(*known);
    cards->removeIf([id](const Card& card) { return card.id == id; });
    if (cards->isEmpty()) squares_.erase(cards);
    at_.erase(known);
  }
  void clear() {
    squares_.clear();
    at_.clear();
    reach_ = {0, 0};
  }
  /// The rectangles that touch `area`, without those of the nodes `from` and `to`.
  QVector<QRectF> near(const QRectF& area, NodeId from, NodeId to) const {
    QVector<QRectF> found;
    const auto take = [&](const QVector<Card>& cards) {
      for (const Card& card : cards)
        if (card.id != from && card.id != to && card.place.adjusted(-10, -10, 10, 10).intersects(area))
          found << card.place;
    };
    const QRectF wide =
        area.adjusted(-reach_.width() - 10, -reach_.height() - 10, reach_.width() + 10, reach_.height() + 10);
    const int left = square(wide.left()), right = square(wide.right()), top = square(wide.top()),
              bottom = square(wide.bottom());
    if (double(right - left + 1) * (bottom - top + 1) > static_cast<double>(squares_.size())) {  // nearly everywhere
      for (const QVector<Card>& cards : squares_) take(cards);
      return found;
    }
    for (int x = left; x <= right; ++x)
      for (int y = top; y <= bottom; ++y)
        if (const auto cards = squares_.constFind({x, y}); cards != squares_.constEnd()) take(*cards);
    return found;
  }

 private:
  struct Card {
    NodeId id;
    QRectF place;
  };
  using Square = std::pair<int, int>;
  static constexpr qreal side = 400;
  static int square(qreal at) { return static_cast<int>(std::floor(std::clamp(at, -1e8, 1e8) / side)); }
  QHash<Square, QVector<Card>> squares_;
  QHash<NodeId, Square> at_;
  QSizeF reach_{0, 0};
};

}  // namespace nw::ui
