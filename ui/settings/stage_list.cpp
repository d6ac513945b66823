// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/stage_list.hpp"

#include <QBoxLayout>
#include <QLabel>
#include <algorithm>
#include <map>
#include <tuple>

#include "engine/design/layer_type.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/settings/schedule_preview.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int stage_merge_keys = 0x57a6e0;  // two for each row
constexpr std::size_t namesShown = 3;

/// A layer with weights, or a block.
bool learns(const Node& node) {
  const LayerType* type = find_layer(node.type);
  return node.type == "Block" || (type && type->weights);
}

/// What a group of layers has in common: the earliest trained last.
using Training = std::tuple<std::int64_t, double>;
Training trainingOf(const Node& n) {
  return {n.frozen ? std::numeric_limits<std::int64_t>::min() : -n.frozen_epochs, n.lr_scale};
}

std::vector<std::vector<NodeId>> groupsOf(const Graph& graph) {
  std::map<Training, std::vector<NodeId>> groups;
  for (const auto& [id, node] : graph.nodes)
    if (learns(node)) groups[trainingOf(node)].push_back(id);
  std::vector<std::vector<NodeId>> all;
  for (auto& [training, nodes] : groups) all.push_back(std::move(nodes));
  return all;
}

/// 0: never, 1: from the start.
double epochOf(const Node& n) { return n.frozen ? 0 : static_cast<double>(n.frozen_epochs + 1); }

}  // namespace

std::vector<RateGroup> rateGroups(const Graph& graph) {
  std::vector<RateGroup> all;
  for (const std::vector<NodeId>& nodes : groupsOf(graph)) {
    const Node& first = graph.nodes.at(nodes.front());
    RateGroup group{{}, first.lr_scale, first.frozen_epochs, first.frozen};
    for (const NodeId id : nodes) group.layers += QString::fromStdString(graph.nodes.at(id).name);
    all.push_back(std::move(group));
  }
  const bool plain = all.size() == 1 && all[0].factor == 1 && all[0].from == 0 && !all[0].frozen;
  return plain ? std::vector<RateGroup>{} : all;
}

StageList::StageList(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      column_(new QVBoxLayout(this)),
      note_(new SeverityLabel(SeverityLabel::Tone::quiet, this)) {
  setObjectName(QStringLiteral("stages"));
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(space::s);
  column_->addWidget(note_);
  refresh();
}

/// The rows hold the network's layers, and those of a row are trained alike.
bool StageList::fits() const {
  const auto& nodes = session_.doc().graph().nodes;
  std::size_t shown = 0;
  for (const Row& row : rows_) {
    shown += row.nodes.size();
    for (const NodeId id : row.nodes) {
      const auto at = nodes.find(id), first = nodes.find(row.nodes.front());
      if (at == nodes.end() || first == nodes.end() || !learns(at->second)) return false;
      if (trainingOf(at->second) != trainingOf(first->second)) return false;
    }
  }
  const auto learning = std::count_if(nodes.begin(), nodes.end(), [](const auto& n) { return learns(n.second); });
  return static_cast<std::size_t>(learning) == shown && !rows_.empty();
}

void StageList::refresh() {
  refreshing_ = true;
  if (!fits()) rebuild();
  const auto& nodes = session_.doc().graph().nodes;
  for (Row& row : rows_) {
    const Node& node = nodes.at(row.nodes.front());
    row.epoch->follow(epochOf(node));
    row.factor->follow(node.lr_scale);
    row.factor->setEnabled(!node.frozen);
  }
  const bool plain = rows_.size() == 1 && trainingOf(nodes.at(rows_[0].nodes.front())) == Training{0, 1};
  note_->say(plain ? tr("All layers train from the first epoch. \"Freeze up to here\" in a layer's menu on the canvas "
                        "freezes it and all before it.")
                   : QString());
  refreshing_ = false;
}

void StageList::rebuild() {
  if (rowsPlace_) {
    rowsPlace_->hide();
    rowsPlace_->deleteLater();  // the changed field may be its child
  }
  rowsPlace_ = new QWidget(this);
  rows_.clear();
  for (std::vector<NodeId>& nodes : groupsOf(session_.doc().graph())) rows_.push_back({std::move(nodes)});
  auto* rows = new QVBoxLayout(rowsPlace_);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  for (std::size_t i = 0; i < rows_.size(); ++i) rows->addWidget(makeRow(i));
  rowsPlace_->setVisible(!rows_.empty());
  column_->insertWidget(0, rowsPlace_);
}

QWidget* StageList::makeRow(std::size_t at) {
  Row& row = rows_[at];
  QStringList names;
  for (const NodeId id : row.nodes) names << QString::fromStdString(session_.doc().graph().nodes.at(id).name);
  const auto more = static_cast<int>(names.size()) - static_cast<int>(namesShown);
  QString title = names.mid(0, namesShown).join(QStringLiteral(", "));
  if (more > 0) title = tr("%1 and %n more", nullptr, more).arg(title);
  auto* place = new QWidget;
  auto* lines = new QVBoxLayout(place);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(6);
  QLabel* label = makeLabel(title, 1, static_cast<int>(TextRole::body));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setToolTip(names.join(QStringLiteral(", ")));
  lines->addWidget(label);
  row.epoch = new NumberSpin(true, 0, static_cast<double>(most_frozen_epochs) + 1, 1);
  row.epoch->setZeroText(tr("never"));
  row.epoch->setObjectName(QStringLiteral("stage.%1.epoch").arg(at));
  row.factor = new NumberSpin(false, 1e-6, largest_lr_scale, 0);
  row.factor->setObjectName(QStringLiteral("stage.%1.factor").arg(at));
  connect(row.epoch, &QDoubleSpinBox::valueChanged, this, [this, at](double v) { setEpoch(at, v); });
  connect(row.factor, &QDoubleSpinBox::valueChanged, this, [this, at](double v) { setFactor(at, v); });
  lines->addWidget(new PanelRow(tr("From epoch"), row.epoch,
                                tr("The epoch in which the weights begin to be trained; 1 is the first, 0 never.")));
  lines->addWidget(
      new PanelRow(tr("Rate factor"), row.factor, tr("Multiplies the learning rate of the run for these layers.")));
  return place;
}

template <class Change>
void StageList::change(std::size_t row, const QString& what, int key, const Change& make) {
  if (refreshing_ || row >= rows_.size()) return;
  Edit edit;
  for (const NodeId id : rows_[row].nodes) {
    Node node = session_.doc().graph().nodes.at(id);
    make(node);
    edit.push_back(PutNode{"", id, node});
  }
  session_.push(edit, what, stage_merge_keys + 2 * static_cast<int>(row) + key);
}

void StageList::setEpoch(std::size_t row, double epoch) {
  change(row, tr("Set the first epoch"), 0, [epoch](Node& n) {
    n.frozen = epoch < 1;
    n.frozen_epochs = std::max<std::int64_t>(0, std::llround(epoch) - 1);
  });
}

void StageList::setFactor(std::size_t row, double factor) {
  change(row, tr("Set the rate factor"), 1, [factor](Node& n) { n.lr_scale = factor; });
}

}  // namespace nw::ui
