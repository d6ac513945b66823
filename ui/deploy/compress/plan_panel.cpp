// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/plan_panel.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr double allowed_loss = 0.002;
constexpr int steps_of_bar = 1000, most_epochs = 1000;

/// By the name of the first layer: the curve that was measured.
std::map<QString, std::vector<SensitivityPoint>> curvesIn(const Json& measured) {
  std::map<QString, std::vector<SensitivityPoint>> all;
  const auto groups = measured.find("groups");
  if (groups == measured.end() || !groups->is_array()) return all;
  for (const Json& g : *groups) {
    const QStringList layers = g.is_object() ? textsAt(g, "layers") : QStringList();
    const auto points = g.is_object() ? g.find("points") : g.end();
    const double channels = layers.isEmpty() ? 0 : numberAt(g, "channels");
    if (channels < 1 || points == g.end() || !points->is_array()) continue;
    std::vector<SensitivityPoint>& curve = all[layers.front()];
    for (const Json& p : *points)
      if (p.is_object()) curve.push_back({1 - numberAt(p, "kept") / channels, numberAt(p, "accuracy")});
    std::sort(curve.begin(), curve.end(),
              [](const SensitivityPoint& a, const SensitivityPoint& b) { return a.removed < b.removed; });
  }
  return all;
}

}  // namespace

PlanPanel::PlanPanel(QWidget* parent) : DeployGround(&Theme::window, parent) {
  setObjectName(QStringLiteral("planPanel"));
  makePane(*this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHead());
  auto* inside = new QWidget;
  column_ = new QVBoxLayout(inside);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  locked_ = makeLabel({}, 2, static_cast<int>(TextRole::body), inside);
  locked_->setObjectName(QStringLiteral("planLocked"));
  locked_->setWordWrap(true);
  locked_->setContentsMargins(14, 10, 14, 10);
  column_->addWidget(locked_);
  column_->addStretch(1);
  area_ = new QScrollArea(this);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidgetResizable(true);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setAccessibleName(tr("Layers"));
  area_->setFocusPolicy(Qt::NoFocus);
  area_->viewport()->setAutoFillBackground(false);
  inside->setAutoFillBackground(false);
  area_->setWidget(inside);
  column->addWidget(area_, 1);
  column->addWidget(makeHow());
  column->addWidget(makeFoot());
  refreshButtons();
}

QWidget* PlanPanel::makeHead() {
  auto* head = new DeployGround(&Theme::window, this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(14, 8, 14, 8);
  row->setSpacing(space::s);
  row->addWidget(makeLabel(tr("Layers"), 1, static_cast<int>(TextRole::node), head));
  row->addWidget(makeElidedLabel(tr("curve: accuracy if only this layer is pruned, before training"), 2,
                                 static_cast<int>(TextRole::secondary), head),
                 1);
  row->addWidget(makePill(tr("loses ≤ 0.2 points"), QStringLiteral("ok"), head));
  return head;
}

QWidget* PlanPanel::makeHow() {
  auto* how = new DeployGround(&Theme::window, this);
  auto* column = new QVBoxLayout(how);
  column->setContentsMargins(14, 8, 14, 8);
  column->setSpacing(6);
  auto* form = new QFormLayout;
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  criterion_ = new QComboBox(how);
  criterion_->setObjectName(QStringLiteral("compressCriterion"));
  criterion_->addItem(tr("Fisher: by their loss"), QStringLiteral("fisher"));
  criterion_->addItem(tr("L1: by their weights"), QStringLiteral("l1"));
  criterion_->setToolTip(
      tr("Fisher: those whose removal costs the least loss for the multiply-adds that it saves. L1: "
         "those of the smallest weights."));
  epochs_ = new QSpinBox(how);
  epochs_->setObjectName(QStringLiteral("compressEpochs"));
  epochs_->setRange(1, most_epochs);
  teacher_ = new QComboBox(how);
  teacher_->setObjectName(QStringLiteral("compressTeacher"));
  for (QComboBox* box : {criterion_, teacher_}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
  }
  int8_ = new ToggleSwitch(tr("Compute in 8 bits"), how);
  int8_->setObjectName(QStringLiteral("compressInt8"));
  int8_->setCheckable(true);
  int8Warning_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), how);
  int8Warning_->setObjectName(QStringLiteral("int8Warning"));
  int8Warning_->setWordWrap(true);
  int8Line_ = new QWidget(how);
  auto* warned = new QHBoxLayout(int8Line_);
  warned->setContentsMargins(0, 0, 0, 0);
  warned->setSpacing(6);
  warned->addWidget(new SeverityIcon(Severity::warning, int8Line_), 0, Qt::AlignTop);
  warned->addWidget(int8Warning_, 1);
  int8Line_->hide();
  const auto add = [&](const QString& text, QWidget* field) {
    QLabel* label = makeLabel(text, 2, static_cast<int>(TextRole::secondary), how);
    label->setBuddy(field);
    field->setAccessibleName(text);
    form->addRow(label, field);
  };
  add(tr("Channels to remove"), criterion_);
  add(tr("Teacher"), teacher_);
  add(tr("Epochs after it"), epochs_);
  auto* line = new QHBoxLayout;
  line->setSpacing(space::s);
  QLabel* bits = makeLabel(tr("8 bits"), 2, static_cast<int>(TextRole::secondary), how);
  bits->setBuddy(int8_);
  form->removeWidget(epochs_);
  line->addWidget(epochs_);
  line->addStretch(1);
  line->addWidget(bits);
  line->addWidget(int8_);
  form->setLayout(form->rowCount() - 1, QFormLayout::FieldRole, line);
  column->addLayout(form);
  column->addWidget(int8Line_);
  connect(criterion_, &QComboBox::currentIndexChanged, this, &PlanPanel::criterionChanged);
  connect(int8_, &ToggleSwitch::toggled, this, [this] {
    refreshButtons();
    Q_EMIT planChanged();
  });
  setTeachers({});
  return how;
}

QWidget* PlanPanel::makeFoot() {
  auto* foot = new DeployGround(&Theme::window, this);
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(14, 8, 14, 10);
  column->setSpacing(6);
  note_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary), foot);
  note_->setObjectName(QStringLiteral("compressNote"));
  bar_ = new QProgressBar(foot);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(6);
  bar_->setAccessibleName(tr("Progress"));
  QSizePolicy policy = bar_->sizePolicy();
  policy.setRetainSizeWhenHidden(true);  // what is above keeps its place under the mouse
  bar_->setSizePolicy(policy);
  bar_->hide();
  column->addWidget(note_);
  column->addWidget(bar_);
  auto* row = new QHBoxLayout;
  row->setSpacing(space::s);
  suggest_ = makeButton(tr("Suggest"), ButtonKind::neutral, {}, foot);
  suggest_->setObjectName(QStringLiteral("compressSuggest"));
  suggest_->setToolTip(tr("Sets each slider to the largest share that alone costs at most 0.2 points"));
  measure_ = makeButton(tr("Measure sensitivities"), ButtonKind::neutral, QStringLiteral("gauge"), foot);
  measure_->setObjectName(QStringLiteral("compressMeasure"));
  apply_ = makeButton({}, ButtonKind::primary, {}, foot);
  apply_->setObjectName(QStringLiteral("compressApply"));
  row->addWidget(suggest_);
  row->addWidget(measure_);
  row->addStretch(1);
  row->addWidget(apply_);
  column->addLayout(row);
  connect(suggest_, &QPushButton::clicked, this, &PlanPanel::suggest);
  connect(measure_, &QPushButton::clicked, this,
          [this] { busy_ && !own_ ? Q_EMIT stopRequested() : Q_EMIT measureRequested(); });
  connect(apply_, &QPushButton::clicked, this, [this] { own_ ? Q_EMIT stopRequested() : Q_EMIT applyRequested(); });
  return foot;
}

void PlanPanel::setLayers(const std::vector<compress::PlannedLayer>& layers, const QString& locked) {
  for (ChannelRow* row : rows_) {
    row->hide();
    row->deleteLater();
  }
  rows_.clear();
  last_ = nullptr;
  measured_ = false;
  refused_ = !locked.isEmpty() || layers.empty();
  locked_->setText(locked);
  locked_->setVisible(!locked.isEmpty());
  if (locked.isEmpty())
    for (const compress::PlannedLayer& layer : layers) {
      auto* row = new ChannelRow(layer, area_->widget());
      column_->insertWidget(column_->count() - 1, row);
      connect(row, &ChannelRow::removedChanged, this, [this, row] { moved(row); });
      rows_.push_back(row);
    }
  if (refused_) int8_->setChecked(false);
  refreshButtons();
  Q_EMIT planChanged();
}

void PlanPanel::setTeachers(const QVector<QPair<QString, QString>>& teachers) {
  const QString kept = teacher_->currentData().toString();
  teacher_->clear();
  teacher_->addItem(tr("None"), QString());
  for (const auto& [title, folder] : teachers) teacher_->addItem(title, folder);
  teacher_->setCurrentIndex(std::max(0, teacher_->findData(kept)));
}

void PlanPanel::setSensitivity(const Json& measured) {
  measured_ = measured.is_object() && measured.contains("groups");
  const auto curves = measured_ ? curvesIn(measured) : std::map<QString, std::vector<SensitivityPoint>>();
  const auto whole = measured_ ? measured.find("whole") : measured.end();
  const double accuracy = measured_ && whole != measured.end() && whole->is_object() ? numberAt(*whole, "accuracy") : 0;
  for (ChannelRow* row : rows_) {
    if (!row->slider()) continue;
    const auto curve = curves.find(QString::fromStdString(row->layer().name));
    row->slider()->setCurve(curve == curves.end() || accuracy <= 0 ? std::vector<SensitivityPoint>() : curve->second,
                            accuracy, allowed_loss);
  }
  refreshButtons();
}

CompressPlan PlanPanel::plan() const {
  CompressPlan plan{.removed = {},
                    .criterion = criterion_->currentData().toString(),
                    .epochs = epochs_->value(),
                    .teacher = teacher_->currentData().toString()};
  for (const ChannelRow* row : rows_)
    if (row->removed() > 0) plan.removed[QString::fromStdString(row->layer().name)] = row->removed();
  return plan;
}

bool PlanPanel::int8() const { return int8_->isChecked(); }

void PlanPanel::setInt8Warning(const QString& sentence) {
  int8Warning_->setText(sentence);
  int8Line_->setVisible(!sentence.isEmpty());
}

void PlanPanel::setPlanWarning(const QString& sentence) {
  for (ChannelRow* row : rows_) row->setWarning(row == last_ ? sentence : QString());
}

void PlanPanel::setBusy(const QString& text, double fraction, bool own) {
  busy_ = true;
  own_ = own;
  note_->setText(text);
  bar_->show();
  bar_->setRange(0, fraction < 0 ? 0 : steps_of_bar);
  if (fraction >= 0) bar_->setValue(static_cast<int>(fraction * steps_of_bar));
  refreshButtons();
}

void PlanPanel::setIdle(const QString& note) {
  busy_ = own_ = false;
  note_->setText(note);
  bar_->hide();
  refreshButtons();
}

void PlanPanel::moved(ChannelRow* row) {
  last_ = row;
  setPlanWarning({});
  refreshButtons();
  Q_EMIT planChanged();
}

void PlanPanel::refreshButtons() {
  const bool any =
      int8() || std::any_of(rows_.begin(), rows_.end(), [](const ChannelRow* r) { return r->removed() > 0; });
  const bool prunes = any && !plan().removed.isEmpty();
  apply_->setText(own_ ? tr("Stop") : prunes ? tr("Make and train it") : tr("Make it"));
  apply_->setEnabled(own_ || (any && !refused_));
  setButtonKind(apply_, own_ ? ButtonKind::danger : ButtonKind::primary);
  const bool measures = busy_ && !own_;
  // beside the long text of the other button there is no room for both
  measure_->setText(measures ? tr("Stop") : measured_ || prunes ? tr("Measure") : tr("Measure sensitivities"));
  measure_->setToolTip(tr("Measure sensitivities"));
  measure_->setEnabled(measures || (!busy_ && !refused_));
  suggest_->setEnabled(measured_ && !own_);
  for (ChannelRow* row : rows_) row->setEnabled(!own_);
  for (QWidget* field : {static_cast<QWidget*>(criterion_), static_cast<QWidget*>(epochs_),
                         static_cast<QWidget*>(teacher_), static_cast<QWidget*>(int8_)})
    field->setEnabled(!own_ && !refused_);
}

ChannelRow* PlanPanel::row(const QString& layer) const {
  for (ChannelRow* row : rows_)
    if (row->layer().name == layer.toStdString()) return row;
  return nullptr;
}

void PlanPanel::suggest() {
  for (ChannelRow* row : rows_)
    if (row->slider()) row->setRemoved(std::min(row->slider()->freeShare(), SensitivitySlider::most / 100.0));
}

}  // namespace nw::ui
