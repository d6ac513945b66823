// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/export_card.hpp"

#include <QApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/deploy/deploy_ground.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int steps_of_bar = 1000, figures = 3;

class FormatIcon : public QWidget {
 public:
  explicit FormatIcon(const char* name, QWidget* parent) : QWidget(parent), name_(QLatin1String(name)) {
    setFixedSize(36, 36);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    style::box(p, rect(), radius::group, t.sunken, t.border1);
    paintIcon(p, name_, QRectF(9, 9, 18, 18), t.text2);
  }

 private:
  QString name_;
};

bool works(ExportState s) { return s == ExportState::running || s == ExportState::checking; }

}  // namespace

ExportCard::ExportCard(const NetworkFormat& format, QWidget* parent) : QFrame(parent), format_(format) {
  setObjectName(QStringLiteral("card-") + this->format());
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(nameOf(format));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 12);
  column->setSpacing(space::s);
  column->addWidget(makeHead());
  column->addWidget(makeState());
  column->addWidget(makeFigures());
  bar_ = new QProgressBar(this);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(6);
  bar_->setAccessibleName(tr("Progress"));
  column->addWidget(bar_);
  readers_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary), this);
  column->addWidget(readers_);
  column->addWidget(makeElidedLabel(aboutOf(format), 3, static_cast<int>(TextRole::secondary), this));
  column->addStretch(1);
  column->addWidget(makeButtons());
}

QString ExportCard::format() const { return QLatin1String(format_.id); }

QWidget* ExportCard::makeHead() {
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::m);
  row->addWidget(new FormatIcon(format_.icon, head));
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  words->addWidget(makeElidedLabel(nameOf(format_), 1, static_cast<int>(TextRole::node), head));
  file_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary), head);
  words->addWidget(file_);
  row->addLayout(words, 1);
  return head;
}

QWidget* ExportCard::makeState() {
  auto* line = new QWidget(this);
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  pill_ = new QWidget(line);
  auto* place = new QHBoxLayout(pill_);
  place->setContentsMargins(0, 0, 0, 0);
  row->addWidget(pill_);
  detail_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary), line);
  row->addWidget(detail_, 1);
  return line;
}

QWidget* ExportCard::makeFigures() {
  figures_ = new QWidget(this);
  auto* row = new QHBoxLayout(figures_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::l);
  for (int i = 0; i < figures; ++i) {
    auto* column = new QVBoxLayout;
    column->setSpacing(1);
    names_ << makeElidedLabel({}, 2, static_cast<int>(TextRole::axis), figures_);
    values_ << makeElidedLabel({}, 1, static_cast<int>(TextRole::node), figures_);
    column->addWidget(names_.back());
    column->addWidget(values_.back());
    row->addLayout(column, i == 1 ? 4 : 3);
  }
  return figures_;
}

QWidget* ExportCard::makeButtons() {
  auto* line = new QWidget(this);
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  export_ = makeButton(tr("Export again"), ButtonKind::neutral, {}, line);
  show_ = makeButton(tr("Show file"), ButtonKind::neutral, {}, line);
  proof_ = makeButton(tr("Proof ›"), ButtonKind::ghost, {}, line);
  export_->setObjectName(QStringLiteral("export"));
  show_->setObjectName(QStringLiteral("showFile"));
  proof_->setObjectName(QStringLiteral("proof"));
  row->addWidget(export_);
  row->addWidget(show_);
  row->addStretch(1);
  row->addWidget(proof_);
  connect(export_, &QPushButton::clicked, this, &ExportCard::exportOrStop);
  connect(show_, &QPushButton::clicked, this, [this] { Q_EMIT showRequested(format()); });
  connect(proof_, &QPushButton::clicked, this, [this] { Q_EMIT chosen(format()); });
  return line;
}

void ExportCard::exportOrStop() {
  if (works(state_))
    Q_EMIT stopRequested(format());
  else
    Q_EMIT exportRequested(format());
}

void ExportCard::setItem(const ExportItem& item, ExportState state) {
  const bool other = state != state_ || !filled_;
  state_ = state;
  filled_ = true;
  const bool busy = works(state);
  file_->setText(item.record ? inOneLine(QFileInfo(item.record->file).fileName()) : tr("No file yet"));
  if (other) showState(item);
  detail_->setText(stateDetail(item, state));
  figures_->setVisible(!busy);
  bar_->setVisible(busy && item.expected > 0);
  bar_->setRange(0, steps_of_bar);
  bar_->setValue(static_cast<int>(steps_of_bar * std::min(0.97, item.elapsed / std::max(item.expected, 1e-3))));
  const QVector<ExportFigure> all = figuresOf(item);
  for (int i = 0; i < figures; ++i) {
    names_[i]->setText(all[i].name);
    values_[i]->setText(all[i].value);
  }
  readers_->setText(state == ExportState::running ? stageText(item.stage) : readersLine(item));
  setAccessibleDescription(stateText(state).text + u' ' + detail_->text());
  update();
}

void ExportCard::showState(const ExportItem& item) {
  const StateText shown = stateText(state_);
  showPill(*pill_, shown.text, shown.tone);
  const bool first = !item.record;
  export_->setText(works(state_) ? tr("Stop") : first ? tr("Export…") : tr("Export again"));
  export_->setAccessibleName(tr("%1: %2").arg(nameOf(format_), export_->text()));
  setButtonKind(export_, state_ == ExportState::out_of_date ? ButtonKind::tonal : ButtonKind::neutral);
  show_->setEnabled(!first);
  show_->setAccessibleName(tr("%1: %2").arg(nameOf(format_), show_->text()));
  proof_->setAccessibleName(tr("%1: %2").arg(nameOf(format_), proof_->text()));
}

void ExportCard::setChosen(bool chosen) {
  chosen_ = chosen;
  update();
}

void ExportCard::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  const QRectF inner = QRectF(rect()).adjusted(3, 3, -3, -3);
  if (chosen_) style::focusRing(p, inner, radius::card);
  style::box(p, inner, radius::card, t.chartCard,
             chosen_      ? t.ring
             : hasFocus() ? t.border3
                          : t.border1,
             chosen_ ? 1.6 : 1);
  if (hasFocus() && !chosen_) style::focusRing(p, inner, radius::card);
}

void ExportCard::mousePressEvent(QMouseEvent* event) {
  QFrame::mousePressEvent(event);
  Q_EMIT chosen(format());
}

void ExportCard::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & ~Qt::KeypadModifier) return QFrame::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      return void(Q_EMIT chosen(format()));
    case Qt::Key_E:
      return exportOrStop();
    case Qt::Key_P:
      return void(Q_EMIT checkRequested(format()));
    default:
      QFrame::keyPressEvent(event);
  }
}

void ExportCard::focusInEvent(QFocusEvent* event) {
  QFrame::focusInEvent(event);
  update();
}

}  // namespace nw::ui
