// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/branch_dialog.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/background.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/branch_fields.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int plan_after_ms = 150, list_height = 132;

QString shapeText(const std::vector<std::int64_t>& sizes) {
  QStringList words;
  for (const std::int64_t n : sizes) words += QString::number(n);
  return words.isEmpty() ? QStringLiteral("–") : words.join(QStringLiteral("×"));
}

/// The layers of the outermost graph that have weights, in the order of the weights.
QStringList layersWithWeights(const Branch& branch) {
  QStringList layers;
  for (const CarriedWeight& weight : branch.weights)
    for (const auto& [id, node] : branch.request.definition.doc.graph().nodes)
      if (weight.name.starts_with(node.name + ".") && !layers.contains(QString::fromStdString(node.name)))
        layers += QString::fromStdString(node.name);
  return layers;
}

/// The labels of several forms are one column.
void alignLabels(std::initializer_list<QFormLayout*> forms) {
  QList<QWidget*> labels;
  int width = 0;
  for (QFormLayout* form : forms)
    for (int row = 0; row < form->rowCount(); ++row)
      if (QLayoutItem* item = form->itemAt(row, QFormLayout::LabelRole); item && item->widget())
        labels += item->widget(), width = std::max(width, item->widget()->sizeHint().width());
  for (QWidget* label : labels) label->setMinimumWidth(width);
}

QComboBox* makeChoice(const char* name, const QString& about, const QStringList& texts) {
  auto* box = new QComboBox;
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(about);
  box->addItems(texts);
  return box;
}
}  // namespace

BranchDialog::BranchDialog(Session& session, const QString& run, std::int64_t step, QWidget* parent)
    : QDialog(parent), session_(session), run_(run), soon_(new QTimer(this)) {
  setObjectName(QStringLiteral("branchDialog"));
  setWindowTitle(tr("Branch from %1").arg(runTitle(run)));
  setMinimumWidth(760);
  soon_->setSingleShot(true);
  soon_->setInterval(plan_after_ms);
  connect(soon_, &QTimer::timeout, this, [this] { plan(false); });
  start_ = makeButton(tr("Start the branch"), ButtonKind::primary, QStringLiteral("branch"), this);
  start_->setObjectName(QStringLiteral("start"));
  start_->setDefault(true);
  start_->setEnabled(false);
  auto* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(start_);
  auto* sides = new QHBoxLayout;
  sides->setSpacing(space::xxl);
  sides->addWidget(makeForm(), 1);
  sides->addWidget(makeOutcome(), 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addLayout(sides, 1);
  column->addLayout(buttons);
  connect(start_, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  inBackground(
      this, [folder = fs::path(run.toStdString())] { return readCheckpoints(folder); },
      [this, step](const QVector<RunCheckpoint>& all) { takeCheckpoints(all, step); });
}

QWidget* BranchDialog::makeForm() {
  from_ = makeChoice("branchFrom", tr("Checkpoint"), {});
  facts_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  facts_->setWordWrap(true);
  network_ = makeChoice("branchNetwork", tr("Network"), {tr("Of the run"), tr("Of the open project")});
  data_ = makeChoice("branchData", tr("Data"), {tr("Of the run"), tr("Of the open project")});
  devices_ = makeChoice("branchDevices", tr("Devices"), {tr("Those of the run")});
  listDevices();
  fields_ = new BranchFields;
  auto* side = new QWidget;
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(space::l);
  form->addRow(tr("Checkpoint"), from_);
  form->addRow(facts_);
  form->addRow(tr("Network"), network_);
  form->addRow(tr("Data"), data_);
  form->addRow(tr("Devices"), devices_);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::m);
  column->addLayout(form);
  column->addWidget(fields_);
  alignLabels({form, &fields_->form()});
  column->addStretch(1);
  for (QComboBox* box : {network_, data_, devices_})
    connect(box, &QComboBox::currentIndexChanged, this, &BranchDialog::planSoon);
  connect(from_, &QComboBox::currentIndexChanged, this, [this] { plan(true); });
  connect(fields_, &BranchFields::changed, this, &BranchDialog::planSoon);
  return side;
}

QWidget* BranchDialog::makeOutcome() {
  weightsText_ = makeLabel({}, 1, static_cast<int>(TextRole::body));
  weightsText_->setObjectName(QStringLiteral("weightsText"));
  weightsText_->setWordWrap(true);
  weights_ = new QListWidget;
  weights_->setObjectName(QStringLiteral("branchWeights"));
  weights_->setAccessibleName(tr("Weights of the branch"));
  exact_ = new SeverityLabel(SeverityLabel::Tone::quiet);
  exact_->setObjectName(QStringLiteral("exactness"));
  fields_->layers().setMinimumHeight(list_height);
  weights_->setMinimumHeight(list_height);
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::s);
  column->addWidget(makeLabel(tr("Frozen layers"), 1, static_cast<int>(TextRole::node)));
  column->addWidget(&fields_->layers(), 1);
  column->addWidget(makeLabel(tr("What the branch begins with"), 1, static_cast<int>(TextRole::node)));
  column->addWidget(weightsText_);
  column->addWidget(weights_, 1);
  column->addWidget(exact_);
  return side;
}

void BranchDialog::listDevices() {
  QStringList gpus;
  for (const DeviceInfo& device : session_.devices()) {
    if (!device.usable) continue;
    devices_->addItem(deviceText(device.name), QString::fromStdString(device.name));
    if (device.name.starts_with("cuda")) gpus += QString::fromStdString(device.name);
  }
  if (gpus.size() > 1) devices_->addItem(deviceText(gpus.join(QStringLiteral(", ")).toStdString()), gpus.join(u','));
}

void BranchDialog::takeCheckpoints(const QVector<RunCheckpoint>& all, std::int64_t step) {
  checkpoints_ = all;
  if (all.isEmpty()) {
    planning_ = false;
    exact_->setSeverity(SeverityLabel::Tone::error);
    return exact_->say(tr("This run has no checkpoint to begin with."));
  }
  const QSignalBlocker quiet(from_);
  int chosen = static_cast<int>(all.size()) - 1;
  for (int i = 0; i < all.size(); ++i) {
    from_->addItem(checkpointTitle(all[i]));
    if (all[i].step == step) chosen = i;
  }
  from_->setCurrentIndex(chosen);
  plan(true);
}

void BranchDialog::propose(const QString& setting, double value) {
  proposed_.append({setting, value});
  if (base_) fields_->choose(setting, value);
}

/// Null: the run's own network and data.
std::optional<GraphDoc> BranchDialog::project() const {
  const bool network = network_->currentIndex() == 1, data = data_->currentIndex() == 1;
  if (!base_ || (!network && !data)) return std::nullopt;
  const GraphDoc& of_run = base_->request.definition.doc;
  GraphDoc doc = network ? session_.doc() : of_run;
  TrainSettings settings = of_run.settings();
  if (base_->progress.learning_rate >= 0) settings.learning_rate = base_->progress.learning_rate;
  const auto undo = doc.apply({PutSettings{settings}, PutData{data ? session_.doc().data() : of_run.data()}});
  return undo ? std::optional(doc) : std::nullopt;
}

BranchRequest BranchDialog::request() const {
  BranchRequest asked{.parent = run_};
  const int at = from_->currentIndex();
  if (at >= 0 && at < checkpoints_.size()) asked.from = QString::number(checkpoints_[at].step);
  asked.settings = fields_->changes();
  asked.devices = devices_->currentData().toString();
  asked.project = project();
  return asked;
}

void BranchDialog::planSoon() {
  planning_ = true;
  start_->setEnabled(false);
  soon_->start();
}

BranchDialog::Outcome BranchDialog::outcomeOf(const BranchPlan& plan) {
  auto planned = plan_branch(plan);
  if (!planned) return {nullptr, translated(planned.error().what)};
  return {std::make_shared<const Branch>(*std::move(planned)), {}};
}

/// `base`: another checkpoint, whose own values come first.
void BranchDialog::plan(bool base) {
  planning_ = true;
  start_->setEnabled(false);
  const BranchRequest asked = request();
  BranchPlan wanted{.parent = run_.toStdString(),
                    .run = {},
                    .from = asked.from.toStdString(),
                    .settings = {},
                    .project = {},
                    .devices = {}};
  if (!base) {
    for (const QString& change : asked.settings) wanted.settings.push_back(change.toStdString());
    wanted.project = asked.project;
    for (const QString& device : asked.devices.split(u',', Qt::SkipEmptyParts))
      wanted.devices.push_back(device.toStdString());
  }
  inBackground(
      this, [wanted] { return outcomeOf(wanted); },
      [this, base, generation = ++generation_](const Outcome& outcome) {
        if (generation != generation_) return;
        if (!base || !outcome.branch) return take(outcome);
        base_ = outcome.branch;
        takeBase(*base_);
        plan(false);
      });
}

void BranchDialog::takeBase(const Branch& branch) {
  TrainSettings settings = branch.request.definition.doc.settings();
  if (branch.progress.learning_rate >= 0) settings.learning_rate = branch.progress.learning_rate;
  fields_->setBase(settings);
  QSet<QString> frozen;
  for (const auto& [id, node] : branch.request.definition.doc.graph().nodes)
    if (node.frozen) frozen += QString::fromStdString(node.name);
  fields_->setLayers(layersWithWeights(branch), frozen);
  facts_->setText(checkpointFacts(checkpoints_[from_->currentIndex()]));
  for (const auto& [setting, value] : proposed_) fields_->choose(setting, value);
}

void BranchDialog::take(const Outcome& outcome) {
  planning_ = false;
  planned_ = outcome.branch;
  const bool idle = session_.run().state() == RunController::State::idle;
  start_->setEnabled(planned_ && idle);
  if (!planned_) {
    weightsText_->clear();
    weights_->clear();
    exact_->setSeverity(SeverityLabel::Tone::error);
    return exact_->say(outcome.problem);
  }
  showWeights(*planned_);
  const bool changed = !fields_->changes().isEmpty() || project();
  exact_->setSeverity(planned_->bit_exact && idle ? SeverityLabel::Tone::quiet : SeverityLabel::Tone::warn);
  exact_->say(!idle                  ? tr("A run is training in this window. Stop it, or wait until it finishes.")
              : !planned_->bit_exact ? tr("It trains on other devices than the run: its numbers will not be bit-exact.")
              : changed
                  ? tr("It begins with the full state: weights, optimizer, random numbers and the place in the data.")
                  : tr("Without a change it repeats the rest of the run bit by bit."));
}

void BranchDialog::showWeights(const Branch& branch) {
  weights_->clear();
  qsizetype carried = 0;
  for (const CarriedWeight& w : branch.weights) {
    carried += w.carried();
    const QString fate = w.carried()           ? tr("carried over")
                         : w.in_parent.empty() ? tr("begins anew: the run has no weight of this name")
                                               : tr("begins anew: %1 in the run").arg(shapeText(w.in_parent));
    auto* item = new QListWidgetItem(
        QStringLiteral("%1  %2  %3").arg(QString::fromStdString(w.name), shapeText(w.shape), fate), weights_);
    item->setIcon(icon(w.carried() ? QStringLiteral("check") : QStringLiteral("refresh")));
  }
  const auto all = static_cast<qsizetype>(branch.weights.size());
  weightsText_->setText(
      carried == all ? tr("All %n weight(s) are carried over.", nullptr, static_cast<int>(all))
                     : tr("%1 of %n weight(s) are carried over, the others begin anew.", nullptr, static_cast<int>(all))
                           .arg(carried));
}

bool branchFrom(Session& session, const QString& run, std::int64_t step, QWidget* parent,
                const QVector<std::pair<QString, double>>& proposed) {
  BranchDialog dialog(session, run, step, parent);
  for (const auto& [setting, value] : proposed) dialog.propose(setting, value);
  return dialog.exec() == QDialog::Accepted && session.run().branch(dialog.request());
}

}  // namespace nw::ui
