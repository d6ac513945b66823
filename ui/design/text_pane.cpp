// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/text_pane.hpp"

#include <QKeyEvent>
#include <QLabel>
#include <QTextBlock>
#include <QVBoxLayout>

#include "ui/canvas/canvas.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

TextPane::TextPane(Canvas& canvas, QWidget* parent)
    : QWidget(parent), canvas_(canvas), editor_(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("textPane"));
  editor_->setObjectName(QStringLiteral("networkText"));
  editor_->setAccessibleName(tr("The network as text"));
  editor_->setFont(ui::font(TextRole::mono));
  editor_->setFrameShape(QFrame::NoFrame);
  editor_->setLineWrapMode(QPlainTextEdit::NoWrap);
  editor_->setTabChangesFocus(true);
  editor_->installEventFilter(this);
  word_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), this);
  word_->setObjectName(QStringLiteral("textFault"));
  word_->setContentsMargins(space::m, space::xs, space::m, space::xs);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(editor_, 1);
  column->addWidget(word_);
  pause_.setSingleShot(true);
  pause_.setInterval(500);
  connect(&pause_, &QTimer::timeout, this, &TextPane::takeOver);
  connect(editor_, &QPlainTextEdit::textChanged, this, [this] {
    if (!busy_) pause_.start();
  });
  connect(&canvas.scene(), &GraphScene::contentChanged, this, &TextPane::followDocument);
  connect(&canvas.scene(), &GraphScene::scopeChanged, this, &TextPane::followDocument);
  connect(&canvas.scene(), &GraphScene::selectionUpdated, this, &TextPane::followSelection);
  connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    if (busy_ || !editor_->hasFocus() || !faults_.empty()) return;
    const QString name = editor_->textCursor().block().text().section(':', 0, 0).trimmed();
    for (const auto& [id, node] : canvas_.scene().graph().nodes)
      if (QString::fromStdString(node.name) == name && canvas_.scene().selection().current() != id) {
        busy_ = true;  // the cursor stays where it is
        canvas_.goTo(canvas_.scene().scope(), id);
        busy_ = false;
      }
  });
}

/// Ctrl+Z undoes typed text that the network has not taken over yet; everything else is undone by the document's undo
/// stack, through the window's actions.
bool TextPane::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return QWidget::eventFilter(watched, event);
  const auto& keys = *static_cast<QKeyEvent*>(event);
  const bool pending = editor_->toPlainText() != written_ || !faults_.empty();
  const bool undo = keys.matches(QKeySequence::Undo), redo = keys.matches(QKeySequence::Redo);
  if (!undo && !redo) return QWidget::eventFilter(watched, event);
  if (undo ? pending && editor_->document()->isUndoAvailable() : editor_->document()->isRedoAvailable()) return false;
  event->ignore();
  return true;
}

void TextPane::showEvent(QShowEvent* event) {
  if (stale_) write();
  QWidget::showEvent(event);
}

void TextPane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) showFaults();
  QWidget::changeEvent(event);
}

void TextPane::followDocument() {
  if (busy_) return;
  stale_ = true;
  if (isVisible()) write();
}

void TextPane::write() {
  stale_ = false;
  pause_.stop();
  const QString text = QString::fromStdString(network_text(canvas_.scene().doc(), canvas_.scene().scope()));
  if (text == written_ && text == editor_->toPlainText()) return;
  busy_ = true;
  const int line = editor_->textCursor().blockNumber();
  editor_->setPlainText(text);
  editor_->setTextCursor(
      QTextCursor(editor_->document()->findBlockByNumber(std::min(line, editor_->blockCount() - 1))));
  busy_ = false;
  written_ = text;
  faults_.clear();
  showFaults();
  followSelection();
}

void TextPane::takeOver() {
  pause_.stop();
  GraphScene& scene = canvas_.scene();
  const QString typed = editor_->toPlainText();
  if (typed == written_ && faults_.empty()) return;
  TextReading reading = read_network_text(scene.doc(), scene.scope(), typed.toStdString());
  faults_ = std::move(reading.faults);
  if (faults_.empty()) {
    busy_ = true;  // keeps the typed text instead of the normalized form
    if (scene.session().push(reading.edit, tr("Edit as text"))) written_ = typed;
    busy_ = false;
  }
  showFaults();
}

/// Underlines each line with an error; the first error is shown below.
void TextPane::showFaults() {
  QList<QTextEdit::ExtraSelection> marks;
  for (const TextFault& fault : faults_) {
    const QTextBlock block = editor_->document()->findBlockByNumber(fault.line);
    if (!block.isValid()) continue;
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(block);
    mark.cursor.select(QTextCursor::LineUnderCursor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(theme().error);
    mark.format.setBackground(theme().errorSoft);
    marks << mark;
  }
  editor_->setExtraSelections(marks);
  word_->setText(faults_.empty()
                     ? tr("One layer per line; its input is the line above or the layers after <-")
                     : tr("Line %1: %2").arg(faults_.front().line + 1).arg(translated(faults_.front().what)));
  word_->setAccessibleName(word_->text());
}

void TextPane::followSelection() {
  if (busy_ || editor_->hasFocus() || !isVisible()) return;
  const auto node = canvas_.scene().graph().nodes.find(canvas_.scene().selection().current());
  if (node == canvas_.scene().graph().nodes.end()) return;
  const int line = line_of(editor_->toPlainText().toStdString(), node->second.name);
  if (line < 0) return;
  busy_ = true;
  editor_->setTextCursor(QTextCursor(editor_->document()->findBlockByNumber(line)));
  editor_->centerCursor();
  busy_ = false;
}

}  // namespace nw::ui
