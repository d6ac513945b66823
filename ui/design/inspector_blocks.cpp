// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector's controls for blocks: an instance's definition, repeat and parameters; the parameters of the
// definition that is open.
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "engine/design/block_edits.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/commands/block_commands.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/design/field_editor.hpp"
#include "ui/design/inspector.hpp"
#include "ui/design/network_summary.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

void Inspector::pushBlock(const Result<Edit>& edit, const QString& text) {
  if (edit)
    scene_.session().push(*edit, text);
  else
    Q_EMIT scene_.session().message(translated(edit.error().what), 1);
}

void Inspector::renameShared(QLineEdit& name, RefusalNote& note, const QString& shared) {
  if (!name.isModified()) return;
  name.setModified(false);
  refusedBlocks_.erase(shared);
  const QString typed = name.text();
  const Refusal why = renameBlock(scene_, shared, typed.trimmed());  // an accepted one removes the field
  if (why.sentence.isEmpty()) return;
  refusedBlocks_[shared] = typed;
  name.setAccessibleDescription(why.sentence);
  note.say(why.sentence, why.nearest);
}

void Inspector::buildBlock() {
  layer_ = new FormSection(tr("Block"));
  const QString shared = attrText(node()->attrs.at("block"));
  auto* name = new QLineEdit(shared);
  name->setObjectName(QStringLiteral("blockName"));
  name->setAccessibleName(tr("Name of the block"));
  auto* note = new RefusalNote;
  connect(name, &QLineEdit::editingFinished, this, [=, this] { renameShared(*name, *note, shared); });
  connect(name, &QLineEdit::textEdited, note, &RefusalNote::clear);
  connect(note, &RefusalNote::nearestWanted, this, [=, this](const QString& nearest) {
    name->setFocus(Qt::OtherFocusReason);
    name->setText(nearest);
    name->setModified(true);
    renameShared(*name, *note, shared);
  });
  const int drawn = instances_of(scene_.doc(), shared.toStdString());
  layer_->addWide(new PanelRow(tr("Definition"), name, tr("Used in %n place(s); all change with it.", nullptr, drawn)));
  layer_->addWide(note);
  if (const auto refused = refusedBlocks_.find(shared); refused != refusedBlocks_.end()) {
    name->setText(refused->second);
    Refusal why = refusalOfBlockName(scene_, shared, refused->second);
    if (why.sentence.isEmpty()) why = nowFree(refused->second);
    note->say(why.sentence, why.nearest);
  }
  addField(integer_field("repeat", Text{tr("Repeat").toStdString(), {}}, 1, 1, 1000,
                         Text{tr("How many times the block is repeated in sequence.").toStdString(), {}}));
  const auto block = scene_.doc().blocks().find(shared.toStdString());
  if (block != scene_.doc().blocks().end())
    for (const BlockParameter& p : block->second.parameters)
      addField(integer_field(p.name, Text{p.name, {}}, p.value, 1, 1 << 20,
                             Text{tr("A parameter of the block.").toStdString(), {}}));
  QPushButton* open = makeButton(tr("Open the definition"), ButtonKind::neutral, QStringLiteral("layers"));
  open->setObjectName(QStringLiteral("openDefinition"));
  connect(open, &QPushButton::clicked, this, [this] { enterBlock(scene_, scene_.selection().current()); });
  layer_->addWide(open);
  if (drawn > static_cast<int>(nodes_.size())) {
    QPushButton* own = makeButton(tr("Make unique"), ButtonKind::neutral, QStringLiteral("unique"));
    own->setObjectName(QStringLiteral("makeUnique"));
    own->setToolTip(tr("The selected block gets its own definition"));
    connect(own, &QPushButton::clicked, this, [this] { makeSelectedUnique(canvas_.view()); });
    layer_->addWide(own);
  }
  column_->addWidget(layer_);
}

QAction* Inspector::exposeAction(const Field& field, QObject* owner) {
  auto* expose = new QAction(tr("Make it a parameter of the block"), owner);
  expose->setObjectName(QStringLiteral("expose-") + QString::fromStdString(field.name));
  connect(expose, &QAction::triggered, this, [this, name = field.name] {
    pushBlock(expose_setting(scene_.doc(), scene_.scope(), scene_.selection().current(), name), tr("Add parameter"));
  });
  return expose;
}

void Inspector::buildParameters() {
  if (!scene_.scope().empty()) return buildOpenBlock();
  if (scene_.graph().nodes.empty()) {
    auto* nothing = new EmptyState;
    nothing->show(QStringLiteral("pointer"), tr("No layer selected"),
                  tr("Select a layer to see and change its settings"));
    nothing->setMinimumHeight(220);
    column_->addWidget(nothing);
    return;
  }
  column_->addWidget(new NetworkSummary(scene_));
  column_->addSpacing(space::s);
  QLabel* hint =
      makeLabel(tr("Select a layer to see and change its settings"), 3, static_cast<int>(TextRole::secondary));
  hint->setWordWrap(true);
  column_->addWidget(hint);
}

void Inspector::buildOpenBlock() {
  const std::string scope = scene_.scope();
  auto* section = new FormSection(tr("Parameters of %1").arg(QString::fromStdString(scope)));
  for (const BlockParameter& p : scene_.doc().blocks().at(scope).parameters) addParameterRow(*section, p);
  auto* fresh = new QLineEdit;
  fresh->setObjectName(QStringLiteral("newParameter"));
  fresh->setPlaceholderText(tr("New parameter"));
  fresh->setAccessibleName(tr("New parameter"));
  connect(fresh, &QLineEdit::returnPressed, this, [this, fresh, scope] {
    pushBlock(add_parameter(scene_.doc(), scope, fresh->text().trimmed().toStdString(), 1), tr("Add parameter"));
  });
  section->addWide(fresh);
  column_->addWidget(section);
}

void Inspector::addParameterRow(FormSection& section, const BlockParameter& p) {
  const QString shown = QString::fromStdString(p.name);
  const Field field = integer_field(p.name, Text{p.name, {}}, p.value, 1, 1 << 20, Text{});
  FieldEditor* editor = makeFieldEditor(field, false);
  // An editor that loses the focus by leaving the block still applies its value, to its own block.
  connect(editor, &FieldEditor::edited, this, [this, scope = scene_.scope(), name = p.name](const Attr& value) {
    const auto found = scene_.doc().blocks().find(scope);
    if (found == scene_.doc().blocks().end()) return;
    Block block = found->second;
    for (BlockParameter& own : block.parameters)
      if (own.name == name) own.value = std::get<std::int64_t>(value);
    scene_.session().push({PutBlock{scope, block}}, tr("Change %1").arg(QString::fromStdString(name)));
  });
  fields_.push_back(field);
  editors_[shown] = editor;
  auto* both = new QWidget;
  auto* line = new QHBoxLayout(both);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(space::xs);
  line->addWidget(editor, 1);
  QPushButton* remove = makeIconButton(QStringLiteral("trash"), tr("Remove %1").arg(shown), both);
  remove->setObjectName(QStringLiteral("remove-") + shown);
  connect(remove, &QPushButton::clicked, this, [this, name = p.name] {
    pushBlock(remove_parameter(scene_.doc(), scene_.scope(), name), tr("Remove parameter"));
  });
  line->addWidget(remove);
  section.addWide(new PanelRow(QStringLiteral("$") + shown, both, tr("Used in settings as $%1").arg(shown)));
}

}  // namespace nw::ui
