// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/submit/written_view.hpp"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <algorithm>

#include "engine/core/files.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

WrittenView::WrittenView(QWidget* parent) : QWidget(parent), head_(new QWidget), text_(new QPlainTextEdit) {
  text_->setObjectName(QStringLiteral("submitText"));
  text_->setAccessibleName(tr("What would be written"));
  text_->setReadOnly(true);
  text_->setTabChangesFocus(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(ui::font(TextRole::mono));
  copy_ = makeButton(tr("Copy"), ButtonKind::neutral, QStringLiteral("copy"));
  copy_->setObjectName(QStringLiteral("submitCopyText"));
  save_ = makeButton(tr("Save…"), ButtonKind::neutral, QStringLiteral("save"));
  auto* row = new QHBoxLayout(head_);
  row->setContentsMargins(0, 0, 0, 0);
  row->addStretch(1);
  row->addWidget(copy_);
  row->addWidget(save_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::s);
  column->addWidget(head_);
  column->addWidget(text_, 1);
  connect(copy_, &QPushButton::clicked, this, &WrittenView::copy);
  connect(save_, &QPushButton::clicked, this, &WrittenView::save);
}

QString WrittenView::text() const { return text_->toPlainText(); }

void WrittenView::show(std::vector<submit::WrittenFile> files) {
  const auto sameName = [](const submit::WrittenFile& a, const submit::WrittenFile& b) { return a.name == b.name; };
  const bool same = names_ && std::equal(files.begin(), files.end(), files_.begin(), files_.end(), sameName);
  files_ = std::move(files);
  for (QPushButton* button : {copy_, save_}) button->setEnabled(!files_.empty());
  if (same) return showFile(names_->current());
  delete names_;
  names_ = new SegmentedControl;
  names_->setAccessibleName(tr("File"));
  for (const submit::WrittenFile& f : files_) names_->addSegment(QString::fromStdString(f.name));
  static_cast<QHBoxLayout*>(head_->layout())->insertWidget(0, names_);
  names_->setVisible(!files_.empty());  // with a parent: alone it would be a window and take the focus
  connect(names_, &SegmentedControl::currentChanged, this, &WrittenView::showFile);
  showFile(0);
}

void WrittenView::showFile(int index) {
  const auto at = static_cast<std::size_t>(index);
  const QString now = at < files_.size() ? QString::fromStdString(files_[at].text) : QString();
  if (now == text_->toPlainText()) return;
  const int line = text_->verticalScrollBar()->value();
  text_->setPlainText(now);
  text_->verticalScrollBar()->setValue(line);
}

void WrittenView::copy() { QApplication::clipboard()->setText(text()); }

void WrittenView::save() {
  const auto at = static_cast<std::size_t>(names_->current());
  const QString file = QFileDialog::getSaveFileName(this, tr("Save"), QString::fromStdString(files_[at].name));
  if (file.isEmpty()) return;
  if (const Status saved = save_file(file.toStdString(), files_[at].text); !saved)
    Q_EMIT saveFailed(translated(saved.error().what));
}

}  // namespace nw::ui
