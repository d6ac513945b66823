// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the selected layer, made from its record; several selected layers of one type are set together.
#pragma once
#include <QVBoxLayout>
#include <QWidget>
#include <functional>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/graph_scene.hpp"

class QLineEdit;

namespace nw::ui {

class FormSection;
class GraphView;

class Inspector : public QWidget {
  Q_OBJECT
 public:
  explicit Inspector(GraphView& view, QWidget* parent = nullptr);
  /// Focus goes to the first setting (Enter on the canvas).
  void focusFirst();

 private:
  void rebuild();
  void refresh();
  void addHeader(const Node& node, const QString& type, const QString& group, const QString& summary);
  void addLayerFields(const LayerType& type);
  void addBlockFields(const Node& node);
  void addTraining(const Node& node, const LayerType* type);
  void addCost();
  QWidget* control(const Field& field);
  QWidget* formulaEdit(const Field& field);
  QWidget* numberEdit(const Field& field);
  QWidget* pairEdit(const Field& field);
  void set(const std::string& attr, Attr value);
  void change(const QString& text, const std::function<void(Node&)>& edit, int mergeKey = 0);
  const Node* node() const;
  Attr value(const Field& field) const;

  GraphView& view_;
  GraphScene& scene_;
  QWidget* page_ = nullptr;
  QVBoxLayout* layout_;
  QString key_;                                   // what the form was built for
  bool refreshing_ = false;
  std::vector<std::function<void()>> refreshers_;
};

}  // namespace nw::ui
