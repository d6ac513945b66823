// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/try/own_image_panel.hpp"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <algorithm>

#include "ui/predict/source/output_rows.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int most_classes_shown = 10;

bool are_digits(const QStringList& names) {
  return std::all_of(names.begin(), names.end(), [](const QString& n) {
    bool ok = false;
    n.toInt(&ok);
    return ok;
  });
}

constexpr int widest_pad = 222;  // as high: all of it is seen below the sample in a window of 1600 × 1000

}  // namespace

DropZone::DropZone(QWidget* parent)
    : QWidget(parent), choose_(makeButton(tr("Choose a file"), ButtonKind::neutral, {}, this)) {
  setMinimumHeight(190);
  connect(choose_, &QPushButton::clicked, this, &DropZone::chooseRequested);
}

void DropZone::setInputSize(int height, int width) {
  hint_ = tr("Resized to %1×%2 as in training").arg(width).arg(height);
  update();
}
void DropZone::setPicture(const QImage& picture) {
  picture_ = picture;
  resizeEvent(nullptr);
  update();
}

void DropZone::resizeEvent(QResizeEvent*) {
  const QSize size = choose_->sizeHint();
  const int y = picture_.isNull() ? height() / 2 + 42 : height() - size.height() - 12;
  choose_->setGeometry((width() - size.width()) / 2, y, size.width(), size.height());
}

void DropZone::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(t.border3, 1.2, Qt::DashLine));
  p.setBrush(t.sunken);
  p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::card, radius::card);
  if (!picture_.isNull()) {
    const qreal side = std::min(width() - 24, height() - 64);
    return paintThumbnail(p, picture_, QRectF((width() - side) / 2, 12, side, side), radius::control);
  }
  const int y = height() / 2;
  paintIcon(p, QStringLiteral("image"), QRectF(width() / 2.0 - 13, y - 58, 26, 26), t.text3);
  p.setFont(ui::font(TextRole::node));
  p.setPen(t.text1);
  p.drawText(QRect(0, y - 24, width(), 22), Qt::AlignCenter, tr("Drop or paste an image"));
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text2);
  p.drawText(QRect(8, y, width() - 16, 38), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, hint_);
}

OwnImagePanel::OwnImagePanel(PredictSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      title_(makeLabel({}, 1, static_cast<int>(TextRole::title), this)),
      note_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      stack_(new QStackedWidget(this)),
      pad_(new DrawingPad),
      zone_(new DropZone),
      bars_(new ClassBars(ClassBars::Form::plain, this)),
      brush_(new QSlider(Qt::Horizontal, this)),
      undo_(makeIconButton(QStringLiteral("undo"), tr("Undo the last stroke"), this)),
      clear_(makeIconButton(QStringLiteral("trash"), tr("Clear the drawing"), this)) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  auto* head = new QHBoxLayout;
  brush_->setRange(3, 14);
  brush_->setFixedWidth(72);
  brush_->setAccessibleName(tr("Brush width"));
  brush_->setToolTip(tr("Brush width"));
  brush_->setValue(static_cast<int>(pad_->brush() * 100));
  head->addWidget(title_);
  head->addStretch();
  for (QWidget* w : {static_cast<QWidget*>(brush_), static_cast<QWidget*>(undo_), static_cast<QWidget*>(clear_)})
    head->addWidget(w);
  auto* both = new QHBoxLayout;
  both->setSpacing(space::m);
  stack_->setMaximumWidth(widest_pad);
  stack_->addWidget(pad_);
  stack_->addWidget(zone_);
  both->addWidget(stack_, 3);
  both->addWidget(bars_, 2, Qt::AlignTop);
  rows->addLayout(head);
  rows->addLayout(both);
  rows->addWidget(note_);

  connect(&source_, &PredictSource::opened, this, &OwnImagePanel::networkChanged);
  connect(pad_, &DrawingPad::changed, this, &OwnImagePanel::ask);
  connect(undo_, &QPushButton::clicked, pad_, &DrawingPad::undo);
  connect(clear_, &QPushButton::clicked, pad_, &DrawingPad::clear);
  connect(brush_, &QSlider::valueChanged, this, [this](int v) { pad_->setBrush(v / 100.0); });
  connect(zone_, &DropZone::chooseRequested, this, &OwnImagePanel::chooseFile);
  networkChanged();
}

void OwnImagePanel::networkChanged() {
  const NetworkInfo& network = source_.network();
  const bool grey = network.channels <= 1;
  ++turn_;
  asking_ = again_ = false;
  stack_->setCurrentWidget(grey ? static_cast<QWidget*>(pad_) : zone_);
  for (QWidget* w : {static_cast<QWidget*>(brush_), static_cast<QWidget*>(undo_), static_cast<QWidget*>(clear_)})
    w->setVisible(grey);
  title_->setText(!grey                       ? tr("Try your own image")
                  : are_digits(network.names) ? tr("Draw a digit")
                                              : tr("Draw an image"));
  if (network.known()) {
    pad_->setInputSize(network.height, network.width);
    zone_->setInputSize(network.height, network.width);
    zone_->setPicture({});
  }
  say({});
  showNothing();
  if (!pad_->isEmpty()) ask();
}

void OwnImagePanel::ask() {
  if (!source_.network().known()) return;
  if (pad_->isEmpty()) {
    ++turn_;
    asking_ = again_ = false;
    return showNothing();
  }
  if (asking_) {
    again_ = true;
    return;
  }
  asking_ = true;
  say({});
  source_.predict(this, pad_->input(), [this, turn = turn_](const Result<PredictSource::FilePrediction>& answer) {
    if (turn != turn_) return;
    asking_ = false;
    if (answer)
      show(answer->probability);
    else
      say(translated(answer.error().what), true);
    if (std::exchange(again_, false)) ask();
  });
}

void OwnImagePanel::show(const std::vector<float>& outputs) {
  bars_->setRows(outputRows(source_.network(), outputs, most_classes_shown));
}

void OwnImagePanel::showNothing() {
  const auto view = source_.view();
  const QStringList names = view ? view->outputs : source_.network().names;
  std::vector<ClassBars::Row> rows;
  for (int c = 0; c < std::min<int>(static_cast<int>(names.size()), most_classes_shown); ++c)
    rows.push_back({names[c], 0, false, false});
  bars_->setRows(std::move(rows));
}

void OwnImagePanel::openFile(const QString& path) {
  ++turn_;
  asking_ = again_ = false;
  source_.predictFile(this, path, [this, path, turn = turn_](const Result<PredictSource::FilePrediction>& answer) {
    if (turn == turn_) showInput(answer, QFileInfo(path).fileName());
  });
}

/// Shows an opened or pasted image as the network's input.
void OwnImagePanel::showInput(const Result<PredictSource::FilePrediction>& answer, const QString& origin) {
  if (!answer) return say(translated(answer.error().what), true);
  pad_->setPicture(answer->input);
  zone_->setPicture(answer->input);
  show(answer->probability);
  say(origin);
}

void OwnImagePanel::openClipboard() {
  const QImage image = QApplication::clipboard()->image();
  if (image.isNull() || !source_.network().known()) return;
  ++turn_;
  asking_ = again_ = false;
  source_.predict(this, image, [this, turn = turn_](const Result<PredictSource::FilePrediction>& answer) {
    if (turn == turn_) showInput(answer, tr("From the clipboard"));
  });
}

void OwnImagePanel::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Choose an image"), {},
      tr("Images (*.png *.jpg *.jpeg *.gif *.bmp *.webp *.tif *.tiff *.pbm *.pgm *.ppm *.pnm);;All files (*)"));
  if (!path.isEmpty()) openFile(path);
}

void OwnImagePanel::say(const QString& sentence, bool error) {
  note_->setSeverity(error ? SeverityLabel::Tone::error : SeverityLabel::Tone::quiet);
  note_->say(sentence);
}

}  // namespace nw::ui
