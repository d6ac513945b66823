// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/transform_list.hpp"

#include <QBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <algorithm>

#include "engine/design/settings.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int transform_merge_keys = 0x7e00;  // and one for every value of the list
constexpr std::size_t most_fields = 8;
}  // namespace

TransformList::TransformList(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(space::s);
  add_ = makeButton(tr("Add a transform"), ButtonKind::neutral, QStringLiteral("plus"), this);
  add_->setObjectName(QStringLiteral("addTransform"));
  auto* menu = new QMenu(add_);
  for (const TransformType& type : all_transforms()) {
    QAction* action = menu->addAction(QString::fromLatin1(type.name));
    action->setToolTip(translated(text(type.summary)));
    connect(action, &QAction::triggered, this, [this, &type] { add(type); });
  }
  menu->setToolTipsVisible(true);
  add_->setMenu(menu);
  column_->addWidget(add_);
  refresh();
}

void TransformList::refresh() {
  const std::vector<Transform>& list = session_.doc().settings().transforms;
  const bool same = std::equal(list.begin(), list.end(), rows_.begin(), rows_.end(),
                               [](const Transform& t, const Row& row) { return t.type == row.type; });
  refreshing_ = true;
  if (!same) rebuild(list);
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t f = 0; f < rows_[i].spins.size(); ++f) rows_[i].spins[f]->follow(list[i].values[f]);
  add_->setEnabled(list.size() < most_transforms);
  refreshing_ = false;
}

void TransformList::rebuild(const std::vector<Transform>& list) {
  if (rowsPlace_) rowsPlace_->deleteLater();  // the pressed button may be its child
  rowsPlace_ = new QWidget(this);
  rows_.clear();
  auto* rows = new QVBoxLayout(rowsPlace_);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  for (std::size_t i = 0; i < list.size(); ++i) rows->addWidget(makeRow(i, list[i]));
  rowsPlace_->setVisible(!list.empty());
  column_->insertWidget(0, rowsPlace_);
}

QWidget* TransformList::makeRow(std::size_t at, const Transform& transform) {
  const TransformType& type = *find_transform(transform.type);
  rows_.push_back({transform.type, {}});
  auto* row = new QWidget;
  auto* lines = new QVBoxLayout(row);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(6);
  lines->addWidget(makeHeader(at, type));
  for (std::size_t f = 0; f < type.fields.size(); ++f) {
    const TransformField& field = type.fields[f];
    auto* spin = new NumberSpin(field.whole, field.lo, field.hi, field.step);
    spin->setObjectName(QStringLiteral("transform.%1.%2").arg(at).arg(QLatin1String(field.name)));
    connect(spin, &QDoubleSpinBox::valueChanged, this, [this, at, f](double value) { setValue(at, f, value); });
    rows_.back().spins.push_back(spin);
    lines->addWidget(new PanelRow(translated(text(field.label)), spin));
  }
  return row;
}

QWidget* TransformList::makeHeader(std::size_t at, const TransformType& type) {
  auto* header = new QWidget;
  auto* line = new QHBoxLayout(header);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  const QString name = QString::fromLatin1(type.name);
  QLabel* label = makeLabel(name, 1, static_cast<int>(TextRole::body));
  label->setToolTip(translated(text(type.summary)));
  line->addWidget(label);
  line->addStretch(1);
  const std::size_t count = session_.doc().settings().transforms.size();
  const auto button = [&](const char* icon, const QString& what, const char* id, bool possible, auto act) {
    QPushButton* b = makeIconButton(QLatin1String(icon), what);
    b->setObjectName(QStringLiteral("transform.%1.%2").arg(at).arg(QLatin1String(id)));
    b->setToolTip(what);
    b->setEnabled(possible);
    connect(b, &QPushButton::clicked, this, act);
    line->addWidget(b);
  };
  button("arrow-up", tr("Move %1 up").arg(name), "up", at > 0, [this, at] { move(at, at - 1); });
  button("arrow-down", tr("Move %1 down").arg(name), "down", at + 1 < count, [this, at] { move(at, at + 1); });
  button("trash", tr("Remove %1").arg(name), "remove", true, [this, at] { remove(at); });
  return header;
}

void TransformList::put(std::vector<Transform> list, const QString& what, int mergeKey) {
  TrainSettings settings = session_.doc().settings();
  settings.transforms = std::move(list);
  session_.push({PutSettings{settings}}, what, mergeKey);
}

void TransformList::add(const TransformType& type) {
  std::vector<Transform> list = session_.doc().settings().transforms;
  list.push_back(default_transform(type));
  put(std::move(list), tr("Add %1").arg(QLatin1String(type.name)));
}

void TransformList::setValue(std::size_t row, std::size_t field, double value) {
  if (refreshing_) return;
  std::vector<Transform> list = session_.doc().settings().transforms;
  if (row >= list.size() || field >= list[row].values.size()) return;  // removed before its editor let go of the focus
  list[row].values[field] = value;
  const QString name = QString::fromStdString(list[row].type);
  put(std::move(list), tr("Set %1").arg(name), transform_merge_keys + static_cast<int>(row * most_fields + field));
}

void TransformList::move(std::size_t from, std::size_t to) {
  std::vector<Transform> list = session_.doc().settings().transforms;
  if (std::max(from, to) >= list.size()) return;
  const QString name = QString::fromStdString(list[from].type);
  std::swap(list[from], list[to]);
  put(std::move(list), tr("Move %1").arg(name));
}

void TransformList::remove(std::size_t at) {
  std::vector<Transform> list = session_.doc().settings().transforms;
  if (at >= list.size()) return;
  const QString name = QString::fromStdString(list[at].type);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  put(std::move(list), tr("Remove %1").arg(name));
}

}  // namespace nw::ui
