// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings/run_settings_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "engine/train/knobs.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/setting_rows.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/run_settings/change_list.hpp"
#include "ui/train/run_settings/setting_field.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int panel_edge = 14;
/// Shown without opening "More settings", in this order.
constexpr std::array<const char*, 8> usual_settings = {
    "learning_rate", "weight_decay", "l2", "momentum", "beta1", "clip_norm", "accumulate", "augment_strength"};

/// The setting rows of what may change, the usual ones first.
std::vector<SettingRow> changeable(const GraphDoc& doc) {
  std::vector<std::string> names = knob_names(doc);
  names.insert(names.begin(), rate_knob);
  std::vector<SettingRow> out;
  for (SettingRow& row : settingRows()) {
    const bool known = std::find(names.begin(), names.end(), row.id.toStdString()) != names.end();
    const bool number = row.kind == SettingRow::Kind::real || row.kind == SettingRow::Kind::integer;
    if (known && number && (!row.applies || row.applies(doc.settings()))) out.push_back(std::move(row));
  }
  const auto place = [](const SettingRow& row) {
    return std::find(usual_settings.begin(), usual_settings.end(), row.id) - usual_settings.begin();
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const SettingRow& a, const SettingRow& b) { return place(a) < place(b); });
  return out;
}

bool isUsual(const SettingRow& row) {
  return std::find(usual_settings.begin(), usual_settings.end(), row.id) != usual_settings.end();
}
}  // namespace

RunSettingsPanel::RunSettingsPanel(const RunFeed& feed, QWidget* parent) : QWidget(parent), feed_(feed) {
  setObjectName(QStringLiteral("runSettings"));
  setAccessibleName(tr("Settings of the run"));
  auto* inside = new QWidget;
  auto* rows = new QVBoxLayout(inside);
  rows->setContentsMargins(panel_edge, 12, panel_edge, 8);
  rows->setSpacing(space::m);
  rows->addWidget(why_ = new SeverityLabel(SeverityLabel::Tone::quiet));
  rows->addWidget(form_ = makeForm());
  rows->addWidget(list_ = makeChanges());
  rows->addStretch(1);
  inside->setAutoFillBackground(false);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->viewport()->setAutoFillBackground(false);
  scroll->setWidget(inside);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->addWidget(scroll, 1);
  column->addWidget(bar_ = makeBar());
  setEditable({});
  say();
}

QWidget* RunSettingsPanel::makeForm() {
  auto* form = new QWidget;
  first_ = new QVBoxLayout;
  first_->setSpacing(6);
  moreSection_ = new FormSection(tr("More settings"));
  auto* others = new QWidget;
  more_ = new QVBoxLayout(others);
  more_->setContentsMargins(0, 0, 0, 0);
  more_->setSpacing(6);
  moreSection_->addWide(others);
  moreSection_->setOpen(false);
  frozen_ = new FrozenLayers;
  connect(frozen_, &FrozenLayers::changed, this, &RunSettingsPanel::say);
  auto* rows = new QVBoxLayout(form);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(6);
  rows->addLayout(first_);
  rows->addWidget(frozen_);
  rows->addWidget(moreSection_);
  return form;
}

QWidget* RunSettingsPanel::makeChanges() {
  auto* part = new QWidget;
  changes_ = new ChangeList;
  none_ = makeLabel(tr("None yet. Each change is marked on the charts and repeated when the run is replayed."), 2,
                    static_cast<int>(TextRole::secondary));
  none_->setWordWrap(true);
  back_ = makeButton(tr("Set back"), ButtonKind::neutral, QStringLiteral("undo"));
  back_->setObjectName(QStringLiteral("setBack"));
  recipe_ = makeButton(tr("Copy recipe"), ButtonKind::neutral, QStringLiteral("copy"));
  recipe_->setObjectName(QStringLiteral("copyRecipe"));
  recipe_->setToolTip(tr("The command that trains this run again with all of its changes"));
  connect(back_, &QPushButton::clicked, this, &RunSettingsPanel::setBack);
  connect(recipe_, &QPushButton::clicked, this, &RunSettingsPanel::recipeAsked);
  connect(changes_, &ChangeList::currentRowChanged, this, &RunSettingsPanel::say);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(space::s);
  buttons->addWidget(recipe_, 1);
  buttons->addWidget(back_, 1);
  auto* rows = new QVBoxLayout(part);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  rows->addWidget(makeLabel(tr("Changes in this run"), 1, static_cast<int>(TextRole::node)));
  rows->addWidget(none_);
  rows->addWidget(changes_);
  rows->addLayout(buttons);
  return part;
}

QWidget* RunSettingsPanel::makeBar() {
  auto* bar = new QFrame;
  bar->setObjectName(QStringLiteral("waitingBar"));
  waits_ = makeLabel({}, 1, static_cast<int>(TextRole::secondary));
  waits_->setWordWrap(true);
  auto* discard = makeButton(tr("Discard"), ButtonKind::ghost);
  discard->setObjectName(QStringLiteral("discardSettings"));
  auto* apply = makeButton(tr("Apply"), ButtonKind::primary);
  apply->setObjectName(QStringLiteral("applySettings"));
  connect(discard, &QPushButton::clicked, this, &RunSettingsPanel::discard);
  connect(apply, &QPushButton::clicked, this, &RunSettingsPanel::apply);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(panel_edge + 2, 8, panel_edge, 14);
  row->setSpacing(space::s);
  row->addWidget(waits_, 1);
  row->addWidget(discard);
  row->addWidget(apply);
  return bar;
}

void RunSettingsPanel::setEditable(const QString& why) {
  why_->say(why);
  for (QWidget* part : {form_, bar_}) part->setEnabled(why.isEmpty());
  if (!why.isEmpty()) discard();
  say();
}

/// Of the optimizer of the run.
void RunSettingsPanel::makeFields() {
  for (SettingField* old : fields_) old->deleteLater();
  fields_.clear();
  if (!feed_.definition()) return;
  bool others = false;
  for (const SettingRow& row : changeable(feed_.definition()->doc)) {
    auto* made = new SettingField(row);
    made->setBatch(feed_.definition()->doc.settings().batch);
    connect(made, &SettingField::changed, this, &RunSettingsPanel::say);
    (isUsual(row) ? first_ : more_)->addWidget(made);
    others = others || !isUsual(row);
    fields_.push_back(made);
  }
  moreSection_->setVisible(others);
}

void RunSettingsPanel::refresh() {
  const bool known = feed_.definition() != nullptr;
  const bool same = run_ == feed_.folder() && known == !fields_.empty();
  run_ = feed_.folder();
  if (!same) makeFields();
  form_->setVisible(known);
  list_->setVisible(known);
  if (!known) return say();
  const GraphDoc doc = trainedNow(feed_);
  const QVector<SettingChange> all = settingChanges(feed_);
  for (SettingField* field : fields_) {
    const auto last =
        std::find_if(all.rbegin(), all.rend(), [&](const SettingChange& c) { return c.names.contains(field->id()); });
    field->setLastChange(last == all.rend() ? nullptr : &*last);
    if (field->id() != QLatin1String(rate_knob)) field->setNow({settingValue(doc, field->id()), false});
  }
  refreshRate();
  QSet<QString> frozen;
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.frozen) frozen.insert(QString::fromStdString(node.name));
  frozen_->setNow(frozen);
  changes_->setChanges(all);
  say();
}

void RunSettingsPanel::refreshRate() {
  if (SettingField* rate = field(QLatin1String(rate_knob)); rate && feed_.definition()) rate->setNow(rateNow(feed_));
}

SettingField* RunSettingsPanel::field(const QString& id) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](SettingField* f) { return f->id() == id; });
  return found == fields_.end() ? nullptr : *found;
}

QVector<std::pair<QString, SettingValue>> RunSettingsPanel::waiting() const {
  QVector<std::pair<QString, SettingValue>> out;
  for (const SettingField* field : fields_)
    if (const auto value = field->waiting()) out.append({field->id(), *value});
  for (const auto& [layer, on] : frozen_->waiting())
    out.append({QString::fromUtf8(frozen_knob.data()) + layer, {on ? 1.0 : 0.0, false}});
  return out;
}

void RunSettingsPanel::apply() {
  const QVector<std::pair<QString, SettingValue>> all = waiting();
  for (const auto& [name, value] : all)
    if (SettingField* changed = field(name)) changed->setSent(value);
  frozen_->setSent();
  say();
  if (!all.isEmpty()) Q_EMIT applied(all);
}

void RunSettingsPanel::discard() {
  for (SettingField* field : fields_) field->discard();
  frozen_->discard();
  say();
}

void RunSettingsPanel::forgetSent() {
  for (SettingField* field : fields_) field->forgetSent();
  frozen_->forgetSent();
}

/// The values before the chosen change wait to be applied.
void RunSettingsPanel::setBack() {
  const SettingChange* change = changes_->chosen();
  if (!change) return;
  const auto freezing = static_cast<qsizetype>(frozen_knob.size());
  for (const QString& name : change->names)
    if (SettingField* changed = field(name))
      changed->wait(change->before);
    else if (name.startsWith(QString::fromUtf8(frozen_knob.data())))
      frozen_->wait(name.mid(freezing), change->before.value != 0);
  say();
}

void RunSettingsPanel::say() {
  const auto count = static_cast<int>(waiting().size());
  bar_->setVisible(count > 0);
  waits_->setText(tr("%n change(s) wait(s). The run takes them at its next step.", nullptr, count));
  const SettingChange* change = changes_->chosen();
  none_->setVisible(change == nullptr);
  changes_->setVisible(change != nullptr);
  back_->setEnabled(change && form_->isEnabled());
  recipe_->setEnabled(feed_.definition() != nullptr);
  back_->setToolTip(
      change ? tr("%1 back to %2")
                   .arg(settingLabel(change->names.first()), settingText(change->names.first(), change->before))
             : QString());
}

void RunSettingsPanel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
  if (bar_->isVisible())
    style::box(p, QRectF(bar_->geometry()).adjusted(7, 0, -7, -6), radius::group, theme().accentSoft, Qt::transparent);
}

void RunSettingsPanel::focusFirst() {
  if (!fields_.empty()) fields_.front()->field().setFocus(Qt::ShortcutFocusReason);
}

}  // namespace nw::ui
