// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/inspector.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>

#include "ui/canvas/commands.hpp"
#include "ui/canvas/graph_view.hpp"
#include "ui/design/layer_tile.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QString label_of(const Field& f) { return translated(f.label); }

int merge_key(NodeId node, const std::string& attr) { return static_cast<int>(qHash(QString::fromStdString(attr), static_cast<size_t>(node)) & 0x3fffffff) + 1; }

}  // namespace

Inspector::Inspector(GraphView& view, QWidget* parent) : QWidget(parent), view_(view), scene_(view.graph()) {
  setObjectName(QStringLiteral("inspector"));
  layout_ = new QVBoxLayout(this);
  layout_->setContentsMargins(0, 0, 0, 0);
  connect(&scene_, &QGraphicsScene::selectionChanged, this, &Inspector::rebuild);
  connect(&scene_, &GraphScene::scopeChanged, this, &Inspector::rebuild);
  connect(&scene_.session(), &Session::documentChanged, this, &Inspector::rebuild);
  connect(&scene_.session(), &Session::documentReplaced, this, &Inspector::rebuild);
  connect(&scene_.session(), &Session::analysisChanged, this, &Inspector::refresh);
  rebuild();
}

const Node* Inspector::node() const {
  const auto& nodes = scene_.graph().nodes;
  const auto it = nodes.find(scene_.current());
  return it == nodes.end() ? nullptr : &it->second;
}

/// A new form only when another layer (or another kind of value) is shown; otherwise the controls take the new values.
void Inspector::rebuild() {
  const Node* n = node();
  QString key = QString::fromStdString(scene_.scope()) + QLatin1Char('/') + QString::number(n ? scene_.current() : 0) + QLatin1Char('/');
  if (n) {
    key += QString::fromStdString(n->type);
    for (const auto& [name, attr] : n->attrs) key += QLatin1Char('/') + QString::number(attr.index() == 3);
  }
  if (key == key_) return refresh();
  key_ = key;
  refreshers_.clear();
  if (page_) page_->deleteLater();
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* body = new QWidget;
  auto* rows = new QVBoxLayout(body);
  rows->setContentsMargins(space::l, space::l, space::l, space::l);
  rows->setSpacing(space::m);
  scroll->setWidget(body);
  page_ = scroll;
  layout_->addWidget(scroll);
  if (!n) {
    auto* empty = new EmptyState;
    empty->show(QStringLiteral("pointer"), tr("No layer is selected"), tr("Click a layer on the canvas to see its settings."));
    rows->addWidget(empty);
    return;
  }
  const LayerType* type = find_layer(n->type);
  const QString name = QString::fromStdString(n->type == "Block" ? "Block" : n->type);
  const QString group = type ? QString::fromUtf8(type->group.data(), static_cast<qsizetype>(type->group.size())) : QStringLiteral("Shape");
  addHeader(*n, name, group, type ? translated(type->summary) : QString());
  if (type) addLayerFields(*type);
  else if (n->type == "Block") addBlockFields(*n);
  addTraining(*n, type);
  addCost();
  rows->addStretch(1);
  refresh();
}

void Inspector::refresh() {
  if (!node()) return;
  refreshing_ = true;
  for (const auto& again : refreshers_) again();
  refreshing_ = false;
}

namespace {
QVBoxLayout* rows_of(QWidget* page) { return qobject_cast<QVBoxLayout*>(qobject_cast<QScrollArea*>(page)->widget()->layout()); }
}  // namespace

void Inspector::addHeader(const Node&, const QString& type, const QString& group, const QString& summary) {
  auto* row = new QHBoxLayout;
  row->setSpacing(space::m);
  row->addWidget(new LayerTile(type, group));
  auto* names = new QVBoxLayout;
  names->setSpacing(2);
  auto* name = new QLineEdit;
  name->setObjectName(QStringLiteral("nodeName"));
  name->setAccessibleName(tr("Name of the layer"));
  names->addWidget(name);
  names->addWidget(makeLabel(type, 2, static_cast<int>(TextRole::secondary)));
  row->addLayout(names, 1);
  rows_of(page_)->addLayout(row);
  if (!summary.isEmpty()) {
    auto* text = makeLabel(summary, 3, static_cast<int>(TextRole::secondary));
    text->setWordWrap(true);
    rows_of(page_)->addWidget(text);
  }
  connect(name, &QLineEdit::editingFinished, this, [this, name] {
    const Node* n = node();
    if (!refreshing_ && n && name->text().toStdString() != n->name) renameNode(view_, scene_.current(), name->text());
  });
  refreshers_.push_back([this, name] { if (!name->hasFocus()) name->setText(QString::fromStdString(node()->name)); });
}

void Inspector::addLayerFields(const LayerType& type) {
  if (type.fields.empty()) return;
  auto* section = new FormSection(tr("Layer"));
  for (const Field& field : type.fields) section->addRow(label_of(field), control(field), translated(field.help));
  rows_of(page_)->addWidget(section);
}

Attr Inspector::value(const Field& field) const {
  const auto it = node()->attrs.find(field.name);
  return it == node()->attrs.end() ? field.otherwise : it->second;
}

QWidget* Inspector::control(const Field& field) {
  const bool number = field.kind == Field::Kind::integer || field.kind == Field::Kind::pair;
  const bool formula = std::holds_alternative<std::string>(value(field));
  QWidget* made = nullptr;
  if (number && (formula || (!scene_.scope().empty() && field.kind == Field::Kind::integer))) made = formulaEdit(field);
  else if (field.kind == Field::Kind::pair) made = pairEdit(field);
  else if (field.kind == Field::Kind::integer || field.kind == Field::Kind::real) made = numberEdit(field);
  else if (field.kind == Field::Kind::boolean) {
    auto* toggle = new ToggleSwitch(label_of(field));
    connect(toggle, &QAbstractButton::toggled, this, [this, name = field.name](bool on) { set(name, on); });
    refreshers_.push_back([this, toggle, field] { if (const Attr v = value(field); std::holds_alternative<bool>(v)) toggle->setChecked(std::get<bool>(v)); });
    made = toggle;
  } else {
    auto* choice = new QComboBox;
    for (const std::string& c : field.choices) choice->addItem(QString::fromStdString(c));
    connect(choice, &QComboBox::currentTextChanged, this, [this, name = field.name](const QString& text) { set(name, text.toStdString()); });
    refreshers_.push_back([this, choice, field] { if (const Attr v = value(field); std::holds_alternative<std::string>(v)) choice->setCurrentText(QString::fromStdString(std::get<std::string>(v))); });
    made = choice;
  }
  made->setObjectName(QStringLiteral("field-") + QString::fromStdString(field.name));
  made->setAccessibleName(label_of(field));
  made->setToolTip(translated(field.help).toHtmlEscaped());
  return made;
}

/// Inside a block a number may be a formula over its parameters.
QWidget* Inspector::formulaEdit(const Field& field) {
  auto* edit = new QLineEdit;
  edit->setFont(nw::ui::font(TextRole::mono));
  edit->setPlaceholderText(QStringLiteral("$filters*2"));
  connect(edit, &QLineEdit::editingFinished, this, [this, edit, field] {
    if (refreshing_) return;
    bool whole = false;
    const qlonglong number = edit->text().trimmed().toLongLong(&whole);
    if (whole) set(field.name, Attr(std::int64_t{number}));
    else if (!edit->text().trimmed().isEmpty()) set(field.name, edit->text().trimmed().toStdString());
  });
  refreshers_.push_back([this, edit, field] {
    const Attr v = value(field);
    if (edit->hasFocus()) return;
    if (const auto* text = std::get_if<std::string>(&v)) edit->setText(QString::fromStdString(*text));
    else if (const auto* number = std::get_if<std::int64_t>(&v)) edit->setText(QString::number(*number));
  });
  return edit;
}

QWidget* Inspector::numberEdit(const Field& field) {
  if (field.kind == Field::Kind::integer) {
    auto* spin = new QSpinBox;
    spin->setRange(static_cast<int>(field.lo), static_cast<int>(field.hi));
    spin->setKeyboardTracking(false);
    if (!field.unit.empty()) spin->setSuffix(QLatin1Char(' ') + QString::fromStdString(field.unit));
    connect(spin, &QSpinBox::valueChanged, this, [this, name = field.name](int v) { set(name, Attr(std::int64_t{v})); });
    refreshers_.push_back([this, spin, field] { if (const Attr v = value(field); std::holds_alternative<std::int64_t>(v)) spin->setValue(static_cast<int>(std::get<std::int64_t>(v))); });
    return spin;
  }
  auto* spin = new QDoubleSpinBox;
  spin->setDecimals(field.hi <= 1 && std::get<double>(field.otherwise) < 0.001 ? 8 : 4);
  spin->setRange(field.lo, field.hi);
  spin->setSingleStep(0.05);
  spin->setKeyboardTracking(false);
  connect(spin, &QDoubleSpinBox::valueChanged, this, [this, name = field.name](double v) { set(name, v); });
  refreshers_.push_back([this, spin, field] { if (const Attr v = value(field); std::holds_alternative<double>(v)) spin->setValue(std::get<double>(v)); });
  return spin;
}

/// Height and width; one number for both until the link is opened.
QWidget* Inspector::pairEdit(const Field& field) {
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::xs);
  auto* first = new QSpinBox;
  auto* second = new QSpinBox;
  auto* link = makeIconButton(QStringLiteral("link"), tr("Keep both equal"));
  link->setCheckable(true);
  first->setObjectName(QStringLiteral("field-%1-0").arg(QString::fromStdString(field.name)));
  second->setObjectName(QStringLiteral("field-%1-1").arg(QString::fromStdString(field.name)));
  for (QSpinBox* spin : {first, second}) {
    spin->setRange(static_cast<int>(field.lo), static_cast<int>(field.hi));
    spin->setKeyboardTracking(false);
    spin->setAccessibleName(label_of(field));
  }
  row->addWidget(first, 1);
  row->addWidget(link);
  row->addWidget(second, 1);
  const auto send = [this, first, second, link, name = field.name](bool from_first) {
    if (refreshing_) return;
    std::int64_t h = first->value(), w = second->value();
    if (link->isChecked()) (from_first ? w : h) = from_first ? h : w;
    set(name, std::vector<std::int64_t>{h, w});
  };
  connect(first, &QSpinBox::valueChanged, this, [send] { send(true); });
  connect(second, &QSpinBox::valueChanged, this, [send] { send(false); });
  bool fresh = true;
  refreshers_.push_back([this, first, second, link, field, fresh]() mutable {
    const Attr v = value(field);
    const auto* pair = std::get_if<std::vector<std::int64_t>>(&v);
    const auto* one = std::get_if<std::int64_t>(&v);
    const std::int64_t h = pair && pair->size() == 2 ? (*pair)[0] : one ? *one : 0, w = pair && pair->size() == 2 ? (*pair)[1] : h;
    first->setValue(static_cast<int>(h));
    second->setValue(static_cast<int>(w));
    if (fresh) link->setChecked(h == w);
    fresh = false;
  });
  return box;
}

void Inspector::addBlockFields(const Node& n) {
  auto* section = new FormSection(tr("Block"));
  const auto name = n.attrs.find("block");
  const std::string block = name != n.attrs.end() && std::holds_alternative<std::string>(name->second) ? std::get<std::string>(name->second) : "";
  section->addRow(tr("Repeat"), control(integer_field("repeat", text("Repeat"), 1, 1, 1000, text("How often the block follows itself."))));
  if (scene_.doc().has_scope(block) && !block.empty())
    for (const BlockParameter& p : scene_.doc().blocks().at(block).parameters)
      section->addRow(QString::fromStdString(p.name), control(integer_field(p.name, text(p.name), p.value, -(1 << 30), 1 << 30, text("A parameter of this block."))));
  auto* open = makeButton(tr("Edit the block"), ButtonKind::neutral, QStringLiteral("pencil"));
  connect(open, &QPushButton::clicked, this, [this] { enterBlock(scene_, scene_.current()); });
  section->addWide(open);
  rows_of(page_)->addWidget(section);
}

void Inspector::addTraining(const Node&, const LayerType* type) {
  if (type && (type->inputs == 0 || type->loss)) return;
  auto* section = new FormSection(tr("Training"));
  if (!type || type->weights) {
    auto* update = new ToggleSwitch(tr("Update weights"));
    update->setObjectName(QStringLiteral("updateWeights"));
    connect(update, &QAbstractButton::toggled, this, [this](bool on) { change(on ? tr("Update weights") : tr("Freeze weights"), [on](Node& n) { n.frozen = !on; }); });
    refreshers_.push_back([this, update] { update->setChecked(!node()->frozen); });
    section->addRow(tr("Update weights"), update, tr("Off: this layer keeps the weights it has."));
  }
  auto* bypass = new ToggleSwitch(tr("Bypass"));
  connect(bypass, &QAbstractButton::toggled, this, [this](bool on) { change(tr("Bypass"), [on](Node& n) { n.bypassed = on; }); });
  refreshers_.push_back([this, bypass] { bypass->setChecked(node()->bypassed); });
  section->addRow(tr("Bypass"), bypass, tr("The signal goes through unchanged."));
  rows_of(page_)->addWidget(section);
}

void Inspector::addCost() {
  auto* section = new FormSection(tr("Cost"));
  const auto row = [&](const QString& title, QString (*read)(const NodeFacts&)) {
    auto* value = makeLabel({}, 1, static_cast<int>(TextRole::button));
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    section->addRow(title, value);
    refreshers_.push_back([this, value, read] {
      const NodeFacts* f = scene_.facts(scene_.current());
      value->setText(f ? read(*f) : QStringLiteral("?"));
    });
  };
  row(tr("Output"), [](const NodeFacts& f) { return f.output.rank() ? QString::fromStdString(to_string(f.output, true)) : QStringLiteral("?"); });
  row(tr("Parameters"), [](const NodeFacts& f) { return grouped(f.parameters); });
  row(tr("Multiply-adds"), [](const NodeFacts& f) { return grouped(f.multiply_adds); });
  row(tr("Activations per image"), [](const NodeFacts& f) { return bytesText(static_cast<double>(f.activation_bytes)); });
  rows_of(page_)->addWidget(section);
}

void Inspector::set(const std::string& attr, Attr value) {
  change(tr("Set %1").arg(QString::fromStdString(attr)), [&](Node& n) { n.attrs[attr] = value; }, merge_key(scene_.current(), attr));
}

/// The selected layers of the current one's type, in one step of undo.
void Inspector::change(const QString& text, const std::function<void(Node&)>& edit, int mergeKey) {
  const Node* current = node();
  if (refreshing_ || !current) return;
  Edit all;
  std::vector<NodeId> ids = scene_.selectedNodes();
  if (std::find(ids.begin(), ids.end(), scene_.current()) == ids.end()) ids = {scene_.current()};
  for (const NodeId id : ids) {
    const auto it = scene_.graph().nodes.find(id);
    if (it == scene_.graph().nodes.end() || it->second.type != current->type) continue;
    Node changed = it->second;
    edit(changed);
    if (!(changed == it->second)) all.push_back(PutNode{scene_.scope(), id, changed});
  }
  if (!all.empty()) scene_.session().push(all, text, mergeKey);
}

void Inspector::focusFirst() {
  for (QWidget* w : findChildren<QWidget*>())
    if (w->objectName().startsWith(QLatin1String("field-")) && w->focusPolicy() != Qt::NoFocus) return w->setFocus(Qt::TabFocusReason);
  if (auto* name = findChild<QLineEdit*>(QStringLiteral("nodeName"))) name->setFocus(Qt::TabFocusReason);
}

}  // namespace nw::ui
