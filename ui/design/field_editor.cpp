// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/field_editor.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <cmath>

#include "engine/design/opaque.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QHBoxLayout* bare(QWidget* owner) {
  auto* row = new QHBoxLayout(owner);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  return row;
}

/// Makes the control itself the focus proxy, which tests find too.
void lead(FieldEditor& editor, QWidget* control, const Field& field) {
  editor.setFocusProxy(control);
  control->setAccessibleName(translated(field.label));
  control->setObjectName(QStringLiteral("field-") + QString::fromStdString(field.name));
}

class NumberEditor final : public FieldEditor {
 public:
  NumberEditor(const Field& field, QWidget* parent) : FieldEditor(parent), whole_(field.kind == Field::Kind::integer) {
    spin_ = new NumberSpin(whole_, field.lo, field.hi, whole_ ? 1 : 0, this);
    if (!field.unit.empty()) spin_->setUnit(QString::fromStdString(field.unit));
    bare(this)->addWidget(spin_);
    lead(*this, spin_, field);
    connect(spin_, &QDoubleSpinBox::valueChanged, this,
            [this](double v) { Q_EMIT edited(whole_ ? Attr(static_cast<std::int64_t>(std::llround(v))) : Attr(v)); });
  }
  void setValue(const Attr& value) override {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) spin_->follow(static_cast<double>(*whole));
    if (const auto* real = std::get_if<double>(&value)) spin_->follow(*real);
  }

 private:
  bool whole_;
  NumberSpin* spin_;
};

/// A number, a pair "3×3" or an expression, as text.
class ExpressionEditor final : public FieldEditor {
 public:
  ExpressionEditor(const Field& field, QWidget* parent)
      : FieldEditor(parent), pair_(field.kind == Field::Kind::pair), line_(new QLineEdit(this)) {
    bare(this)->addWidget(line_);
    lead(*this, line_, field);
    line_->setPlaceholderText(FieldEditor::tr("Number or $parameter"));
    connect(line_, &QLineEdit::editingFinished, this, [this] {
      if (line_->text() == shown_) return;
      shown_ = line_->text();
      Q_EMIT edited(parsed(shown_.trimmed()));
    });
  }
  void setValue(const Attr& value) override {
    shown_ = attrText(value);
    if (!line_->hasFocus() || line_->text() != shown_) line_->setText(shown_);
  }

 private:
  Attr parsed(const QString& text) const {
    bool number = false;
    const qlonglong n = text.toLongLong(&number);
    if (number && pair_) return std::vector<std::int64_t>{n, n};
    if (number) return static_cast<std::int64_t>(n);
    static const QRegularExpression two(QStringLiteral("^(\\d+)\\s*[x×,]\\s*(\\d+)$"));
    if (const auto m = two.match(text); pair_ && m.hasMatch())
      return std::vector<std::int64_t>{m.captured(1).toLongLong(), m.captured(2).toLongLong()};
    return text.toStdString();
  }
  bool pair_;
  QLineEdit* line_;
  QString shown_;
};

/// Height and width, kept equal while the link between them is closed.
class PairEditor final : public FieldEditor {
 public:
  PairEditor(const Field& field, QWidget* parent) : FieldEditor(parent) {
    QHBoxLayout* row = bare(this);
    first_ = new NumberSpin(true, field.lo, field.hi, 1, this);
    second_ = new NumberSpin(true, field.lo, field.hi, 1, this);
    link_ = makeIconButton(QStringLiteral("link"), FieldEditor::tr("Keep height and width equal"), this);
    link_->setCheckable(true);
    link_->setChecked(true);
    link_->setFixedSize(24, 28);
    link_->setIconSize({14, 14});
    row->addWidget(first_, 1);
    row->addWidget(link_);
    row->addWidget(second_, 1);
    lead(*this, first_, field);
    second_->setObjectName(first_->objectName() + QStringLiteral("-2"));
    first_->setAccessibleName(FieldEditor::tr("%1, height").arg(translated(field.label)));
    second_->setAccessibleName(FieldEditor::tr("%1, width").arg(translated(field.label)));
    connect(first_, &QDoubleSpinBox::valueChanged, this, [this](double v) { changed(v, second_); });
    connect(second_, &QDoubleSpinBox::valueChanged, this, [this](double v) { changed(v, first_); });
    connect(link_, &QPushButton::toggled, this, [this](bool linked) {
      link_->setIcon(icon(linked));
      if (linked) changed(first_->value(), second_);
    });
  }
  void setValue(const Attr& value) override {
    const auto* pair = std::get_if<std::vector<std::int64_t>>(&value);
    if (!pair || pair->size() != 2) return;
    const QSignalBlocker quiet(link_);
    first_->follow(static_cast<double>((*pair)[0]));
    second_->follow(static_cast<double>((*pair)[1]));
    if ((*pair)[0] == (*pair)[1]) return;
    link_->setChecked(false);
    link_->setIcon(icon(false));
  }

 private:
  static QIcon icon(bool linked) { return nw::ui::icon(linked ? QStringLiteral("link") : QStringLiteral("unlink")); }
  void changed(double v, NumberSpin* other) {
    if (link_->isChecked()) other->follow(v);
    const auto whole = [](const NumberSpin* s) { return static_cast<std::int64_t>(std::llround(s->value())); };
    Q_EMIT edited(std::vector<std::int64_t>{whole(first_), whole(second_)});
  }
  NumberSpin *first_, *second_;
  QPushButton* link_;
};

class SwitchEditor final : public FieldEditor {
 public:
  SwitchEditor(const Field& field, QWidget* parent)
      : FieldEditor(parent), toggle_(new ToggleSwitch(translated(field.label), this)) {
    QHBoxLayout* row = bare(this);
    row->addStretch(1);
    row->addWidget(toggle_);
    lead(*this, toggle_, field);
    connect(toggle_, &QAbstractButton::toggled, this, [this](bool on) { Q_EMIT edited(Attr(on)); });
  }
  void setValue(const Attr& value) override {
    const QSignalBlocker quiet(toggle_);
    if (const bool* on = std::get_if<bool>(&value)) toggle_->setChecked(*on);
    toggle_->update();
  }

 private:
  ToggleSwitch* toggle_;
};

class ChoiceEditor final : public FieldEditor {
 public:
  ChoiceEditor(const Field& field, QWidget* parent) : FieldEditor(parent), box_(new QComboBox(this)) {
    for (const std::string& choice : field.choices) box_->addItem(QString::fromStdString(choice));
    box_->setFocusPolicy(Qt::StrongFocus);
    box_->installEventFilter(this);
    bare(this)->addWidget(box_);
    lead(*this, box_, field);
    connect(box_, &QComboBox::currentTextChanged, this,
            [this](const QString& text) { Q_EMIT edited(Attr(text.toStdString())); });
  }
  void setValue(const Attr& value) override {
    const QSignalBlocker quiet(box_);
    if (const auto* text = std::get_if<std::string>(&value)) box_->setCurrentText(QString::fromStdString(*text));
  }

 protected:
  // scrolling must not change the value
  bool eventFilter(QObject*, QEvent* event) override { return event->type() == QEvent::Wheel; }

 private:
  QComboBox* box_;
};

/// A text of the layer's own language. What the field refuses stays where it is typed, with the reason below it, and is
/// not taken.
class TextEditor final : public FieldEditor {
 public:
  TextEditor(const Field& field, QWidget* parent)
      : FieldEditor(parent), refusal_(field.refusal), line_(new QLineEdit(this)), note_(new RefusalNote(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(line_);
    column->addWidget(note_);
    lead(*this, line_, field);
    line_->setMaxLength(static_cast<int>(field.hi));
    connect(line_, &QLineEdit::textEdited, this, [this] { refuses(); });
    connect(line_, &QLineEdit::editingFinished, this, [this] {
      if (line_->text() == shown_ || refuses()) return;
      shown_ = line_->text();
      Q_EMIT edited(Attr(shown_.toStdString()));
    });
  }
  void setValue(const Attr& value) override {
    const QString text = attrText(value);
    const bool typed = line_->text() != shown_;
    if (text == shown_ && typed) return;  // it is still being typed, or was refused
    shown_ = text;
    if (line_->text() != shown_) line_->setText(shown_);
    refuses();
  }

 private:
  bool refuses() {
    const Text why = refusal_ ? refusal_(line_->text().toStdString()) : Text{};
    note_->say(why.empty() ? QString() : translated(why), {});
    return !why.empty();
  }
  Text (*refusal_)(const std::string&);
  QLineEdit* line_;
  RefusalNote* note_;
  QString shown_;
};

/// What the file of another program says; not to be edited.
class ReadOnlyText final : public FieldEditor {
 public:
  ReadOnlyText(const Field& field, QWidget* parent)
      : FieldEditor(parent), sentence_(field.name == "reason"), text_(new QLabel(this)) {
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    bare(this)->addWidget(text_);
    lead(*this, text_, field);
  }
  void setValue(const Attr& value) override {
    const auto* kept = std::get_if<std::string>(&value);
    const QString words = kept && sentence_ ? translated(sentence_from(*kept)) : attrText(value);
    text_->setText(words.isEmpty() ? QStringLiteral("–") : words);
  }

 private:
  bool sentence_;
  QLabel* text_;
};

}  // namespace

FieldEditor* makeFieldEditor(const Field& field, bool expressions, QWidget* parent) {
  switch (field.kind) {
    case Field::Kind::boolean:
      return new SwitchEditor(field, parent);
    case Field::Kind::choice:
      return new ChoiceEditor(field, parent);
    case Field::Kind::real:
      return new NumberEditor(field, parent);
    case Field::Kind::integer:
      if (!expressions) return new NumberEditor(field, parent);
      break;
    case Field::Kind::pair:
      if (!expressions) return new PairEditor(field, parent);
      break;
    case Field::Kind::text:
      return new TextEditor(field, parent);
    case Field::Kind::sizes:
      return makeReadOnlyField(field, parent);
  }
  return new ExpressionEditor(field, parent);
}

FieldEditor* makeReadOnlyField(const Field& field, QWidget* parent) { return new ReadOnlyText(field, parent); }

}  // namespace nw::ui
