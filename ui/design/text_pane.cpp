// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/text_pane.hpp"

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/canvas/canvas.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// The lengths of the beginning and of the end that both texts have.
std::pair<qsizetype, qsizetype> commonEnds(const QString& a, const QString& b) {
  const qsizetype shorter = std::min(a.size(), b.size());
  qsizetype begin = 0, end = 0;
  while (begin < shorter && a[begin] == b[begin]) ++begin;
  while (end < shorter - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  return {begin, end};
}

}  // namespace

TextPane::TextPane(Canvas& canvas, QWidget* parent)
    : QWidget(parent), canvas_(canvas), editor_(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("textPane"));
  build();
  pause_.setSingleShot(true);
  pause_.setInterval(500);
  connect(&pause_, &QTimer::timeout, this, &TextPane::takeOver);
  connect(editor_, &QPlainTextEdit::textChanged, this, &TextPane::typed);
  connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, &TextPane::selectLine);
  connect(&canvas.scene(), &GraphScene::contentChanged, this, &TextPane::follow);
  connect(&canvas.scene(), &GraphScene::scopeChanged, this, &TextPane::enterScope);
  connect(&canvas.scene(), &GraphScene::selectionUpdated, this, &TextPane::followSelection);
  connect(&canvas.scene().session(), &Session::documentReplaced, this, [this] {
    drafts_.clear();
    written_ = editor_->toPlainText();  // nothing of another project is pending
    newHistory_ = true;
    follow();
  });
}

void TextPane::build() {
  editor_->setObjectName(QStringLiteral("networkText"));
  editor_->setAccessibleName(tr("The network as text"));
  editor_->setFont(ui::font(TextRole::mono));
  editor_->setFrameShape(QFrame::NoFrame);
  editor_->setLineWrapMode(QPlainTextEdit::NoWrap);
  editor_->document()->setDocumentMargin(space::s + 2);  // in line with the other pages of the panel
  editor_->setTabChangesFocus(true);
  editor_->installEventFilter(this);
  word_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), this);
  word_->setObjectName(QStringLiteral("textFault"));
  word_->setContentsMargins(space::m, space::xs, space::m, space::xs);
  choice_ = buildChoice();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(choice_);
  column->addWidget(editor_, 1);
  column->addWidget(word_);
}

QWidget* TextPane::buildChoice() {
  auto* bar = new QWidget(this);
  bar->setObjectName(QStringLiteral("textChoice"));
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(space::m, space::xs, space::m, space::xs);
  row->addWidget(makeLabel(tr("The network has changed"), 1, static_cast<int>(TextRole::body), bar), 1);
  const auto button = [&](const char* id, const QString& text, const QString& help, auto act) {
    QPushButton* made = makeButton(text, ButtonKind::tonal, {}, bar);
    made->setObjectName(QLatin1String(id));
    made->setToolTip(help);
    connect(made, &QPushButton::clicked, this, act);
    row->addWidget(made);
  };
  button("takeNetworkText", tr("Take the network's text"), tr("Ctrl+Z brings back what was typed"),
         &TextPane::takeNetworks);
  button("keepMyText", tr("Keep mine"), tr("The network becomes what this text describes"), &TextPane::keepMine);
  bar->hide();
  return bar;
}

void TextPane::selectLine() {
  if (busy_ || !editor_->hasFocus() || !faults_.empty()) return;
  const QString name = editor_->textCursor().block().text().section(':', 0, 0).trimmed();
  for (const auto& [id, node] : canvas_.scene().graph().nodes)
    if (QString::fromStdString(node.name) == name && canvas_.scene().selection().current() != id) {
      busy_ = true;  // the cursor stays where it is
      canvas_.goTo(canvas_.scene().scope(), id);
      busy_ = false;
    }
}

bool TextPane::isPending() const { return editor_->toPlainText() != written_; }

void TextPane::typed() {
  if (busy_) return;
  restorable_ = false;
  pause_.start();
  // What was typed may be undone, or have become the network's text. Not at once: the editor is still changing it.
  if (!choice_->isHidden()) QMetaObject::invokeMethod(this, &TextPane::follow, Qt::QueuedConnection);
}

/// Ctrl+Z undoes typed text that the network has not taken over yet; everything else is undone by the document's undo
/// stack, through the window's actions. Text that loses the focus is taken over at once.
bool TextPane::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut && pause_.isActive()) takeOver();
  if (event->type() != QEvent::ShortcutOverride) return QWidget::eventFilter(watched, event);
  const auto& keys = *static_cast<QKeyEvent*>(event);
  const bool pending = isPending() || !faults_.empty() || restorable_;
  const bool undo = keys.matches(QKeySequence::Undo), redo = keys.matches(QKeySequence::Redo);
  if (!undo && !redo) return QWidget::eventFilter(watched, event);
  if (undo ? pending && editor_->document()->isUndoAvailable() : editor_->document()->isRedoAvailable()) return false;
  event->ignore();
  return true;
}

void TextPane::showEvent(QShowEvent* event) {
  if (stale_) follow();
  QWidget::showEvent(event);
}

void TextPane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) showFaults();
  QWidget::changeEvent(event);
}

QString TextPane::networkText() const {
  return QString::fromStdString(network_text(canvas_.scene().doc(), canvas_.scene().scope()));
}

/// The document changed. Text that was typed stays.
void TextPane::follow() {
  if (busy_) return;
  stale_ = !isVisible();
  if (stale_) return;
  if (scope_ != canvas_.scene().scope()) return enterScope();
  const QString network = networkText();
  const bool pending = isPending() && editor_->toPlainText() != network;
  choice_->setVisible(pending && network != written_);
  if (!pending) write(network);
}

/// Text that was typed for another scope waits there.
void TextPane::enterScope() {
  if (busy_) return;
  stale_ = !isVisible();
  if (stale_) return;
  if (isPending()) drafts_[scope_] = {editor_->toPlainText(), written_};
  scope_ = canvas_.scene().scope();
  newHistory_ = true;
  const auto draft = drafts_.find(scope_);
  choice_->hide();
  if (draft == drafts_.end()) return write(networkText());
  write(draft->second.text);
  written_ = draft->second.base;
  drafts_.erase(draft);
  follow();
  pause_.start();  // not at once: the document may be another one now, which documentReplaced() says after this
}

void TextPane::write(const QString& text) {
  pause_.stop();
  restorable_ = false;
  if (text != editor_->toPlainText() || newHistory_) replaceText(text);
  if (std::exchange(written_, text) == text && faults_.empty()) return;
  faults_.clear();
  showFaults();
  followSelection();
}

/// Replaces what differs, as one step of the editor's undo; the cursor stays where it is.
void TextPane::replaceText(const QString& text) {
  const QScopedValueRollback busy(busy_, true);
  if (std::exchange(newHistory_, false)) {
    const int line = editor_->textCursor().blockNumber();
    editor_->setPlainText(text);
    const int last = editor_->blockCount() - 1;
    return editor_->setTextCursor(QTextCursor(editor_->document()->findBlockByNumber(std::min(line, last))));
  }
  const QString old = editor_->toPlainText();
  const auto [same, tail] = commonEnds(old, text);
  QTextCursor at(editor_->document());
  at.setPosition(static_cast<int>(same));
  at.setPosition(static_cast<int>(old.size() - tail), QTextCursor::KeepAnchor);
  at.insertText(text.mid(same, text.size() - same - tail));
}

void TextPane::takeNetworks() {
  choice_->hide();
  write(networkText());
  restorable_ = true;
  editor_->setFocus(Qt::OtherFocusReason);  // the button is hidden now
}

void TextPane::keepMine() {
  choice_->hide();
  written_ = networkText();
  takeOver();
  editor_->setFocus(Qt::OtherFocusReason);
}

void TextPane::takeOver() {
  pause_.stop();
  GraphScene& scene = canvas_.scene();
  const QString text = editor_->toPlainText();
  if (scope_ != scene.scope() || (text == written_ && faults_.empty())) return;
  TextReading reading = read_network_text(scene.doc(), scene.scope(), text.toStdString());
  faults_ = std::move(reading.faults);
  if (faults_.empty() && choice_->isHidden()) {
    busy_ = true;  // keeps the typed text instead of the normalized form
    if (scene.session().push(reading.edit, tr("Edit as text"))) written_ = text;
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
