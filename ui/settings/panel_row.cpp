// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/panel_row.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QGridLayout>
#include <QLabel>

#include "ui/settings/field_search.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int label_width = 108;
}

PanelRow::PanelRow(const QString& label, QWidget* control, const QString& help, QWidget* parent)
    : QWidget(parent), control_(control), error_(new SeverityLabel(SeverityLabel::Tone::error, this)) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(space::s);
  grid->setVerticalSpacing(2);
  name_ = makeLabel(label, 2, static_cast<int>(TextRole::body), this);
  name_->setWordWrap(true);
  giveName(label_width);
  name_->setBuddy(control);
  grid->addWidget(name_, 0, 0, Qt::AlignVCenter | Qt::AlignLeft);
  grid->setColumnMinimumWidth(0, label_width);
  const bool wide = control->sizePolicy().horizontalPolicy() == QSizePolicy::Expanding;
  const bool narrow = qobject_cast<QAbstractButton*>(control) != nullptr && !wide;
  grid->addWidget(control, 0, 1, narrow ? Qt::AlignRight | Qt::AlignVCenter : Qt::Alignment());
  grid->addWidget(error_, 1, 1);
  grid->setColumnStretch(1, 1);
  showRefusals(*grid);
  setToolTip(help);
  if (control->accessibleName().isEmpty()) control->setAccessibleName(label);
  control->setAccessibleDescription(help);
}

/// A label that wraps asks for the height of its lines only through layouts that ask for it, which not all here do.
void PanelRow::giveName(int width) {
  name_->setFixedWidth(width);
  name_->setMinimumHeight(name_->heightForWidth(width));
}

void PanelRow::showRefusals(QGridLayout& grid) {
  QList<NumberSpin*> spins = control_->findChildren<NumberSpin*>();
  if (auto* own = qobject_cast<NumberSpin*>(control_)) spins << own;
  int line = 2;
  for (NumberSpin* spin : spins) {
    auto* note = new RefusalNote(this);
    grid.addWidget(note, line++, 1);
    note->follow(*spin);
  }
}

void PanelRow::offerSearch(Session& session, std::function<std::string()> field) {
  search_ = new FieldSearch(session, std::move(field), name_->text(), this);
  auto* grid = static_cast<QGridLayout*>(layout());
  grid->addWidget(&search_->mark(), 0, 0, Qt::AlignVCenter | Qt::AlignRight);
  grid->addWidget(search_, grid->rowCount(), 0, 1, 2);
  QList<NumberSpin*> spins = control_->findChildren<NumberSpin*>();
  if (auto* own = qobject_cast<NumberSpin*>(control_)) spins << own;
  for (NumberSpin* spin : spins) search_->listenTo(*spin);
  const auto makeRoom = [this](bool searched) { giveName(label_width - (searched ? 24 : 0)); };
  connect(search_, &FieldSearch::searchedChanged, this, makeRoom);
  makeRoom(search_->searched());
  connect(qApp, &QApplication::focusChanged, this,
          [this](QWidget*, QWidget* now) { showMark(underMouse() || (now != nullptr && isAncestorOf(now))); });
}

void PanelRow::showMark(bool near) {
  if (search_) search_->mark().setNear(near);
}

void PanelRow::enterEvent(QEnterEvent* event) {
  showMark(true);
  QWidget::enterEvent(event);
}

void PanelRow::leaveEvent(QEvent* event) {
  showMark(QApplication::focusWidget() != nullptr && isAncestorOf(QApplication::focusWidget()));
  QWidget::leaveEvent(event);
}

void PanelRow::setError(const QString& sentence) { error_->say(sentence); }

}  // namespace nw::ui
