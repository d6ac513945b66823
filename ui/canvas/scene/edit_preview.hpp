// SPDX-License-Identifier: GPL-3.0-or-later
// The preview of a quick fix, drawn over the canvas before it is applied: added layers, added and removed connections,
// changed settings.
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
  QVector<QVector<QPointF>> wires;  // corners of added connections
  QVector<Connection> gone;
  QVector<NodeId> removed;
  QVector<Change> changes;
  bool isEmpty() const {
    return cards.isEmpty() && wires.isEmpty() && gone.isEmpty() && removed.isEmpty() && changes.isEmpty();
  }
};

/// The preview of the edit in the open scope; empty if the document would reject the edit.
std::optional<EditPreview> editPreviewOf(const GraphScene& scene, const Edit& edit);
void paintEditPreview(QPainter& painter, const GraphScene& scene, const EditPreview& ghost);

}  // namespace nw::ui
