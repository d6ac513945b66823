// SPDX-License-Identifier: GPL-3.0-or-later
// Adding layers by typing: a search field above the layers, each with its output shape; those that fit come first. The
// list lies above everything in its window.
#pragma once
#include <QFrame>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <optional>

#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class AddList : public QFrame {
  Q_OBJECT
 public:
  enum class Shows : quint8 { fitting, all };
  /// With `from`: a layer that cannot be connected to the port is left out, one that would cause a problem too if only
  /// fitting ones are shown. `view` receives the focus when the list is closed by Escape.
  AddList(GraphScene& scene, std::optional<PortRef> from, Shows shows, QWidget& view);
  /// Below the point of the view, or above it where there is no room below.
  void openAt(QPoint inView);
  void close();
  const QWidget* view() const { return view_; }
  bool isClosing() const { return closing_; }  // it is deleted when control returns to the event loop
  QLineEdit& search() { return *search_; }
  QStringList shown() const;  // palette ids that pass the filter

 Q_SIGNALS:
  void picked(const QString& id);

 protected:
  void paintEvent(QPaintEvent*) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void closeIfStale();
  void fill();
  void addRow(const QString& id, const QString& wrong, const QString& output);
  void take();

  GraphScene& scene_;
  QPointer<QWidget> view_;
  std::optional<PortRef> from_;
  Shows shows_;
  QLineEdit* search_;
  QListWidget* list_;
  bool closing_ = false;
};

/// Everything that can be added in this scope: layers and blocks by palette id.
QStringList addable(const GraphScene& scene);
/// How well `query` matches a layer: < 0: no match; a prefix scores most, then a substring, then the letters in order.
int matchScore(const QString& name, const QString& query);

}  // namespace nw::ui
