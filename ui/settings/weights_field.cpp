// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/weights_field.hpp"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "engine/design/target_weights.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/refusal_note.hpp"

namespace nw::ui {
namespace {

const QString balancedWord =
    QString::fromUtf8(balanced_weights.data(), static_cast<qsizetype>(balanced_weights.size()));

/// A combo box that scrolling the panel does not change.
class QuietBox : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

}  // namespace

WeightsField::WeightsField(Refusal refusal, QWidget* parent)
    : QWidget(parent), refusal_(refusal), box_(new QuietBox(this)), note_(new RefusalNote(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(box_);
  column->addWidget(note_);
  box_->setEditable(true);
  box_->setInsertPolicy(QComboBox::NoInsert);
  box_->addItems({tr("none"), tr("balanced")});
  box_->setFocusPolicy(Qt::StrongFocus);
  setFocusProxy(box_);
  connect(box_->lineEdit(), &QLineEdit::textEdited, this, [this] { refuses(); });
  connect(box_->lineEdit(), &QLineEdit::editingFinished, this, &WeightsField::take);
  connect(box_, &QComboBox::activated, this, &WeightsField::take);
}

QString WeightsField::written() const {
  const QString typed = box_->currentText().trimmed();
  if (typed == box_->itemText(0)) return {};
  return typed == box_->itemText(1) ? balancedWord : typed;
}

bool WeightsField::refuses() {
  const Text why = refusal_ ? refusal_(written().toStdString()) : Text{};
  note_->say(why.empty() ? QString() : translated(why), {});
  const QString typed = box_->currentText();  // a list may be longer than the field
  box_->setToolTip(written().isEmpty() || written() == balancedWord ? QString() : typed);
  return !why.empty();
}

void WeightsField::take() {
  if (refuses() || written() == shown_) return;
  shown_ = written();
  Q_EMIT edited(shown_);
}

void WeightsField::follow(const QString& now) {
  if (now == shown_ && written() != shown_) return;  // it is still being typed, or was refused
  shown_ = now;
  const QSignalBlocker quiet(box_);
  box_->setEditText(now.isEmpty() ? box_->itemText(0) : now == balancedWord ? box_->itemText(1) : now);
  refuses();
}

}  // namespace nw::ui
