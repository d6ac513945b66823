// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/shortcuts_page.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/page/shortcuts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QString written(const QList<QKeySequence>& keys) {
  QStringList all;
  for (const QKeySequence& key : keys) all << key.toString(QKeySequence::NativeText);
  return all.join(QStringLiteral(", "));
}

bool isModifier(int key) {
  return key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt || key == Qt::Key_Meta ||
         key == Qt::Key_AltGr;
}
bool isHandledElsewhere(const QKeyEvent& key) {
  const bool plain = !(key.modifiers() & ~Qt::ShiftModifier);
  return plain && (key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab || key.key() == Qt::Key_Return ||
                   key.key() == Qt::Key_Enter || key.key() == Qt::Key_Escape);
}

}  // namespace

KeyField::KeyField(QWidget* parent) : QLineEdit(parent) {
  setReadOnly(true);
  setPlaceholderText(tr("Press the new keys here"));
  setAccessibleName(tr("New keys"));
  setContextMenuPolicy(Qt::NoContextMenu);
}

void KeyField::setKeys(const QKeySequence& keys) {
  keys_ = keys;
  setText(keys.toString(QKeySequence::NativeText));
}

bool KeyField::event(QEvent* event) {
  if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return QLineEdit::event(event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (isHandledElsewhere(*key)) return QLineEdit::event(event);
  event->accept();  // no command may handle keys typed into this field
  if (event->type() == QEvent::KeyPress && !isModifier(key->key())) {
    setKeys(QKeySequence(key->keyCombination()));
    Q_EMIT pressed();
  }
  return true;
}

ShortcutsPage::ShortcutsPage(QWidget* parent) : QWidget(parent) {
  search_ = new SearchField(tr("Search commands or keys"), {}, this);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("shortcuts"));
  list_->setAccessibleName(tr("Commands and their keys"));
  list_->setColumnCount(2);
  list_->setHeaderLabels({tr("Command"), tr("Keys")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, space::m, 0, 0);
  column->setSpacing(space::s);
  column->addWidget(search_);
  column->addWidget(list_, 1);
  column->addWidget(makeEditor());
  connect(search_, &QLineEdit::textChanged, this, &ShortcutsPage::fill);
  connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
    field_->setKeys({});
    weigh();
  });
  connect(list_, &QTreeWidget::itemActivated, this, [this] { field_->setFocus(); });
  fill();
}

QWidget* ShortcutsPage::makeEditor() {
  auto* editor = new QWidget(this);
  field_ = new KeyField(editor);
  assign_ = makeButton(tr("Assign"), ButtonKind::primary, {}, editor);
  none_ = makeButton(tr("No keys"), ButtonKind::neutral, {}, editor);
  reset_ = makeButton(tr("Reset"), ButtonKind::neutral, {}, editor);
  all_ = makeButton(tr("Reset all"), ButtonKind::neutral, QStringLiteral("undo"), editor);
  says_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), editor);
  says_->setWordWrap(true);
  says_->setMinimumHeight(2 * says_->fontMetrics().height());
  says_->setAlignment(Qt::AlignTop);
  for (QPushButton* button : {assign_, none_, reset_, all_}) button->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->setSpacing(space::s);
  row->addWidget(field_, 1);
  for (QPushButton* button : {assign_, none_, reset_}) row->addWidget(button);
  row->addSpacing(space::m);
  row->addWidget(all_);
  auto* column = new QVBoxLayout(editor);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::s);
  column->addLayout(row);
  column->addWidget(says_);
  connect(field_, &KeyField::pressed, this, &ShortcutsPage::weigh);
  connect(field_, &QLineEdit::returnPressed, this, &ShortcutsPage::assign);
  connect(assign_, &QPushButton::clicked, this, &ShortcutsPage::assign);
  const auto change = [this](auto act) {
    return [this, act] {
      act(current());
      field_->setKeys({});
      fill();
    };
  };
  connect(none_, &QPushButton::clicked, this, change([](const QString& id) { setKeys(id, {}); }));
  connect(reset_, &QPushButton::clicked, this, change([](const QString& id) { resetKeys(id); }));
  connect(all_, &QPushButton::clicked, this, change([](const QString&) { resetAllKeys(); }));
  return editor;
}

QString ShortcutsPage::current() const {
  return list_->currentItem() ? list_->currentItem()->data(0, Qt::UserRole).toString() : QString();
}

void ShortcutsPage::choose(const QString& id) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    if (list_->topLevelItem(i)->data(0, Qt::UserRole) == id) return list_->setCurrentItem(list_->topLevelItem(i));
}

void ShortcutsPage::fill() {
  const QString chosen = current(), wanted = search_->text().trimmed();
  const QSignalBlocker quiet(list_);
  list_->clear();
  bool changed = false;
  for (const ActionRow& row : actionTable()) {
    const QString id = QLatin1String(row.id);
    if (id == QLatin1String("-")) continue;
    const QString name = action(id)->text(), keys = written(keysOf(id));
    changed = changed || areOwnKeys(id);
    if (!(name + ' ' + keys + ' ' + id).contains(wanted, Qt::CaseInsensitive)) continue;
    auto* item = new QTreeWidgetItem(list_, {name, keys});
    item->setData(0, Qt::UserRole, id);
    item->setIcon(0, action(id)->icon());
    if (areOwnKeys(id)) item->setFont(1, ui::font(TextRole::button));
    item->setData(1, Qt::AccessibleTextRole, areOwnKeys(id) ? tr("%1, changed").arg(keys) : keys);
  }
  all_->setEnabled(changed);
  choose(chosen);
  if (!list_->currentItem() && list_->topLevelItemCount()) list_->setCurrentItem(list_->topLevelItem(0));
  weigh();
}

/// Shows the effect of assigning the keys.
void ShortcutsPage::weigh() {
  const QString id = current();
  const QKeySequence keys = field_->keys();
  const QString refusal = keys.isEmpty() ? QString() : rejectionOf(keys, id),
                holder = keys.isEmpty() ? QString() : holderOf(keys, id);
  for (QWidget* w : {static_cast<QWidget*>(field_), static_cast<QWidget*>(none_)}) w->setEnabled(!id.isEmpty());
  none_->setEnabled(!id.isEmpty() && !keysOf(id).isEmpty());
  reset_->setEnabled(!id.isEmpty() && areOwnKeys(id));
  assign_->setEnabled(!id.isEmpty() && !keys.isEmpty() && refusal.isEmpty() && keysOf(id) != QList<QKeySequence>{keys});
  says_->setText(
      !refusal.isEmpty()  ? refusal
      : !holder.isEmpty() ? tr("%1 is assigned to “%2”. Assigning it here removes it there.")
                                .arg(keys.toString(QKeySequence::NativeText), action(holder)->text())
      : !id.isEmpty() && areOwnKeys(id) && keys.isEmpty()
          ? tr("Included with Netwright: %1").arg(usualKeys(id).isEmpty() ? tr("no keys") : written(usualKeys(id)))
          : QString());
  says_->setAccessibleName(says_->text());
}

void ShortcutsPage::assign() {
  if (!assign_->isEnabled()) return;
  setKeys(current(), {field_->keys()});
  field_->setKeys({});
  fill();
}

}  // namespace nw::ui
