// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector's values: shown after every change, and written back as edits.
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/edits/edit_chain.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/field_editor.hpp"
#include "ui/design/inspector.hpp"
#include "ui/design/layer_picture.hpp"
#include "ui/design/layer_rows.hpp"
#include "ui/design/tile_view.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// The frame a node lies in, for "Conv2d in Feature extractor".
QString frameOf(const Graph& graph, const Point& p) {
  for (const auto& [id, f] : graph.frames)
    if (p.x >= f.rect.x && p.x <= f.rect.x + f.rect.width && p.y >= f.rect.y && p.y <= f.rect.y + f.rect.height)
      return frameTitle(f.title);
  return {};
}

}  // namespace

QWidget* Inspector::editorOf(const QString& field) const {
  const auto found = editors_.find(field);
  return found == editors_.end() ? nullptr : found->second->focusProxy();
}

void Inspector::focusFirst() {
  if (!fields_.empty())
    editors_.at(QString::fromStdString(fields_.front().name))->setFocus(Qt::OtherFocusReason);
  else if (name_)
    name_->setFocus(Qt::OtherFocusReason);
}

Attr Inspector::valueOf(const Node& node, const Field& field) const {
  const auto own = node.attrs.find(field.name);
  return own == node.attrs.end() ? field.otherwise : own->second;
}

/// "2 × Conv2d, 1 × ReLU" for layers of several types; otherwise empty.
QString Inspector::kindsOfSelection() const {
  std::vector<std::pair<QString, int>> kinds;  // in the order of the selection
  for (const NodeId id : nodes_) {
    const NodeItem* item = scene_.elements().node(id);
    if (!item) continue;
    const QString& title = item->look().title;
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == title; });
    if (known == kinds.end())
      kinds.emplace_back(title, 1);
    else
      ++known->second;
  }
  QStringList words;
  for (const auto& [title, count] : kinds) words << QStringLiteral("%1 × %2").arg(count).arg(title);
  return words.size() > 1 ? words.join(QStringLiteral(", ")) : QString();
}

void Inspector::refresh() {
  if (removing_) return;
  const Node* shown = node();
  if (!shown) {
    if (scene_.scope().empty() || !scene_.doc().has_scope(scene_.scope())) return;
    for (const BlockParameter& p : scene_.doc().blocks().at(scene_.scope()).parameters)
      if (const auto editor = editors_.find(QString::fromStdString(p.name)); editor != editors_.end())
        editor->second->setValue(p.value);
    return;
  }
  if (key() != built_) return rebuild();
  const NodeItem* item = scene_.elements().node(scene_.selection().current());
  if (!item || !name_) return;
  refreshing_ = true;
  const NodeText& look = item->look();
  const QString kinds = kindsOfSelection();
  tile_->show(kinds.isEmpty() ? look.icon : QStringLiteral("layers"), kinds.isEmpty() ? look.group : QString());
  showName(look.name);
  const QString frame = frameOf(scene_.graph(), shown->position);
  const QString note = layerNote(look.type), title = note.isEmpty() ? look.title : look.title + u' ' + note;
  kind_->setText(!kinds.isEmpty() ? kinds : frame.isEmpty() ? title : tr("%1 in %2").arg(title, frame));
  kind_->setToolTip(kinds);
  for (const Field& field : fields_) {
    const QString name = QString::fromStdString(field.name);
    editors_.at(name)->setValue(valueOf(*shown, field));
    const Attr first = valueOf(*shown, field);
    const bool differ = std::any_of(nodes_.begin(), nodes_.end(),
                                    [&](NodeId id) { return valueOf(scene_.graph().nodes.at(id), field) != first; });
    editors_.at(name)->setToolTip(differ ? tr("The selected layers have different values") : QString());
  }
  if (updates_) {
    updates_->setChecked(!shown->frozen);
    updates_->update();
  }
  if (frozenEpochs_) {
    frozenEpochs_->setValue(shown->frozen_epochs);
    frozenEpochs_->setEnabled(!shown->frozen);
    lrScale_->setValue(shown->lr_scale);
    lrScale_->setEnabled(!shown->frozen);
  }
  if (bypass_) {
    bypass_->setChecked(shown->bypassed);
    bypass_->update();
  }
  if (picture_) picture_->show(*shown, scene_.facts(scene_.selection().current()));
  showCost();
  refreshing_ = false;
}

void Inspector::edit(const std::string& field, const Attr& value) {
  if (refreshing_) return;
  EditChain chain(scene_.doc());
  for (const NodeId id : nodes_)
    if (scene_.graph().nodes.contains(id)) chain.add(set_attr(chain.doc(), scene_.scope(), id, field, value));
  if (chain.edit().empty()) return;
  QString label = QString::fromStdString(field);
  for (const Field& f : fields_)
    if (f.name == field) label = translated(f.label);
  // One spin box on one selection: its steps become one step of undo.
  const auto run = qHash(built_ + QString::fromStdString(field)) & 0x3fffffff;
  scene_.session().push(chain.edit(), tr("Change %1").arg(label.toLower()), static_cast<int>(run) | 1);
}

// How a layer is trained is no attribute of it, but edited in the same way.
const Field& Inspector::frozenEpochsField() {
  static const Field field =
      integer_field("frozen_epochs", text(NW_TR("Frozen epochs")), 0, 0, most_frozen_epochs,
                    text(NW_TR("The weights are not updated in so many epochs at the start of a run.")));
  return field;
}
const Field& Inspector::lrScaleField() {
  static const Field field = real_field("lr_scale", text(NW_TR("Rate factor")), 1, 1e-6, largest_lr_scale,
                                        text(NW_TR("Multiplies the learning rate of the run for this layer.")));
  return field;
}

void Inspector::editTraining(const Field& field, const Attr& value) {
  if (refreshing_) return;
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  EditChain chain(scene_.doc());
  for (const NodeId id : nodes_) {
    Node changed = scene_.graph().nodes.at(id);
    if (field.name == "frozen_epochs" && whole) changed.frozen_epochs = *whole;
    if (field.name == "lr_scale" && (whole || real)) changed.lr_scale = real ? *real : static_cast<double>(*whole);
    if (changed != scene_.graph().nodes.at(id)) chain.add({PutNode{scene_.scope(), id, changed}});
  }
  const auto run = qHash(built_ + QString::fromStdString(field.name)) & 0x3fffffff;
  scene_.session().push(chain.edit(), tr("Change %1").arg(translated(field.label).toLower()),
                        static_cast<int>(run) | 1);
}

void Inspector::editFlag(bool Node::*flag, bool on, const QString& text) {
  if (refreshing_) return;
  EditChain chain(scene_.doc());
  for (const NodeId id : nodes_) {
    Node changed = scene_.graph().nodes.at(id);
    if (changed.*flag == on) continue;
    changed.*flag = on;
    chain.add({PutNode{scene_.scope(), id, changed}});
  }
  scene_.session().push(chain.edit(), text);
}

/// Escape gives a refused name up.
bool Inspector::eventFilter(QObject* watched, QEvent* event) {
  const bool escape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
  if (!escape || watched != name_ || nodes_.size() != 1 || !refusedNames_.erase({scope_, nodes_[0]}))
    return QScrollArea::eventFilter(watched, event);
  unsaid_ = {};
  name_->setModified(false);
  refresh();
  return true;
}

void Inspector::rename() {
  if (refreshing_ || nodes_.size() != 1 || !name_->isModified()) return;
  name_->setModified(false);
  const QString typed = name_->text();
  const auto place = std::pair(scope_, nodes_[0]);
  refusedNames_.erase(place);
  unsaid_ = renameNode(scene_, place.first, place.second, typed);
  if (!unsaid_.sentence.isEmpty()) refusedNames_[place] = typed;
  if (!removing_) refresh();
}

/// A refusal that was shown at the field for a moment only, for the field is removed, is also a message.
void Inspector::announceRefusal() {
  const Refusal refusal = std::exchange(unsaid_, {});
  if (refusal.sentence.isEmpty() || nodes_.size() != 1) return;
  NotificationActions actions;
  if (!refusal.nearest.isEmpty())
    actions.append({tr("Use %1").arg(refusal.nearest), [this, scope = scope_, id = nodes_[0], name = refusal.nearest] {
                      refusedNames_.erase({scope, id});
                      renameNode(scene_, scope, id, name);
                    }});
  Q_EMIT scene_.session().message(refusal.sentence, 1, actions);
}

Refusal Inspector::nowFree(const QString& name) {
  return {tr("The name %1 is free now.").arg(name.trimmed()), name.trimmed()};
}

/// A refused name stays, with the reason and a free name; it is checked again, for names become free.
void Inspector::showName(const QString& current) {
  if (name_->isModified()) return;
  const auto refused = nodes_.size() == 1 ? refusedNames_.find({scope_, nodes_[0]}) : refusedNames_.end();
  const bool own = refused != refusedNames_.end();
  Refusal why = own ? refusalOfName(scene_, scope_, nodes_[0], refused->second) : Refusal{};
  if (own && why.sentence.isEmpty()) why = nowFree(refused->second);
  const QString shown = nodes_.size() > 1 ? tr("%n layer(s)", nullptr, static_cast<int>(nodes_.size()))
                        : own             ? refused->second
                                          : current;
  if (name_->text() != shown) name_->setText(shown);  // what is selected in it stays so
  name_->setAccessibleDescription(why.sentence);
  nameNote_->say(why.sentence, why.nearest);
}

void Inspector::buildCost() {
  auto* section = new FormSection(tr("Cost"));
  const auto row = [&](const QString& id, const QString& label) {
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(makeLabel(label, 2));
    layout->addStretch(1);
    QLabel* value = makeLabel({}, 1, static_cast<int>(TextRole::button));
    value->setObjectName(QStringLiteral("cost-") + id);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(value);
    section->addWide(line);
    costs_[id] = value;
  };
  row(QStringLiteral("output"), tr("Output"));
  row(QStringLiteral("parameters"), tr("Parameters"));
  row(QStringLiteral("multiply-adds"), tr("Multiply-adds"));
  row(QStringLiteral("activations"), tr("Activations, batch %1").arg(scene_.doc().settings().batch));
  row(QStringLiteral("share"), tr("Share of the computation"));
  column_->addWidget(section);
}

void Inspector::showCost() {
  if (costs_.empty()) return;
  const NodeInfo* facts = scene_.facts(scene_.selection().current());
  const QString unknown = QStringLiteral("?");
  const bool known = facts && facts->output.rank() > 0;
  const auto say = [&](const char* id, const QString& text) {
    costs_.at(QLatin1String(id))->setText(known ? text : unknown);
  };
  if (!known) facts = nullptr;
  const double total = static_cast<double>(scene_.session().analysis().multiply_adds);
  say("output", facts ? shapeText(facts->output) : unknown);
  say("parameters", facts ? grouped(facts->parameters) : unknown);
  say("multiply-adds", facts ? rounded(static_cast<double>(facts->multiply_adds)) : unknown);
  say("activations",
      facts ? bytesText(static_cast<double>(facts->activation_bytes * scene_.doc().settings().batch)) : unknown);
  say("share", facts && total > 0 ? percentText(static_cast<double>(facts->multiply_adds) / total, 0) : unknown);
}

}  // namespace nw::ui
