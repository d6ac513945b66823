// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_panel.hpp"

#include <QBoxLayout>
#include <QComboBox>
#include <QStandardItemModel>
#include <algorithm>

#include "engine/design/layer_type.hpp"
#include "engine/search/apply.hpp"
#include "kernels/optimizer.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/augment_preview.hpp"
#include "ui/settings/device_list.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/settings/schedule_preview.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/settings/stage_list.hpp"
#include "ui/settings/teacher_field.hpp"
#include "ui/settings/transform_list.hpp"
#include "ui/settings/weights_field.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int merge_keys = 0x5e77;  // one per row, so that consecutive changes of one control are one undo step
constexpr int loss_keys = merge_keys - 100;  // one per field of a loss

/// The fields of all losses; those of one name are shown as one row.
std::vector<Field> lossFields(const std::vector<const LayerType*>& losses) {
  std::vector<Field> all;
  for (const LayerType* type : losses)
    for (const Field& f : type->fields)
      if (std::none_of(all.begin(), all.end(), [&](const Field& known) { return known.name == f.name; }))
        all.push_back(f);
  return all;
}

/// The name of a setting in spaces; empty: a search does not change it.
std::string searchedAs(const std::string& id) {
  // How runs are compared and what a step computes in are the same for all trials; a seed is no setting to tune.
  if (!search::is_searched_setting(id) || id == "monitor" || id == "precision" || id == "seed") return {};
  for (const Optimizer& o : all_optimizers())
    for (const OptimizerField& f : o.fields)
      if (f.name == id) return "optimizer." + id;
  return id;
}

/// MixUp or CutMix is among the transforms.
bool mixesImages(const TrainSettings& settings) {
  return std::any_of(settings.transforms.begin(), settings.transforms.end(), [](const Transform& t) {
    const TransformType* type = find_transform(t.type);
    return type != nullptr && !type->apply;
  });
}

/// A combo box that scrolling the panel does not change; entries that cannot be chosen say why.
class ChoiceBox : public QComboBox {
 public:
  explicit ChoiceBox(const std::vector<SettingChoice>& choices) {
    setFocusPolicy(Qt::StrongFocus);
    for (const SettingChoice& c : choices) addItem(c.text);
  }
  void allow(const std::vector<SettingChoice>& choices, const TrainSettings& settings) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const bool possible = !choices[i].possible || choices[i].possible(settings);
      const int row = static_cast<int>(i);
      setItemData(row, possible ? QVariant() : QVariant(choices[i].whyNot), Qt::ToolTipRole);
      static_cast<QStandardItemModel*>(model())->item(row)->setEnabled(possible);
    }
  }

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

}  // namespace

SettingsPanel::SettingsPanel(Session& session, QWidget* parent)
    : QScrollArea(parent),
      session_(session),
      rows_(settingRows()),
      schedule_(new SchedulePreview),
      augment_(new AugmentPreview(session)),
      mixedNote_(new SeverityLabel(SeverityLabel::Tone::quiet)),
      transforms_(new TransformList(session)),
      devices_(new DeviceList),
      stages_(new StageList(session)),
      teacher_(new TeacherField(session)) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const LayerType* type : all_layers())
    if (type->loss) losses_.push_back(type);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(space::l, space::s, space::l, space::l);
  column->setSpacing(space::s);
  FormSection* section = nullptr;
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i) {
    const SettingRow& row = rows_[static_cast<std::size_t>(i)];
    if (i == 0 || row.section != rows_[static_cast<std::size_t>(i) - 1].section) {
      section = new FormSection(row.section, content);
      column->addWidget(section);
    }
    if (row.id == QLatin1String("precision")) section->addWide(devices_);
    auto* line = new PanelRow(row.label, makeControl(row, i), row.help);
    shown_[row.id] = line;
    if (const std::string field = searchedAs(row.id.toStdString()); !field.empty())
      line->offerSearch(session_, [field] { return field; });
    section->addWide(line);
    addExtras(*section, row.id);
  }
  section = new FormSection(tr("Layers"), content);
  section->addWide(stages_);
  column->addWidget(section);
  column->addStretch();
  setWidget(content);
  connect(devices_, &DeviceList::chosenChanged, this, [this](const std::vector<std::string>& chosen) {
    TrainSettings settings = session_.doc().settings();
    settings.devices = chosen;
    session_.push({PutSettings{settings}}, tr("Choose devices"));
  });
  connect(&session_, &Session::documentChanged, this, &SettingsPanel::refresh);
  connect(&session_, &Session::documentReplaced, this, &SettingsPanel::refresh);
  connect(&session_, &Session::dataFactsChanged, this, &SettingsPanel::refresh);
  devices_->setDevices(session_.devices());
  refresh();
}

/// Widgets below certain rows: the loss, the schedule's curve, the augmented images.
void SettingsPanel::addExtras(FormSection& section, const QString& lastId) {
  if (lastId == QLatin1String("batch")) {
    addLossRows(section);
    section.addWide(teacher_);
  }
  if (lastId == QLatin1String("warmup_epochs")) section.addWide(schedule_);
  if (lastId == QLatin1String("augment_strength")) {
    section.addWide(transforms_);
    section.addWide(augment_);
    section.addWide(mixedNote_);
  }
}

QWidget* SettingsPanel::makeControl(const SettingRow& row, int index) {
  if (row.kind == SettingRow::Kind::toggle) {
    auto* toggle = new ToggleSwitch(row.label);
    toggle->setCheckable(true);
    connect(toggle, &QAbstractButton::toggled, this, [this, index](bool on) { change(index, on ? 1 : 0); });
    return toggle;
  }
  if (row.kind == SettingRow::Kind::choice) {
    auto* box = new ChoiceBox(row.choices);
    connect(box, &QComboBox::currentIndexChanged, this, [this, index](int at) { change(index, at); });
    return box;
  }
  auto* spin = new NumberSpin(row.kind == SettingRow::Kind::integer, row.lo, row.hi, row.step);
  spin->setZeroText(row.zero);
  spin->setUnit(row.unit, row.unitOne);
  connect(spin, &QDoubleSpinBox::valueChanged, this, [this, index](double value) { change(index, value); });
  return spin;
}

void SettingsPanel::addLossRows(FormSection& section) {
  std::vector<SettingChoice> names;
  for (const LayerType* type : losses_)
    names.push_back({QString::fromUtf8(type->name.data(), static_cast<qsizetype>(type->name.size())), {}});
  auto* box = new ChoiceBox(names);
  for (std::size_t i = 0; i < losses_.size(); ++i)
    box->setItemData(static_cast<int>(i), translated(losses_[i]->summary), Qt::ToolTipRole);
  connect(box, &QComboBox::currentIndexChanged, this, &SettingsPanel::changeLoss);
  shown_["loss"] =
      new PanelRow(tr("Loss"), box, tr("The function that training minimizes: the loss layer on the canvas."));
  section.addWide(shown_["loss"]);
  lossFields_ = lossFields(losses_);
  for (int i = 0; i < static_cast<int>(lossFields_.size()); ++i) {
    const Field& f = lossFields_[static_cast<std::size_t>(i)];
    auto* row = new PanelRow(translated(f.label), makeLossControl(f, i), translated(f.help));
    shown_[QString::fromStdString(f.name)] = row;
    if (f.kind != Field::Kind::text)
      row->offerSearch(session_, [this, name = f.name] { return lossName() + "." + name; });
    section.addWide(row);
  }
}

QWidget* SettingsPanel::makeLossControl(const Field& field, int index) {
  if (field.kind == Field::Kind::text) {
    auto* weights = new WeightsField(field.refusal);
    connect(weights, &WeightsField::edited, this,
            [this, index](const QString& written) { changeLossField(index, written.toStdString()); });
    return weights;
  }
  auto* spin = new NumberSpin(false, field.lo, field.hi, field.hi > 1 ? 0.5 : 0.05);
  spin->setZeroText(tr("none"));
  connect(spin, &QDoubleSpinBox::valueChanged, this, [this, index](double value) { changeLossField(index, value); });
  return spin;
}

QWidget* SettingsPanel::control(const QString& id) const {
  const auto found = shown_.find(id);
  return found == shown_.end() ? nullptr : found->second->control();
}
bool SettingsPanel::isShown(const QString& id) const {
  const auto found = shown_.find(id);
  return found != shown_.end() && !found->second->isHidden();
}

void SettingsPanel::show(const SettingRow& row) {
  const TrainSettings& settings = session_.doc().settings();
  PanelRow* line = shown_[row.id];
  line->setVisible(!row.applies || row.applies(settings));
  const double value = row.get(settings);
  if (row.kind == SettingRow::Kind::choice) {
    auto* box = static_cast<ChoiceBox*>(line->control());
    box->allow(row.choices, settings);
    box->setCurrentIndex(static_cast<int>(value));
  } else if (auto* toggle = qobject_cast<QAbstractButton*>(line->control()))
    toggle->setChecked(value != 0);
  else if (auto* spin = qobject_cast<NumberSpin*>(line->control()))
    spin->follow(value);
}

void SettingsPanel::refresh() {
  refreshing_ = true;
  for (const SettingRow& row : rows_) show(row);
  refreshLoss();
  const TrainSettings& settings = session_.doc().settings();
  const qint64 train = session_.dataFacts().train, batch = std::max<qint64>(1, settings.samples_per_update());
  schedule_->setSettings(settings, (train + batch - 1) / batch, rateGroups(session_.doc().graph()));
  transforms_->refresh();
  augment_->setVisible(settings.random_crop || settings.horizontal_flip || !settings.transforms.empty());
  mixedNote_->say(mixesImages(settings)
                      ? tr("Mixed images are shown as a clear mixture. Training also draws weaker ones.")
                      : QString());
  const bool same =
      settings.random_crop == previewed_.random_crop && settings.crop_padding == previewed_.crop_padding &&
      settings.horizontal_flip == previewed_.horizontal_flip && settings.transforms == previewed_.transforms &&
      settings.seed == previewed_.seed && session_.doc().data() == previewedData_;
  if (!same) augment_->refreshSoon();
  previewed_ = settings;
  previewedData_ = session_.doc().data();
  devices_->setChosen(settings.devices);
  stages_->refresh();
  teacher_->refresh();
  refreshing_ = false;
}

qint64 SettingsPanel::lossNode() const {
  for (const auto& [id, node] : session_.doc().graph().nodes)
    if (const LayerType* type = find_layer(node.type); type != nullptr && type->loss) return id;
  return 0;
}

std::string SettingsPanel::lossName() const {
  const qint64 id = lossNode();
  return id == 0 ? std::string() : session_.doc().graph().nodes.at(id).name;
}

void SettingsPanel::refreshLoss() {
  auto* box = static_cast<QComboBox*>(control(QStringLiteral("loss")));
  const qint64 id = lossNode();
  box->setEnabled(id != 0);
  shown_["loss"]->setToolTip(id != 0 ? tr("The function that training minimizes: the loss layer on the canvas.")
                                     : tr("There is no loss layer on the canvas yet. Add one."));
  const auto& nodes = session_.doc().graph().nodes;
  const LayerType* type = id != 0 ? find_layer(nodes.at(id).type) : nullptr;
  const auto at = std::find(losses_.begin(), losses_.end(), type);
  box->setCurrentIndex(type ? static_cast<int>(at - losses_.begin()) : -1);
  for (const Field& f : lossFields_) {
    const bool there = type && std::any_of(type->fields.begin(), type->fields.end(),
                                           [&](const Field& own) { return own.name == f.name; });
    shown_[QString::fromStdString(f.name)]->setVisible(there);  // hiding one that stays would take its focus away
  }
  if (!type) return;
  for (const Field& f : type->fields) showLossField(f, nodes.at(id));
}

void SettingsPanel::showLossField(const Field& field, const Node& loss) {
  PanelRow* row = shown_[QString::fromStdString(field.name)];
  const auto attr = loss.attrs.find(field.name);
  const Attr& value = attr == loss.attrs.end() ? field.otherwise : attr->second;
  if (auto* spin = qobject_cast<NumberSpin*>(row->control()))
    spin->follow(std::holds_alternative<double>(value) ? std::get<double>(value) : 0);
  else if (auto* weights = qobject_cast<WeightsField*>(row->control()))
    weights->follow(std::holds_alternative<std::string>(value) ? QString::fromStdString(std::get<std::string>(value))
                                                               : QString());
}

void SettingsPanel::change(int index, double value) {
  if (refreshing_) return;
  const SettingRow& row = rows_[static_cast<std::size_t>(index)];
  TrainSettings settings = session_.doc().settings();
  row.set(settings, value);
  if (settings == session_.doc().settings()) return;
  const bool number = row.kind == SettingRow::Kind::integer || row.kind == SettingRow::Kind::real;
  session_.push({PutSettings{settings}}, tr("Set %1").arg(row.label), number ? merge_keys + index : 0);
}

/// The loss is a node: its type changes, its place and connections stay.
void SettingsPanel::changeLoss(int position) {
  const qint64 id = lossNode();
  if (refreshing_ || id == 0 || position < 0) return;
  Node node = session_.doc().graph().nodes.at(id);
  node.type = std::string(losses_[static_cast<std::size_t>(position)]->name);
  node.attrs.clear();
  session_.push({PutNode{"", id, node}}, tr("Change the loss"));
}

void SettingsPanel::changeLossField(int index, const Attr& value) {
  const qint64 id = lossNode();
  if (refreshing_ || id == 0) return;
  const Field& field = lossFields_[static_cast<std::size_t>(index)];
  session_.push(set_attr(session_.doc(), "", id, field.name, value), tr("Set %1").arg(translated(field.label)),
                std::holds_alternative<double>(value) ? loss_keys + index : 0);
}

QWidget* makeSettingsPanel(Session& session) { return new SettingsPanel(session); }

}  // namespace nw::ui
