// SPDX-License-Identifier: GPL-3.0-or-later
// Adding layers by typing: a search field above the layers that fit, each with its output shape.
#pragma once
#include <QFrame>
#include <QLineEdit>
#include <QListWidget>
#include <optional>

#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class AddList : public QFrame {
  Q_OBJECT
 public:
  AddList(GraphScene& scene, std::optional<PortRef> from, QWidget* parent);
  void openAt(QPoint where);  // in parent coordinates; clamped to the parent
  void close();
  bool isClosing() const { return closing_; }  // it is deleted when control returns to the event loop
  QLineEdit& search() { return *search_; }
  QStringList shown() const;  // palette ids that pass the filter

 Q_SIGNALS:
  void picked(const QString& id);

 protected:
  void paintEvent(QPaintEvent*) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void fill();
  void take();

  GraphScene& scene_;
  std::optional<PortRef> from_;
  QLineEdit* search_;
  QListWidget* list_;
  bool closing_ = false;
};

/// Everything that can be added in this scope: layers and blocks by palette id.
QStringList addable(const GraphScene& scene);
/// How well `query` matches a layer: < 0: no match; a prefix scores most, then a substring, then the letters in order.
int matchScore(const QString& name, const QString& query);

}  // namespace nw::ui
