// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/inspector.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QVariant>
#include <algorithm>

#include "engine/design/block_edits.hpp"
#include "engine/design/layer_type.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/edits/edit_chain.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/field_editor.hpp"
#include "ui/design/layer_picture.hpp"
#include "ui/design/tile_view.hpp"
#include "ui/page/guide_page.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

Inspector::Inspector(Canvas& canvas, QWidget* parent) : QScrollArea(parent), canvas_(canvas), scene_(canvas.scene()) {
  setObjectName(QStringLiteral("inspector"));
  setAccessibleName(tr("Settings of the layer"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  column_ = new QVBoxLayout(content);
  column_->setContentsMargins(space::l, space::m, space::l, space::l);
  column_->setSpacing(space::s);
  setWidget(content);
  connect(&scene_, &GraphScene::selectionUpdated, this, &Inspector::rebuild);
  connect(&scene_, &GraphScene::scopeChanged, this, &Inspector::rebuild);
  connect(&scene_, &GraphScene::contentChanged, this, &Inspector::rebuild);
  connect(&scene_, &GraphScene::lookChanged, this, &Inspector::refresh);
  connect(&scene_.session(), &Session::documentReplaced, this, [this] {
    refusedNames_.clear();
    refusedBlocks_.clear();
  });
  rebuild();
}

/// The layer shown: the last selected one if all selected layers have one type.
const Node* Inspector::node() const {
  const auto& all = scene_.graph().nodes;
  const auto found = all.find(scene_.selection().current());
  return found == all.end() ? nullptr : &found->second;
}

/// A key that differs if other controls are needed.
QString Inspector::key() const {
  QStringList parts{QString::fromStdString(scene_.scope())};
  if (scene_.graph().nodes.empty()) parts << QStringLiteral("empty");
  const std::vector<NodeId> nodes = scene_.selection().nodes();
  for (const NodeId id : nodes) {
    const Node& n = scene_.graph().nodes.at(id);
    parts << QString::number(id) << QString::fromStdString(n.type);
    if (const auto block = n.attrs.find("block"); block != n.attrs.end())
      parts << attrText(block->second)
            << QString::number(instances_of(scene_.doc(), attrText(block->second).toStdString()));
  }
  if (nodes.empty() && !scene_.scope().empty())
    for (const BlockParameter& p : scene_.doc().blocks().at(scene_.scope()).parameters)
      parts << QString::fromStdString(p.name);
  return parts.join('\n');
}

/// An editor that is removed while it has the focus still applies its text, to the layers it was created for.
void Inspector::removeEditors() {
  const QScopedValueRollback removing(removing_, true);
  while (QLayoutItem* item = column_->takeAt(0)) {
    if (item->widget()) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
  announceRefusal();
  editors_.clear();
  rows_.clear();
  costs_.clear();
  fields_.clear();
  layer_ = nullptr;
  updates_ = bypass_ = nullptr;
  frozenEpochs_ = lrScale_ = nullptr;
  name_ = nullptr;
  nameNote_ = nullptr;
  picture_ = nullptr;
}

void Inspector::rebuild() {
  if (removing_) return;
  if (key() == built_ && column_->count() > 0) return refresh();
  removeEditors();
  built_ = key();
  nodes_ = scene_.selection().nodes();
  scope_ = scene_.scope();
  const Node* shown = node();
  const bool oneType = shown && std::all_of(nodes_.begin(), nodes_.end(),
                                            [&](NodeId id) { return scene_.graph().nodes.at(id).type == shown->type; });
  if (!shown) {
    buildParameters();
  } else {
    buildHeader();
    const LayerType* type = find_layer(shown->type);
    if (oneType && shown->type == "Block")
      buildBlock();
    else if (oneType && type)
      buildFields(*type);
    if (shown->type != "BlockInput" && shown->type != "BlockOutput") buildTraining();
    if (nodes_.size() == 1) buildCost();
  }
  column_->addStretch(1);
  showGuidePage(oneType ? find_layer(shown->type) : nullptr);
  refresh();
}

void Inspector::showGuidePage(const LayerType* type) {
  const char* folder = type && type->loss ? "losses/" : "layers/";
  const QVariant page = type ? QVariant(QLatin1String(folder) + QString::fromUtf8(type->name)) : QVariant();
  setProperty(guidePageProperty, page);
  canvas_.setProperty(guidePageProperty, page);
}

void Inspector::buildHeader() {
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::m);
  tile_ = new TileView(header);
  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  name_ = new QLineEdit(header);
  name_->setObjectName(QStringLiteral("layerName"));
  name_->setAccessibleName(tr("Name"));
  name_->setFont(ui::font(TextRole::title));
  name_->setFrame(false);
  name_->setReadOnly(nodes_.size() > 1);
  QPalette clear = name_->palette();
  clear.setColor(QPalette::Base, Qt::transparent);
  name_->setPalette(clear);
  kind_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), header);
  kind_->setObjectName(QStringLiteral("layerKind"));
  kind_->setContentsMargins(4, 0, 0, 0);
  words->addWidget(name_);
  words->addWidget(kind_);
  row->addWidget(tile_);
  row->addLayout(words, 1);
  QPushButton* more = makeIconButton(QStringLiteral("more"), tr("More"), header);
  row->addWidget(more);
  column_->addWidget(header);
  nameNote_ = new RefusalNote;
  column_->addWidget(nameNote_);
  name_->installEventFilter(this);
  connect(name_, &QLineEdit::editingFinished, this, &Inspector::rename);
  connect(name_, &QLineEdit::textEdited, nameNote_, &RefusalNote::clear);
  connect(nameNote_, &RefusalNote::nearestWanted, this, [this](const QString& nearest) {
    name_->setFocus(Qt::OtherFocusReason);
    name_->setText(nearest);
    name_->setModified(true);
    rename();
  });
  connect(more, &QPushButton::clicked, this, [this, more] {
    QMenu menu(this);
    QAction* reset = menu.addAction(tr("Reset all settings"));
    connect(reset, &QAction::triggered, this, [this] {
      EditChain chain(scene_.doc());
      for (const NodeId id : nodes_)
        for (const Field& field : fields_)
          chain.add(set_attr(chain.doc(), scene_.scope(), id, field.name, field.otherwise));
      scene_.session().push(chain.edit(), tr("Reset settings"));
    });
    menu.addSeparator();
    fillContextMenu(canvas_.view(), menu, canvas_.view().cursorScene());
    menu.exec(more->mapToGlobal(QPoint(0, more->height())));
  });
}

void Inspector::buildFields(const LayerType& type) {
  if (nodes_.size() == 1) {
    picture_ = new LayerPicture;
    column_->addWidget(picture_);
  }
  auto* summary = makeLabel(translated(type.summary), 3, static_cast<int>(TextRole::secondary));
  summary->setWordWrap(true);
  column_->addWidget(summary);
  if (type.fields.empty()) return;
  layer_ = new FormSection(tr("Layer"));
  for (const Field& field : type.fields) type.refusal ? showField(field) : addField(field);
  column_->addWidget(layer_);
}

namespace {

/// The row's actions as its context menu. Unlike Qt::ActionsContextMenu the menu is no local variable of an event
/// handler: the row may be replaced while the menu is open, and takes the menu along.
void offerActions(QWidget* row) {
  row->setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(row, &QWidget::customContextMenuRequested, row, [row](QPoint at) {
    auto* menu = new QMenu(row);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(row->actions());
    menu->popup(row->mapToGlobal(at));
  });
}

}  // namespace

void Inspector::addField(const Field& field) {
  FieldEditor* editor = makeFieldEditor(field, !scene_.scope().empty());
  const QString name = QString::fromStdString(field.name);
  auto* row = new PanelRow(translated(field.label), editor, translated(field.help));
  offerActions(row);
  auto* reset = new QAction(tr("Reset to default"), row);
  row->addAction(reset);
  connect(reset, &QAction::triggered, this, [this, field] { edit(field.name, field.otherwise); });
  if (!scene_.scope().empty() && (field.kind == Field::Kind::integer || field.kind == Field::Kind::pair))
    row->addAction(exposeAction(field, row));
  connect(editor, &FieldEditor::edited, this, [this, field](const Attr& value) { edit(field.name, value); });
  if (field.kind != Field::Kind::text && field.kind != Field::Kind::sizes) offerSearch(*row, field.name);
  fields_.push_back(field);
  editors_[name] = editor;
  rows_[name] = row;
  layer_->addWide(row);
}

void Inspector::showField(const Field& field) {
  FieldEditor* shown = makeReadOnlyField(field);
  const QString name = QString::fromStdString(field.name);
  auto* row = new PanelRow(translated(field.label), shown, translated(field.help));
  fields_.push_back(field);
  editors_[name] = shown;
  rows_[name] = row;
  layer_->addWide(row);
}

FieldEditor* Inspector::addTrainingField(FormSection& section, const Field& field) {
  FieldEditor* editor = makeFieldEditor(field, false);
  editor->setObjectName(QString::fromStdString(field.name));
  auto* row = new PanelRow(translated(field.label), editor, translated(field.help));
  offerSearch(*row, field.name);
  section.addWide(row);
  connect(editor, &FieldEditor::edited, this, [this, field](const Attr& value) { editTraining(field, value); });
  return editor;
}

/// Of one layer, whose name may change while it is shown. The size of the input follows the data.
void Inspector::offerSearch(PanelRow& row, const std::string& field) {
  if (nodes_.size() != 1 || node()->type == "Input") return;
  row.offerSearch(scene_.session(), [this, scope = scope_, id = nodes_[0], field] {
    const auto& doc = scene_.session().doc();
    if (!doc.has_scope(scope) || !doc.graph(scope).nodes.contains(id)) return std::string();
    return (scope.empty() ? scope : scope + "/") + doc.graph(scope).nodes.at(id).name + "." + field;
  });
}

void Inspector::buildTraining() {
  auto* section = new FormSection(tr("Training"));
  const LayerType* type = find_layer(node()->type);
  const bool learns = node()->type == "Block" || (type && type->weights);
  if (learns) {
    updates_ = new ToggleSwitch(tr("Update weights"));
    updates_->setObjectName(QStringLiteral("updateWeights"));
    section->addWide(
        new PanelRow(tr("Update weights"), updates_, tr("Off: the layer is frozen and its weights are not updated.")));
    connect(updates_, &QAbstractButton::toggled, this,
            [this](bool on) { editFlag(&Node::frozen, !on, on ? tr("Unfreeze") : tr("Freeze")); });
    frozenEpochs_ = addTrainingField(*section, frozenEpochsField());
    lrScale_ = addTrainingField(*section, lrScaleField());
  }
  bypass_ = new ToggleSwitch(tr("Bypass"));
  bypass_->setObjectName(QStringLiteral("bypass"));
  section->addWide(new PanelRow(tr("Bypass"), bypass_, tr("The input is passed on unchanged.")));
  connect(bypass_, &QAbstractButton::toggled, this, [this](bool on) { editFlag(&Node::bypassed, on, tr("Bypass")); });
  column_->addWidget(section);
}

}  // namespace nw::ui
