// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/try/playground.hpp"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QStackedWidget>
#include <algorithm>

#include "ui/predict/images/image_view.hpp"
#include "ui/predict/source/output_rows.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int most_classes = 10, head_height = 34, least_side = 190, largest_side = 560;
constexpr int around_images = 250;  // height of headings, sliders and buttons
constexpr int stacked_bars = 540;   // height of two lists of classes, one below the other

struct SliderRow {
  const char *title, *unit;
  int low, high;
  int Distortion::*member;
};
const SliderRow slider_rows[] = {
    {QT_TRANSLATE_NOOP("Playground", "Rotation"), "°", -180, 180, &Distortion::turn},
    {QT_TRANSLATE_NOOP("Playground", "Noise"), " %", 0, 60, &Distortion::noise},
    {QT_TRANSLATE_NOOP("Playground", "Occlusion"), " %", 0, 80, &Distortion::cover},
};

/// As high as the buttons of other headings, so that the contents below are aligned.
QLabel* titleOf(const QString& text) {
  QLabel* title = makeLabel(text, 1, static_cast<int>(TextRole::title));
  title->setMinimumHeight(head_height);
  return title;
}

}  // namespace

PredictionBars::PredictionBars(PredictSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      bars_(new ClassBars(ClassBars::Form::plain, this)),
      note_(new SeverityLabel(SeverityLabel::Tone::error, this)) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addWidget(bars_);
  rows->addWidget(note_);
  rows->addStretch(1);
}

void PredictionBars::setNetwork(const QString& run, const QString& checkpoint) {
  run_ = run;
  checkpoint_ = checkpoint;
  ++turn_;
  asking_ = again_ = false;
  bars_->setRows({});
  if (!wanted_.isNull()) ask();
}

void PredictionBars::show(const QImage& input) {
  wanted_ = input;
  ask();
}

void PredictionBars::ask() {
  if (run_.isEmpty() || wanted_.isNull()) return bars_->setRows({});
  if (asking_) {
    again_ = true;
    return;
  }
  asking_ = true;
  source_.predictWith(this, {run_.toStdString(), checkpoint_.toStdString()}, wanted_,
                      [this, turn = turn_](const Result<std::vector<float>>& probability) {
                        if (turn != turn_) return;
                        asking_ = false;
                        answer(probability);
                        if (std::exchange(again_, false)) ask();
                      });
}

void PredictionBars::answer(const Result<std::vector<float>>& probability) {
  note_->say(probability ? QString() : translated(probability.error().what));
  if (!probability) return bars_->setRows({});
  bars_->setRows(outputRows(source_.network(), *probability, most_classes));
}

Playground::Playground(PredictSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      stack_(new QStackedWidget),
      pad_(new DrawingPad),
      picture_(new ImageView(tr("Image"))),
      seen_(new ImageView(tr("Input of the network"))),
      undo_(makeIconButton(QStringLiteral("undo"), tr("Undo the last stroke"))),
      clear_(makeIconButton(QStringLiteral("trash"), tr("Clear the drawing"))),
      take_(makeButton(tr("Chosen image"), ButtonKind::neutral, QStringLiteral("image"))),
      mine_(new PredictionBars(source, this)),
      other_(new PredictionBars(source, this)),
      chooser_(new ChooserButton(tr("Compare with"), this)),
      menu_(new QMenu(chooser_)),
      name_(makeLabel({}, 1, static_cast<int>(TextRole::node))) {
  name_->setObjectName(QStringLiteral("playgroundWeights"));
  auto* columns = new QHBoxLayout(this);
  columns->setContentsMargins(space::l, space::m, space::l, space::m);
  columns->setSpacing(space::xxl);
  columns->addWidget(imageSide_ = makeImage());
  columns->addWidget(seenSide_ = makeSliders());
  columns->addWidget(makeBars(), 1);
  connect(&source_, &PredictSource::opened, this, &Playground::networkChanged);
  connect(pad_, &DrawingPad::changed, this, [this] {
    drawn_ = true;
    refresh();
  });
  connect(undo_, &QPushButton::clicked, pad_, &DrawingPad::undo);
  connect(clear_, &QPushButton::clicked, pad_, &DrawingPad::clear);
  connect(take_, &QPushButton::clicked, this, &Playground::takeChosen);
  connect(menu_, &QMenu::aboutToShow, this, [this] { weights_.fill(*menu_, other_->run(), other_->checkpoint()); });
  connect(&weights_, &WeightsList::chosen, this, &Playground::compareWith);
  connect(&weights_, &WeightsList::refreshed, this, &Playground::nameNetworks);
  for (QSlider* s : sliders_) connect(s, &QSlider::valueChanged, this, &Playground::refresh);
  chooser_->setMenu(menu_);
  chooser_->setValue(tr("none"));
}

QWidget* Playground::makeImage() {
  auto* side = new QWidget;
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  auto* head = new QHBoxLayout;
  head->addWidget(titleOf(tr("Image")));
  head->addStretch(1);
  for (QWidget* w : {static_cast<QWidget*>(undo_), static_cast<QWidget*>(clear_)}) head->addWidget(w);
  stack_->addWidget(pad_);
  stack_->addWidget(picture_);
  auto* below = new QHBoxLayout;
  below->addWidget(take_);
  below->addStretch(1);
  rows->addLayout(head);
  rows->addWidget(stack_);
  rows->addLayout(below);
  rows->addStretch(1);
  return side;
}

QWidget* Playground::makeSliders() {
  auto* side = new QWidget;
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  rows->addWidget(titleOf(tr("Input of the network")));
  rows->addWidget(seen_);
  for (std::size_t i = 0; i < std::size(slider_rows); ++i) {
    const SliderRow& row = slider_rows[i];
    const QString title = QCoreApplication::translate("Playground", row.title);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(title, 2, static_cast<int>(TextRole::body)));
    head->addStretch(1);
    head->addWidget(values_[i] = makeLabel({}, 1, static_cast<int>(TextRole::button)));
    sliders_[i] = new QSlider(Qt::Horizontal);
    sliders_[i]->setRange(row.low, row.high);
    sliders_[i]->setAccessibleName(title);
    rows->addLayout(head);
    rows->addWidget(sliders_[i]);
  }
  QPushButton* reset = makeButton(tr("Reset"), ButtonKind::ghost, QStringLiteral("undo"));
  connect(reset, &QPushButton::clicked, this, [this] {
    for (QSlider* s : sliders_) s->setValue(0);
  });
  auto* below = new QHBoxLayout;
  below->addWidget(reset);
  below->addStretch(1);
  rows->addLayout(below);
  rows->addStretch(1);
  return side;
}

QWidget* Playground::makeBars() {
  auto* side = new QWidget;
  bars_ = new QBoxLayout(QBoxLayout::TopToBottom, side);
  bars_->setContentsMargins(0, 0, 0, 0);
  bars_->setSpacing(space::xxl);
  const auto column = [&](QWidget* head, PredictionBars* bars) {
    auto* rows = new QVBoxLayout;
    rows->setSpacing(space::m);
    head->setMinimumHeight(head_height);
    rows->addWidget(head, 0, Qt::AlignLeft);
    rows->addWidget(bars, 1);
    bars_->addLayout(rows, 1);
  };
  column(name_, mine_);
  column(chooser_, other_);
  return side;
}

/// The images get as much room as both sides allow and the class lists the rest; the lists are stacked where the height
/// is enough for both.
void Playground::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int side = std::clamp(std::min(width() / 3 - space::xl, height() - around_images), least_side, largest_side);
  for (QWidget* w : {imageSide_, seenSide_}) w->setFixedWidth(side);
  bars_->setDirection(height() >= stacked_bars ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void Playground::showEvent(QShowEvent*) {
  weights_.refresh(source_.run());
  refresh();
}

void Playground::networkChanged() {
  const NetworkInfo& network = source_.network();
  const bool grey = network.channels <= 1;
  stack_->setCurrentIndex(grey ? 0 : 1);
  for (QWidget* w : {static_cast<QWidget*>(undo_), static_cast<QWidget*>(clear_)}) w->setVisible(grey);
  pad_->setInputSize(network.height, network.width);
  mine_->setNetwork(source_.run(), source_.checkpoint());
  nameNetworks();
  base_ = {};
  if (grey && !drawn_) pad_->setPicture({});
  refresh();
}

void Playground::compareWith(const QString& run, const QString& checkpoint) {
  other_->setNetwork(run, checkpoint);
  nameNetworks();
}

/// The list of runs, which is read meanwhile, knows the projects and the epochs.
void Playground::nameNetworks() {
  name_->setText(weights_.describe(source_.run(), source_.checkpoint(), source_.network().step));
  if (other_->run().isEmpty()) return;
  const QString checkpoint = other_->checkpoint();
  const WeightsOfRun* known = weights_.find(other_->run());
  const qint64 step = known == nullptr                        ? 0
                      : checkpoint == QLatin1String("best")   ? known->best
                      : checkpoint == QLatin1String("latest") ? known->latest
                                                              : checkpoint.section(QLatin1Char('-'), -1).toLongLong();
  chooser_->setValue(weights_.describe(other_->run(), checkpoint, step));
}

void Playground::setChosen(const QImage& image) {
  chosen_ = image;
  take_->setEnabled(!image.isNull());
  const bool empty = source_.network().channels <= 1 ? pad_->isEmpty() : base_.isNull();
  if (empty && isVisible()) takeChosen();
}

void Playground::takeChosen() {
  const NetworkInfo& network = source_.network();
  if (chosen_.isNull() || !network.known()) return;
  base_ = chosen_.convertToFormat(network.channels <= 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
  picture_->setImage(base_);
  if (network.channels <= 1) pad_->setPicture(base_);
  refresh();
}

QImage Playground::input() const {
  Distortion how;
  for (std::size_t i = 0; i < sliders_.size(); ++i) how.*(slider_rows[i].member) = sliders_[i]->value();
  const bool grey = source_.network().channels <= 1;
  return distorted(grey ? (pad_->isEmpty() ? QImage() : pad_->input()) : base_, how);
}

void Playground::refresh() {
  for (std::size_t i = 0; i < sliders_.size(); ++i)
    values_[i]->setText(QString::number(sliders_[i]->value()) + QString::fromUtf8(slider_rows[i].unit));
  if (!source_.network().known() || !isVisible()) return;
  if (!drawn_ && base_.isNull() && !chosen_.isNull()) return takeChosen();
  const QImage image = input();
  seen_->setImage(image);
  mine_->show(image);
  other_->show(image);
}

}  // namespace nw::ui
