// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/placement_panel.hpp"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int mostLanes = 8, mostGroups = 8;

/// One of several ways, with a sentence about it.
class WayButton final : public QAbstractButton {
 public:
  WayButton(const QString& iconName, const QString& title, const QString& about) : icon_(iconName), about_(about) {
    setText(title);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(title);
    setAccessibleDescription(about);
    setFixedHeight(56);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    const QColor line = isChecked() ? t.ring : underMouse() ? t.border3 : t.border2;
    style::box(p, card, radius::group, isChecked() ? t.accentSoft : t.raised, line, isChecked() ? 1.6 : 1);
    if (hasFocus()) style::focusRing(p, card, radius::group);
    paintIcon(p, icon_, QRectF(card.left() + 12, card.center().y() - 9, 18, 18), isChecked() ? t.accentText : t.text2);
    const QRectF words = card.adjusted(42, 6, -8, -6);
    p.setFont(ui::font(TextRole::node));
    p.setPen(t.text1);
    p.drawText(words, Qt::AlignTop | Qt::AlignLeft, text());
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(t.text2);
    p.drawText(words, Qt::AlignBottom | Qt::AlignLeft,
               QFontMetricsF(p.font()).elidedText(about_, Qt::ElideRight, words.width()));
  }

 private:
  const QString icon_, about_;
};

/// A soft ground for the hint.
class HintCard final : public QWidget {
 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    style::box(p, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::group, theme().warnSoft, theme().warnSoft);
    paintIcon(p, QStringLiteral("bolt"), QRectF(10, 12, 16, 16), theme().warn);
  }
};

NumberSpin* wholeSpin(double lo, double hi, const char* name) {
  auto* spin = new NumberSpin(true, lo, hi, 1);
  spin->setObjectName(QLatin1String(name));
  return spin;
}

}  // namespace

PlacementPanel::PlacementPanel(Session& session, Placement& placement, QWidget* parent)
    : QScrollArea(parent), session_(session), placement_(placement) {
  setObjectName(QStringLiteral("placementPanel"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(space::m, space::m, space::m, space::m);
  column->setSpacing(space::s);
  buildChoices(*column);
  buildFields(*column);
  buildEstimate(*column);
  buildHint(*column);
  column->addStretch(1);
  setWidget(content);
  connect(&placement_, &Placement::changed, this, &PlacementPanel::refresh);
  connect(&session_, &Session::documentChanged, this, &PlacementPanel::refresh);
  connect(&session_, &Session::documentReplaced, this, &PlacementPanel::refresh);
  refresh();
}

void PlacementPanel::buildChoices(QVBoxLayout& column) {
  copies_ =
      new WayButton(QStringLiteral("grid"), tr("Same copy on every device"), tr("Data parallel, split the batch"));
  stages_ =
      new WayButton(QStringLiteral("columns"), tr("Split into stages"), tr("Pipeline parallel, split the network"));
  mixed_ = new WayButton(QStringLiteral("branch"), tr("Mixed"), tr("Stages with copies"));
  copies_->setObjectName(QStringLiteral("placeCopies"));
  stages_->setObjectName(QStringLiteral("placeStages"));
  mixed_->setObjectName(QStringLiteral("placeMixed"));
  auto* group = new QButtonGroup(this);
  for (QAbstractButton* one : {copies_, stages_, mixed_}) {
    group->addButton(one);
    column.addWidget(one);
  }
  connect(copies_, &QAbstractButton::clicked, this, [this] { placement_.setWay(PlacementWay::copies); });
  connect(stages_, &QAbstractButton::clicked, this, [this] { placement_.setWay(PlacementWay::stages); });
  connect(mixed_, &QAbstractButton::clicked, this, [this] { placement_.setWay(PlacementWay::mixed); });
}

void PlacementPanel::buildFields(QVBoxLayout& column) {
  batch_ = wholeSpin(1, 1 << 20, "placeBatch");
  parts_ = wholeSpin(1, 4096, "placeMicroBatches");
  lanes_ = wholeSpin(2, mostLanes, "placeLanes");
  groups_ = wholeSpin(2, mostGroups, "placeGroups");
  order_ = new QComboBox;
  order_->setObjectName(QStringLiteral("placeOrder"));
  order_->addItems({QStringLiteral("1F1B"), QStringLiteral("GPipe")});
  balance_ = makeButton(tr("Balance automatically"), ButtonKind::tonal, QStringLiteral("wand"));
  balance_->setObjectName(QStringLiteral("placeBalance"));
  balance_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  column.addWidget(new PanelRow(tr("Batch"), batch_, tr("Images per step, over all devices.")));
  column.addWidget(partsRow_ = new PanelRow(tr("Micro-batches"), parts_,
                                            tr("The parts of a batch that pass through the stages one after another. "
                                               "Batch norm takes its statistics of each part.")));
  column.addWidget(orderRow_ = new PanelRow(tr("Order"), order_,
                                            tr("1F1B: each backward pass as soon as possible, so that fewer "
                                               "activations are kept. GPipe: all forward passes first.")));
  column.addWidget(lanesRow_ = new PanelRow(tr("Stages"), lanes_,
                                            tr("Each stage has a device; the processor's cores are divided among so "
                                               "many devices.")));
  column.addWidget(groupsRow_ = new PanelRow(tr("Copies"), groups_,
                                             tr("Each copy of the stages has devices of its own and computes a part "
                                                "of the batch; their gradients are summed.")));
  buildDivision(column);
  column.addWidget(balance_);
  note_ = makeLabel({}, 1, static_cast<int>(TextRole::secondary));
  note_->setObjectName(QStringLiteral("placeProblem"));
  note_->setWordWrap(true);
  column.addWidget(note_);
  connect(batch_, &QDoubleSpinBox::valueChanged, this, [this](double v) {
    placement_.change([v](TrainSettings& s) { s.batch = static_cast<std::int64_t>(v); }, tr("Batch"));
  });
  connect(parts_, &QDoubleSpinBox::valueChanged, this, [this](double v) {
    placement_.change([v](TrainSettings& s) { s.micro_batches = static_cast<std::int64_t>(v); }, tr("Micro-batches"));
  });
  connect(order_, &QComboBox::activated, this, [this](int at) {
    const auto schedule = at == 1 ? PipelineSchedule::gpipe : PipelineSchedule::one_forward_one_backward;
    placement_.change([schedule](TrainSettings& s) { s.pipeline = schedule; }, tr("Order"));
  });
  connect(lanes_, &QDoubleSpinBox::valueChanged, this,
          [this](double v) { placement_.setDevices(static_cast<int>(v), placement_.groups()); });
  connect(groups_, &QDoubleSpinBox::valueChanged, this,
          [this](double v) { placement_.setDevices(placement_.lanes(), static_cast<int>(v)); });
  connect(balance_, &QPushButton::clicked, &placement_, &Placement::balance);
}

void PlacementPanel::buildDivision(QVBoxLayout& column) {
  divide_ = new ToggleSwitch(tr("Divide the optimizer's state"));
  divide_->setObjectName(QStringLiteral("placeDivideState"));
  column.addWidget(divideRow_ = new PanelRow(tr("Divide the optimizer's state"), divide_,
                                             tr("Each device keeps and updates a part of it (ZeRO, stage 1), with the "
                                                "same result. It saves memory and sends the weights in its place.")));
  saved_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  saved_->setObjectName(QStringLiteral("placeSaved"));
  saved_->setWordWrap(true);
  column.addWidget(saved_);
  connect(divide_, &QAbstractButton::clicked, &placement_, &Placement::divideState);
}

void PlacementPanel::refreshDivision() {
  const bool on = placement_.dividesState();
  divide_->setChecked(on);
  divideRow_->setVisible(on || placement_.canDivideState());
  const std::int64_t bytes = placement_.savedBytes();
  saved_->setVisible(bytes > 0 && placement_.canDivideState());
  const QString size = bytesText(static_cast<double>(bytes));
  saved_->setText(on ? tr("Each device needs %1 less.").arg(size) : tr("Each device would need %1 less.").arg(size));
}

QLabel* PlacementPanel::figure(QVBoxLayout& column, const QString& title, const char* name) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(makeLabel(title, 2, static_cast<int>(TextRole::body)));
  row->addStretch(1);
  QLabel* value = makeLabel({}, 1, static_cast<int>(TextRole::button));
  value->setObjectName(QLatin1String(name));
  row->addWidget(value);
  column.addWidget(line);
  return value;
}

void PlacementPanel::buildEstimate(QVBoxLayout& column) {
  figures_ = new QWidget;
  auto* inner = new QVBoxLayout(figures_);
  inner->setContentsMargins(0, space::s, 0, 0);
  inner->setSpacing(6);
  inner->addWidget(makeLabel(tr("Estimate"), 1, static_cast<int>(TextRole::title)));
  step_ = figure(*inner, tr("Step"), "placeStep");
  throughput_ = figure(*inner, tr("Throughput"), "placeThroughput");
  idle_ = figure(*inner, tr("Idle share (bubble)"), "placeIdle");
  moved_ = figure(*inner, tr("Moved between devices"), "placeMoved");
  exchanged_ = figure(*inner, tr("Summed between copies"), "placeExchanged");
  against_ = figure(*inner, tr("Against 1 device"), "placeAgainst");
  against_->setToolTip(tr("Of the same kind: with the cores of one lane"));
  epoch_ = figure(*inner, tr("Epoch"), "placeEpoch");
  source_ = makeLabel({}, 3, static_cast<int>(TextRole::secondary));
  source_->setWordWrap(true);
  inner->addWidget(source_);
  column.addWidget(figures_);
}

void PlacementPanel::buildHint(QVBoxLayout& column) {
  hint_ = new HintCard;
  auto* inner = new QVBoxLayout(hint_);
  inner->setContentsMargins(34, 10, 10, 10);
  inner->setSpacing(4);
  hintTitle_ = makeLabel({}, 1, static_cast<int>(TextRole::node));
  hintText_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  hintText_->setWordWrap(true);
  move_ = makeButton({}, ButtonKind::neutral);
  move_->setObjectName(QStringLiteral("placeMove"));
  inner->addWidget(hintTitle_);
  inner->addWidget(hintText_);
  inner->addWidget(move_, 0, Qt::AlignLeft);
  column.addWidget(hint_);
  connect(move_, &QPushButton::clicked, this, [this] {
    if (placement_.best()) placement_.move({placement_.best()->node}, placement_.best()->to);
  });
}

void PlacementPanel::refresh() {
  const TrainSettings& s = session_.doc().settings();
  const PlacementWay way = placement_.way();
  const bool split = way != PlacementWay::copies, mixed = way == PlacementWay::mixed;
  (mixed ? mixed_ : split ? stages_ : copies_)->setChecked(true);
  for (QAbstractButton* one : {copies_, stages_, mixed_})  // as radio buttons: Tab goes to the chosen one
    one->setFocusPolicy(one->isChecked() ? Qt::StrongFocus : Qt::ClickFocus);
  batch_->follow(static_cast<double>(s.batch));
  parts_->follow(static_cast<double>(s.micro_batches));
  if (split) lanes_->follow(placement_.lanes());
  if (mixed) groups_->follow(placement_.groups());
  groupsRow_->setVisible(mixed);
  order_->setCurrentIndex(s.pipeline == PipelineSchedule::gpipe ? 1 : 0);
  for (QWidget* w : std::initializer_list<QWidget*>{partsRow_, orderRow_, lanesRow_, balance_}) w->setVisible(split);
  balance_->setEnabled(!placement_.layers().empty());
  note_->setText(split ? placement_.problem() : QString());
  note_->setVisible(!note_->text().isEmpty());
  figures_->setVisible(split && !placement_.layers().empty());
  refreshDivision();
  refreshEstimate();
  refreshHint();
}

void PlacementPanel::refreshEstimate() {
  const PipelineEstimate& e = placement_.estimate();
  const double seconds = e.timeline.end * placement_.unit(), batch = static_cast<double>(placement_.batch());
  const QString unknown = QStringLiteral("–");
  step_->setText(seconds > 0 ? placement_.costText(e.timeline.end, 0) : unknown);
  throughput_->setText(seconds > 0 ? tr("%1 images/s").arg(grouped(qRound64(batch / seconds))) : unknown);
  idle_->setText(percentText(e.bubble, 0));
  const int groups = placement_.groups();
  moved_->setText(tr("%1 / step").arg(bytesText(static_cast<double>(e.moved_bytes) * groups)));
  exchanged_->setText(tr("%1 / step").arg(bytesText(placement_.exchangedBytes())));
  exchanged_->parentWidget()->setVisible(groups > 1);
  against_->setText(e.timeline.end > 0 ? QStringLiteral("× %1").arg(groups * e.one_device / e.timeline.end, 0, 'f', 1)
                                       : unknown);
  const double images = static_cast<double>(session_.dataFacts().train);
  epoch_->setText(seconds > 0 && images > 0 ? durationText(images / batch * seconds) : unknown);
  source_->setText(placement_.sourceText());
}

void PlacementPanel::refreshHint() {
  const PipelineEstimate& e = placement_.estimate();
  const bool wanted = placement_.split() && placement_.problem().isEmpty() && e.timeline.end > 0;
  hint_->setVisible(wanted);
  if (!wanted) return;
  hintTitle_->setText(tr("%1 sets the pace").arg(placement_.laneName(static_cast<int>(slowest_stage(e)))));
  const auto& best = placement_.best();
  const auto& nodes = session_.doc().graph().nodes;
  const bool there = best && nodes.contains(best->node);
  move_->setVisible(there);
  if (!there) return hintText_->setText(tr("The other devices wait for it. No single move makes a step shorter."));
  const QString name = QString::fromStdString(nodes.at(best->node).name);
  hintText_->setText(tr("The other devices wait for it. Moving %1 to %2 saves %3 of every step.")
                         .arg(name, placement_.laneName(best->to), percentText(1 - best->after / best->before, 0)));
  setShortenedText(*move_, tr("Move %1").arg(name), 200);
}

}  // namespace nw::ui
