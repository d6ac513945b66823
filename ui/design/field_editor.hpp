// SPDX-License-Identifier: GPL-3.0-or-later
// One control per kind of attribute, created from the layer type. Inside a block, numbers may be text over the block's
// parameters: "$filters*2".
#pragma once
#include <QWidget>

#include "engine/design/layer_type.hpp"

namespace nw::ui {

class FieldEditor : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  /// Shows a value without emitting an edit.
  virtual void setValue(const Attr& value) = 0;
 Q_SIGNALS:
  void edited(const nw::Attr& value);
};

/// `expressions`: the field belongs to a block's definition.
FieldEditor* makeFieldEditor(const Field& field, bool expressions, QWidget* parent = nullptr);
/// Shows the value as text that can be copied.
FieldEditor* makeReadOnlyField(const Field& field, QWidget* parent = nullptr);

}  // namespace nw::ui
