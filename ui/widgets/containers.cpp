// SPDX-License-Identifier: GPL-3.0-or-later
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPaintEvent>
#include <QPainter>
#include <QStyleOption>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// Plain text in a colour of the theme that is current when it is painted.
class TextLabel : public QLabel {
 public:
  TextLabel(const QString& text, int level, QWidget* parent) : QLabel(text, parent), level_(level) { recolour(); }

 protected:
  void changeEvent(QEvent* event) override {
    const bool other = event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange ||
                       event->type() == QEvent::StyleChange;
    if (other && !recolouring_) recolour();
    QLabel::changeEvent(event);
  }

 private:
  void recolour() {
    const Theme& t = theme();
    QPalette p;
    p.setColor(QPalette::WindowText, level_ <= 1 ? t.text1 : level_ == 2 ? t.text2 : t.text3);
    recolouring_ = true;  // setPalette sends such an event itself
    setPalette(p);
    recolouring_ = false;
  }
  bool recolouring_ = false;
  int level_;
};

class Pill : public QLabel {
 public:
  Pill(const QString& text, const QString& tone, QWidget* parent) : QLabel(text, parent), tone_(tone) {
    QFont f = ui::font(TextRole::axis);
    f.setWeight(QFont::Medium);
    setFont(f);
    setContentsMargins(8, 0, 8, 0);
    setFixedHeight(20);
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    struct Tone {
      const char* name;
      QColor fill, text;
    };
    const Tone tones[] = {{"ok", t.okSoft, t.ok},
                          {"warn", t.warnSoft, t.warn},
                          {"error", t.errorSoft, t.error},
                          {"accent", t.accentSoft, t.accentText}};
    Tone tone{"neutral", t.dark ? t.chosen : t.border1, t.text2};
    for (const Tone& candidate : tones)
      if (tone_ == QLatin1String(candidate.name)) tone = candidate;
    QPainter p(this);
    style::box(p, rect(), radius::pill, tone.fill, QColor(0, 0, 0, 0));
    p.setFont(font());
    p.setPen(tone.text);
    p.drawText(rect(), Qt::AlignCenter, text());
  }

 private:
  QString tone_;
};

/// The title of a section, flush with its rows.
class SectionHeader : public QToolButton {
 public:
  explicit SectionHeader(const QString& title, QWidget* parent) : QToolButton(parent) {
    QFont f = ui::font(TextRole::body);
    f.setWeight(QFont::DemiBold);
    setFont(f);
    setText(title);
    setCheckable(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }
  QSize sizeHint() const override { return {QFontMetrics(font()).horizontalAdvance(text()) + 20, 30}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    paintIcon(p, isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
              QRectF(-1, (height() - 12) / 2.0, 12, 12), underMouse() ? t.text1 : t.text2);
    p.setFont(font());
    p.setPen(t.text1);
    p.drawText(rect().adjusted(19, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text());
    QStyleOption option;
    option.initFrom(this);
    if (hasFocus() && option.state & QStyle::State_KeyboardFocusChange) style::focusRing(p, rect(), radius::pill);
  }
};

}  // namespace

QLabel* makeLabel(const QString& text, int textLevel, int textRole, QWidget* parent) {
  auto* label = new TextLabel(text, textLevel, parent);
  label->setTextFormat(Qt::PlainText);
  label->setFont(font(static_cast<TextRole>(textRole)));
  return label;
}

namespace {

class ElidedLabel : public TextLabel {
 public:
  using TextLabel::TextLabel;
  QSize minimumSizeHint() const override { return {0, TextLabel::minimumSizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    TextLabel::resizeEvent(event);
    followWidth();
  }
  void paintEvent(QPaintEvent*) override {
    followWidth();  // another text repaints, it does not resize
    QPainter p(this);
    p.setPen(palette().color(QPalette::WindowText));
    p.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, fontMetrics().elidedText(text(), Qt::ElideRight, width()));
  }

 private:
  void followWidth() { setToolTip(fontMetrics().horizontalAdvance(text()) > width() ? text() : QString()); }
};

}  // namespace

QLabel* makeElidedLabel(const QString& text, int textLevel, int textRole, QWidget* parent) {
  auto* label = new ElidedLabel(text, textLevel, parent);
  label->setTextFormat(Qt::PlainText);
  label->setFont(font(static_cast<TextRole>(textRole)));
  return label;
}

QLabel* makePill(const QString& text, const QString& tone, QWidget* parent) { return new Pill(text, tone, parent); }

// --- Card

Card::Card(const QString& title, QWidget* parent) : QFrame(parent), row_(new QWidget(this)), body_(new QWidget(this)) {
  title_ = makeLabel(title, 1, static_cast<int>(TextRole::node), row_);
  muted_ = makeLabel({}, 3, static_cast<int>(TextRole::secondary), row_);
  auto* row = new QHBoxLayout(row_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  row->addWidget(title_);
  row->addWidget(muted_);
  row->addStretch(1);
  auto* body = new QVBoxLayout(body_);
  body->setContentsMargins(0, 0, 0, 0);
  body->setSpacing(space::s);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(14, 12, 14, 14);
  whole->setSpacing(space::s);
  whole->addWidget(row_);
  whole->addWidget(body_, 1);
  row_->setVisible(!title.isEmpty());
  muted_->hide();
}

void Card::setTitle(const QString& title, const QString& muted) {
  title_->setText(title);
  muted_->setText(muted);
  muted_->setVisible(!muted.isEmpty());
  row_->setVisible(!title.isEmpty());
}

void Card::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  style::box(p, rect(), radius::card, t.chartCard, t.border1);
}

// --- FormSection

FormSection::FormSection(const QString& title, QWidget* parent)
    : QWidget(parent), header_(new SectionHeader(title, this)), content_(new QWidget(this)) {
  header_->setChecked(true);
  auto* rows = new QVBoxLayout(content_);
  rows->setContentsMargins(0, 0, 0, space::m);
  rows->setSpacing(6);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->setSpacing(2);
  whole->addWidget(header_);
  whole->addWidget(content_);
  connect(header_, &QToolButton::toggled, this, [this](bool open) { setOpen(open); });
  setOpen(true);
}

void FormSection::addRow(const QString& label, QWidget* control, const QString& help) {
  auto* row = new QWidget(content_);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(space::s);
  QLabel* name = makeLabel(label, 2, static_cast<int>(TextRole::body), row);
  name->setMinimumWidth(108);
  name->setWordWrap(true);
  name->setBuddy(control);
  line->addWidget(name, 0);
  const bool fixed = control->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed;
  if (fixed) line->addStretch(1);
  line->addWidget(control, fixed ? 0 : 1);
  if (control->accessibleName().isEmpty()) control->setAccessibleName(label);
  if (!help.isEmpty()) {
    name->setToolTip(help);
    control->setToolTip(help);
    control->setAccessibleDescription(help);
  }
  content_->layout()->addWidget(row);
}

void FormSection::addWide(QWidget* widget) { content_->layout()->addWidget(widget); }

void FormSection::clear() {
  while (QLayoutItem* item = content_->layout()->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void FormSection::setOpen(bool open) {
  header_->setChecked(open);
  header_->update();
  content_->setVisible(open);
}

void FormSection::paintEvent(QPaintEvent*) {
  const auto siblings = parentWidget()
                            ? parentWidget()->findChildren<FormSection*>(QString(), Qt::FindDirectChildrenOnly)
                            : QList<FormSection*>();
  const bool followed = std::any_of(siblings.begin(), siblings.end(),
                                    [this](const FormSection* s) { return s->isVisible() && s->y() > y(); });
  if (followed) QPainter(this).fillRect(0, height() - 1, width(), 1, theme().border1);
}

// --- EmptyState

EmptyState::EmptyState(QWidget* parent) : QWidget(parent) {
  title_ = makeLabel({}, 1, static_cast<int>(TextRole::node), this);
  sentence_ = makeLabel({}, 2, static_cast<int>(TextRole::body), this);
  action_ = makeButton({}, ButtonKind::neutral, {}, this);
  action_->setAccessibleName(tr("Action"));
  for (QLabel* label : {title_, sentence_}) {
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::xxl, space::xxl, space::xxl, space::xxl);
  column->setSpacing(space::s);
  column->addStretch(1);
  column->addSpacing(40);  // the icon is painted here
  column->addWidget(title_);
  column->addWidget(sentence_);
  column->addSpacing(space::xs);
  column->addWidget(action_, 0, Qt::AlignHCenter);
  column->addStretch(1);
  connect(action_, &QPushButton::clicked, this, &EmptyState::actionTriggered);
}

void EmptyState::show(const QString& iconName, const QString& title, const QString& sentence, const QString& action) {
  icon_ = iconName;
  title_->setText(title);
  sentence_->setText(sentence);
  action_->setText(action);
  action_->setAccessibleName(action.isEmpty() ? tr("Action") : action);
  action_->setVisible(!action.isEmpty());
  if (parentWidget()) QWidget::show();  // without one it would be a window of its own until it is placed
  update();
}

void EmptyState::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const Theme& t = theme();
  const QColor colour = icon_.startsWith(QLatin1String("alert")) ? t.warn : t.text3;
  if (!icon_.isEmpty()) paintIcon(p, icon_, QRectF(width() / 2.0 - 14, title_->y() - 38, 28, 28), colour);
}

void clearLayout(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (QWidget* w = item->widget()) w->deleteLater();
    delete item;
  }
}

}  // namespace nw::ui
