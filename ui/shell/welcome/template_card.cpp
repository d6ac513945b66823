// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/welcome/template_card.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int inset = 12, pad = 18;

bool isPress(const QKeyEvent* e) {
  return e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter || e->key() == Qt::Key_Space;
}

}  // namespace

TemplateCard::TemplateCard(const QString& name, const QString& title, const QString& summary, const QString& data,
                           QWidget* parent)
    : QWidget(parent),
      name_(name),
      title_(title),
      summary_(summary),
      data_(data.isEmpty() ? tr("Needs your photos") : data),
      ready_(!data.isEmpty()) {
  setObjectName(QStringLiteral("template-") + name);
  setAccessibleName(tr("Template %1: %2").arg(title, summary));
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
  train_ = makeButton(tr("Open and train"), ButtonKind::primary, QStringLiteral("play"), this);
  open_ = makeButton(tr("Open"), ButtonKind::neutral, {}, this);
  connect(train_, &QPushButton::clicked, this, &TemplateCard::trainRequested);
  connect(open_, &QPushButton::clicked, this, &TemplateCard::openRequested);
  for (QPushButton* button : {train_, open_}) button->installEventFilter(this);
  installEventFilter(this);
  showButtons();
}

void TemplateCard::setMiniature(const Miniature& miniature) {
  miniature_ = miniature;
  known_ = true;
  update();
}

void TemplateCard::showButtons() {
  const bool on = underMouse() || hasFocus() || train_->hasFocus() || open_->hasFocus();
  train_->setVisible(on && ready_);
  open_->setVisible(on);
  update();
}

QRectF TemplateCard::preview() const { return {inset, inset, width() - 2.0 * inset, height() - 158.0}; }

void TemplateCard::resizeEvent(QResizeEvent*) {
  const int y = static_cast<int>(preview().bottom()) - 40;
  train_->adjustSize();
  train_->move(inset + 10, y);
  open_->adjustSize();
  open_->move(ready_ ? train_->geometry().right() + 8 : inset + 10, y);
}

void TemplateCard::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const bool hot = open_->isVisible();
  if (hot) style::box(p, rect(), radius::card + 2, Qt::transparent, t.accentSoft, 4);
  const QRectF card = QRectF(rect()).adjusted(2, 2, -2, -2);
  style::box(p, card, radius::card, t.chartCard, hot ? t.ring : t.border2, hot ? 1.6 : 1);
  const QRectF area = preview();
  style::box(p, area, radius::compact, t.sunken, Qt::transparent);
  if (known_) paintMiniature(p, area.adjusted(24, 22, -24, hot ? -50 : -22), miniature_);
  const qreal y = area.bottom() + 13;
  const int pillWidth = QFontMetrics(ui::font(TextRole::small)).horizontalAdvance(data_) + 14;
  p.setFont(ui::font(TextRole::title));
  p.setPen(t.text1);
  const int titleRoom = width() - 2 * pad - pillWidth - 8;
  p.drawText(QRectF(pad, y, titleRoom, 20), Qt::AlignVCenter,
             p.fontMetrics().elidedText(title_, Qt::ElideRight, titleRoom));
  const QRectF pill(width() - pad - pillWidth, y + 1, pillWidth, 18);
  style::box(p, pill, radius::pill, t.dark ? t.chosen : t.border1, Qt::transparent);
  p.setFont(ui::font(TextRole::small));
  p.setPen(t.text2);
  p.drawText(pill, Qt::AlignCenter, data_);
  p.setFont(ui::font(TextRole::body));
  p.drawText(QRectF(pad, y + 24, width() - 2 * pad, 36), Qt::AlignTop | Qt::TextWordWrap, summary_);
  p.fillRect(QRectF(pad, y + 67, width() - 2 * pad, 1), t.border1);
  const QString dash = QStringLiteral("–");
  const struct {
    QString label, value;
  } facts[] = {{tr("Parameters"), known_ ? rounded(double(miniature_.parameters)) : dash},
               {tr("Memory"), known_ && miniature_.memory_bytes ? bytesText(double(miniature_.memory_bytes)) : dash},
               {tr("Multiply-adds"), known_ ? rounded(double(miniature_.multiply_adds)) : dash}};
  const qreal column = (width() - 2.0 * pad) / 3;
  for (int i = 0; i < 3; ++i) {
    p.setFont(ui::font(TextRole::axis));
    p.setPen(t.text2);
    p.drawText(QRectF(pad + i * column, y + 77, column, 16), Qt::AlignVCenter, facts[i].label);
    QFont bold = ui::font(TextRole::body);
    bold.setWeight(QFont::DemiBold);
    p.setFont(bold);
    p.setPen(t.text1);
    p.drawText(QRectF(pad + i * column, y + 95, column, 18), Qt::AlignVCenter, facts[i].value);
  }
}

void TemplateCard::enterEvent(QEnterEvent*) { showButtons(); }
void TemplateCard::leaveEvent(QEvent*) { showButtons(); }
void TemplateCard::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT openRequested();
}
void TemplateCard::keyPressEvent(QKeyEvent* event) {
  isPress(event) ? Q_EMIT openRequested() : QWidget::keyPressEvent(event);
}
bool TemplateCard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
    QMetaObject::invokeMethod(
        this, [this] { showButtons(); }, Qt::QueuedConnection);
  return QWidget::eventFilter(watched, event);
}

EmptyCard::EmptyCard(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Empty network"));
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
}

void EmptyCard::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(underMouse() || hasFocus() ? t.ring : t.border3, 1.2, Qt::DashLine));
  p.setBrush(Qt::NoBrush);
  p.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), radius::card, radius::card);
  const qreal middle = height() / 2.0;
  paintIcon(p, QStringLiteral("plus"), QRectF(width() / 2.0 - 13, middle - 44, 26, 26), t.text2);
  p.setFont(ui::font(TextRole::node));
  p.setPen(t.text1);
  p.drawText(QRectF(0, middle - 8, width(), 22), Qt::AlignCenter, tr("Empty network"));
  p.setFont(ui::font(TextRole::body));
  p.setPen(t.text2);
  p.drawText(QRectF(0, middle + 15, width(), 20), Qt::AlignCenter, tr("Build your own from the first layer"));
}

void EmptyCard::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT asked();
}
void EmptyCard::keyPressEvent(QKeyEvent* event) { isPress(event) ? Q_EMIT asked() : QWidget::keyPressEvent(event); }

}  // namespace nw::ui
