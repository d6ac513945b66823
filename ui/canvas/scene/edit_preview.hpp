// SPDX-License-Identifier: GPL-3.0-or-later
// What a repair would do, drawn over the canvas before it is applied: layers to come, connections to come and to go,
// settings that change.
#pragma once
#include <QPainter>
#include <QString>
#include <QVector>
#include <optional>
#include <string>

#include "engine/design/graph_doc.hpp"
#include "ui/canvas/scene/connection_route.hpp"

namespace nw::ui {

class GraphScene;

struct EditPreview {
  struct Card {
    QRectF place;
    QString title, settings, group, icon;
  };
  struct Change {
    NodeId node;
    QString text;
  };  // "padding: 0×0 → 2×2"
  QVector<Card> cards;
  QVector<QVector<QPointF>> wires;  // corners of connections to come
  QVector<Connection> gone;
  QVector<NodeId> removed;
  QVector<Change> changes;
  bool isEmpty() const {
    return cards.isEmpty() && wires.isEmpty() && gone.isEmpty() && removed.isEmpty() && changes.isEmpty();
  }
};

/// What the edit would do to the scope on show; nothing when the document would refuse it.
std::optional<EditPreview> editPreviewOf(const GraphScene& scene, const Edit& edit);
void paintEditPreview(QPainter& painter, const GraphScene& scene, const EditPreview& ghost);

}  // namespace nw::ui
