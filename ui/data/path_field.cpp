// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/path_field.hpp"

#include <QBoxLayout>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>

#include "ui/widgets/widgets.hpp"

namespace nw::ui {

PathField::PathField(bool folder, const QString& placeholder, QWidget* parent)
    : QWidget(parent), folder_(folder), line_(new QLineEdit(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  line_->setPlaceholderText(placeholder);
  line_->setAcceptDrops(false);
  QPushButton* button =
      makeIconButton(QStringLiteral("folder"), folder ? tr("Choose a folder") : tr("Choose a file"), this);
  row->addWidget(line_, 1);
  row->addWidget(button);
  setAcceptDrops(true);
  setFocusProxy(line_);
  connect(button, &QPushButton::clicked, this, &PathField::choose);
  connect(line_, &QLineEdit::editingFinished, this, [this] { take(line_->text().trimmed()); });
}

QString PathField::path() const { return last_; }

void PathField::setPath(const QString& path) {
  if (path == last_ && line_->text() == path) return;
  last_ = path;
  line_->setText(path);
  line_->end(false);  // the end of a long path names the file
  line_->setToolTip(path);
}

void PathField::take(const QString& path) {
  if (path == last_) return;
  setPath(path);
  Q_EMIT pathChanged(path);
}

void PathField::choose() {
  const QString path = folder_ ? QFileDialog::getExistingDirectory(this, tr("Choose a folder"), last_)
                               : QFileDialog::getOpenFileName(this, tr("Choose a file"), last_);
  if (!path.isEmpty()) take(path);
}

void PathField::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void PathField::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.isEmpty() || !urls.front().isLocalFile()) return;
  event->acceptProposedAction();
  take(urls.front().toLocalFile());
}

}  // namespace nw::ui
