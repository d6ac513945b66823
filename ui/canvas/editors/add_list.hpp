// SPDX-License-Identifier: GPL-3.0-or-later
// Add by typing: a search field over the layers that fit, each with the shape it would give.
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
  void openAt(QPoint where);  // parent coordinates; kept inside
  void close();
  bool isClosing() const { return closing_; }  // it is deleted when control returns to the event loop
  QLineEdit& search() { return *search_; }
  QStringList shown() const;  // palette ids, as filtered

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
/// How well `query` matches a layer: < 0 not at all; letters in order count, beginnings count more.
int matchScore(const QString& name, const QString& query);

}  // namespace nw::ui
