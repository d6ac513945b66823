// SPDX-License-Identifier: GPL-3.0-or-later
// The attributes of the selected layers, generated from the layer's record. Several selected layers of one type are
// edited together; every change is one undo step; consecutive changes of one spin box are merged.
#pragma once
#include <QScrollArea>
#include <map>
#include <vector>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/graph_scene.hpp"

class QAction;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace nw::ui {

class Canvas;
class FieldEditor;
class FormSection;
class LayerPicture;
class PanelRow;
class RefusalNote;
class TileView;
class ToggleSwitch;

class Inspector : public QScrollArea {
  Q_OBJECT
 public:
  explicit Inspector(Canvas& canvas, QWidget* parent = nullptr);
  /// The control of a setting, for focus and tests; null: not shown.
  QWidget* editorOf(const QString& field) const;
  void focusFirst();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void rebuild();                             // another selection, or another type
  void refresh();                             // same controls, new values
  void showGuidePage(const LayerType* type);  // nullptr: of no one type
  QString kindsOfSelection() const;
  void removeEditors();
  void buildHeader();
  void buildFields(const LayerType& type);
  void buildBlock();
  void buildTraining();
  void buildCost();
  void buildParameters();  // of the definition that is open, when nothing is selected
  void buildOpenBlock();
  void addParameterRow(FormSection& section, const BlockParameter& parameter);
  QAction* exposeAction(const Field& field, QObject* owner);
  void pushBlock(const Result<Edit>& edit, const QString& text);
  void addField(const Field& field);
  void showField(const Field& field);  // read-only
  void edit(const std::string& field, const Attr& value);
  void editFlag(bool Node::*flag, bool on, const QString& text);
  static const Field& frozenEpochsField();
  static const Field& lrScaleField();
  void offerSearch(PanelRow& row, const std::string& field);
  FieldEditor* addTrainingField(FormSection& section, const Field& field);
  void editTraining(const Field& field, const Attr& value);
  void rename();
  void announceRefusal();
  static Refusal nowFree(const QString& name);  // that was refused
  void renameShared(QLineEdit& name, RefusalNote& note, const QString& shared);
  void showName(const QString& current);
  void showCost();
  QString key() const;
  Attr valueOf(const Node& node, const Field& field) const;
  const Node* node() const;

  Canvas& canvas_;
  GraphScene& scene_;
  std::vector<NodeId> nodes_;
  std::string scope_;  // of nodes_
  QString built_;
  /// Names that were refused, as typed, until another one is accepted: of layers, and of blocks by their name.
  std::map<std::pair<std::string, NodeId>, QString> refusedNames_;
  std::map<QString, QString> refusedBlocks_;
  Refusal unsaid_;  // of the field that is shown
  QVBoxLayout* column_;
  TileView* tile_ = nullptr;
  QLineEdit* name_ = nullptr;
  RefusalNote* nameNote_ = nullptr;
  QLabel* kind_ = nullptr;
  LayerPicture* picture_ = nullptr;
  FormSection* layer_ = nullptr;
  ToggleSwitch *updates_ = nullptr, *bypass_ = nullptr;
  FieldEditor *frozenEpochs_ = nullptr, *lrScale_ = nullptr;
  std::vector<Field> fields_;
  std::map<QString, FieldEditor*> editors_;
  std::map<QString, PanelRow*> rows_;
  std::map<QString, QLabel*> costs_;
  bool refreshing_ = false, removing_ = false;
};

}  // namespace nw::ui
