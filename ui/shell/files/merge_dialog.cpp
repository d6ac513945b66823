// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/merge_dialog.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/page/page.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

MergeDialog::MergeDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      note_(makeLabel({}, 2, static_cast<int>(TextRole::secondary), this)),
      merge_(makeButton(tr("Merge"), ButtonKind::primary, {}, this)) {
  setObjectName(QStringLiteral("mergeDialog"));
  setWindowTitle(tr("Merge with another project"));
  setMinimumWidth(560);
  build();
}

void MergeDialog::build() {
  auto* words = makeLabel(tr("Takes what the other project changed since both began with the same one. Where both "
                             "changed the same thing differently, your side stands and each such place is listed."),
                          2, static_cast<int>(TextRole::body), this);
  words->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addWidget(words);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(space::s);
  grid->setVerticalSpacing(space::s);
  theirs_ = addFile(*grid, 0, tr("Other project"), "mergeTheirs", tr("Whose changes are taken"));
  base_ = addFile(*grid, 1, tr("Common ancestor"), "mergeBase", tr("The project as it was before either changed"));
  column->addLayout(grid);
  note_->setObjectName(QStringLiteral("mergeNote"));
  note_->setWordWrap(true);
  column->addWidget(note_);
  auto* buttons = new QHBoxLayout;
  auto* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, this);
  merge_->setObjectName(QStringLiteral("mergeNow"));
  merge_->setDefault(true);
  merge_->setEnabled(false);
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(merge_);
  column->addLayout(buttons);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(merge_, &QPushButton::clicked, this, &MergeDialog::accept);
}

QLineEdit* MergeDialog::addFile(QGridLayout& grid, int row, const QString& label, const char* object,
                                const QString& help) {
  auto* line = new QLineEdit(this);
  line->setObjectName(QLatin1String(object));
  line->setAccessibleName(label);
  line->setAccessibleDescription(help);
  line->setPlaceholderText(help);
  QLabel* name = makeLabel(label, 2, static_cast<int>(TextRole::body), this);
  name->setBuddy(line);
  QPushButton* choose = makeButton(tr("Choose…"), ButtonKind::neutral, {}, this);
  choose->setObjectName(QLatin1String(object) + QStringLiteral("Choose"));
  choose->setAutoDefault(false);
  grid.addWidget(name, row, 0);
  grid.addWidget(line, row, 1);
  grid.addWidget(choose, row, 2);
  connect(line, &QLineEdit::textChanged, this,
          [this] { merge_->setEnabled(!theirs_->text().isEmpty() && !base_->text().isEmpty()); });
  connect(choose, &QPushButton::clicked, this, [this, line, label] {
    const QString place = QFileInfo(line->text().isEmpty() ? session_.path() : line->text()).path();
    const QString file = QFileDialog::getOpenFileName(this, label, place, tr("Netwright projects (*.netwright *.png)"));
    if (!file.isEmpty()) line->setText(file);
  });
  return line;
}

void MergeDialog::refuse(const QString& sentence) {
  merge_->setEnabled(true);
  note_->setText(sentence);
}

void MergeDialog::accept() {
  merge_->setEnabled(false);
  const auto work = [base = base_->text(), theirs = theirs_->text(), ours = session_.doc()]() -> Result<Merge> {
    NW_ASSIGN(const GraphDoc before, readProject(base));
    NW_ASSIGN(const GraphDoc other, readProject(theirs));
    return merge(before, ours, other);
  };
  inBackground(
      this, work,
      [this](Result<Merge> made) {
        if (!made) return refuse(translated(made.error().what));
        take(*made);
        QDialog::accept();
      },
      [this] { refuse({}); });
}

void MergeDialog::take(const Merge& merged) {
  const Edit edit = edit_between(session_.doc(), merged.doc);
  if (edit.empty()) return void(Q_EMIT session_.message(tr("The other project changed nothing that is not here."), 0));
  if (!session_.push(edit, tr("Merge"))) return;
  const int open = static_cast<int>(merged.conflicts.size());
  if (open > 0)
    return void(Q_EMIT session_.message(
        tr("Merged. %n place(s) were changed differently: your side stands until you decide.", nullptr, open), 1,
        {{tr("Show the problems"), [] { action(QStringLiteral("next-problem"))->trigger(); }}}));
  Q_EMIT session_.message(merged.notes.empty() ? tr("Merged.") : tr("Merged: %1").arg(translated(merged.notes.front())),
                          0);
}

}  // namespace nw::ui
