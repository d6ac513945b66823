// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/editors/inline_edit.hpp"

#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/canvas/view/graph_view.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int smallest_width = 120, note_width = 280, gap = 4;

/// The reason below an editor, on a background of its own.
class ReasonBox : public QFrame {
 public:
  explicit ReasonBox(QWidget* viewport) : QFrame(viewport), note(new RefusalNote(this)) {
    setObjectName(QStringLiteral("inlineReason"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setCursor(Qt::ArrowCursor);
    setAttribute(Qt::WA_NoMousePropagation);  // a click on it is none on the canvas
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::s, space::s, space::s);
    column->addWidget(note);
    hide();
  }
  /// Below the editor, or above it where the window ends.
  void placeAt(const QRect& editor) {
    const int width = std::max(note_width, editor.width());
    const QSize size(width, std::max(layout()->heightForWidth(width), layout()->minimumSize().height()) + gap);
    const bool below = editor.bottom() + gap + size.height() <= parentWidget()->height();
    const int left = std::clamp(editor.left(), 0, std::max(0, parentWidget()->width() - width));
    setGeometry({QPoint(left, below ? editor.bottom() + gap : std::max(0, editor.top() - gap - size.height())), size});
  }
  RefusalNote* note;
};

/// An editor of the canvas, with its text until it ends.
class InlineEditor : public QObject {
 public:
  InlineEditor(GraphView& view, InPlaceEdit edit, QWidget* editor)
      : QObject(editor), view_(&view), edit_(std::move(edit)), scope_(view.graph().scope()), editor_(editor) {
    editor->setObjectName(QStringLiteral("inlineEdit"));
    editor->installEventFilter(this);
    connect(&view.camera(), &Camera::moved, this, &InlineEditor::place);
    connect(&view.graph(), &GraphScene::contentChanged, this, &InlineEditor::place);
    connect(&view.graph(), &GraphScene::scopeChanged, this, &InlineEditor::place);
    connect(&view.graph().session(), &Session::documentAboutToBeReplaced, this, &InlineEditor::close);
    if (auto* line = qobject_cast<QLineEdit*>(editor))
      connect(line, &QLineEdit::textEdited, this, [this] { accept(); });
    place();
    editor->show();
    editor->setFocus(Qt::OtherFocusReason);
  }
  bool isOpen() const { return !ended_ && editor_->isVisible(); }
  void focus() { editor_->setFocus(Qt::OtherFocusReason); }

  /// Ends it with its text; false: the text is refused. In a window that is not active the focus leaves without an
  /// event.
  bool finish() {
    end(true);
    return ended_;
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::FocusOut) end(true);
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (event->type() == QEvent::ShortcutOverride) {  // single letters and Delete belong to the text
      event->accept();
      return true;
    }
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const bool manyLines = edit_.manyLines && !(key->modifiers() & Qt::ControlModifier);
    if (key->key() == Qt::Key_Escape) return end(false);
    if (enter && !manyLines) return end(true);
    return false;
  }

 private:
  QString text() const {
    const auto* line = qobject_cast<QLineEdit*>(editor_);
    return line ? line->text() : static_cast<QPlainTextEdit*>(editor_)->toPlainText();
  }

  bool end(bool take) {
    if (ended_ || !view_) return true;
    ended_ = true;  // also while it is applied, which may move the focus
    const Refusal refusal = take ? edit_.apply(text()) : Refusal{};
    ended_ = refusal.sentence.isEmpty();
    if (ended_)
      close();
    else
      refuse(refusal);
    return true;
  }

  void close() {
    ended_ = true;
    if (view_ && editor_->hasFocus()) view_->setFocus(Qt::OtherFocusReason);
    editor_->hide();
    editor_->deleteLater();
    accept();
  }

  void refuse(const Refusal& refusal) {
    if (!reason_) {
      reason_ = new ReasonBox(view_->viewport());
      connect(editor_, &QObject::destroyed, reason_.data(), &QObject::deleteLater);
      connect(reason_->note, &RefusalNote::nearestWanted, this, [this](const QString& nearest) {
        static_cast<QLineEdit*>(editor_)->setText(nearest);
        editor_->setFocus(Qt::OtherFocusReason);  // it goes to the canvas from here
        end(true);
      });
    }
    reason_->note->say(refusal.sentence, refusal.nearest);
    reason_->show();
    editor_->setAccessibleDescription(refusal.sentence);
    place();
  }

  void accept() {
    if (reason_) reason_->hide();
    editor_->setAccessibleDescription({});
  }

  /// Follows the camera, and what is edited; hidden while another scope is shown.
  void place() {
    if (ended_ || !view_) return;
    const bool here = view_->graph().scope() == scope_;
    if (!view_->graph().doc().has_scope(scope_)) return close();
    if (here) {
      const std::optional<QRectF> area = edit_.where();
      if (!area) return close();
      QRect where = view_->mapFromScene(*area).boundingRect();
      where.setWidth(std::max(where.width(), smallest_width));
      where.setHeight(std::max(where.height(), edit_.manyLines ? 60 : 26));
      editor_->setGeometry(where);
      if (reason_) reason_->placeAt(where);
    }
    const bool refused = reason_ && !reason_->note->sentence().isEmpty();
    editor_->setVisible(here);
    if (reason_) reason_->setVisible(here && refused);
  }

  QPointer<GraphView> view_;  // null while the window is torn down around an open editor
  InPlaceEdit edit_;
  std::string scope_;
  QWidget* editor_;
  QPointer<ReasonBox> reason_;
  bool ended_ = false;
};

InlineEditor* openEditor(const GraphView& view) {
  for (const QObject* child : view.viewport()->children())
    for (QObject* own : child->children())
      if (auto* editor = dynamic_cast<InlineEditor*>(own); editor && editor->isOpen()) return editor;
  return nullptr;
}

}  // namespace

void editInPlace(GraphView& view, InPlaceEdit edit) {
  if (InlineEditor* open = openEditor(view); open && !open->finish()) return open->focus();
  QWidget* editor = nullptr;
  if (edit.manyLines) {
    auto* lines = new QPlainTextEdit(edit.text, view.viewport());
    lines->selectAll();
    editor = lines;
  } else {
    auto* line = new QLineEdit(edit.text, view.viewport());
    line->setFont(font(TextRole::node));
    line->selectAll();
    editor = line;
  }
  new InlineEditor(view, std::move(edit), editor);
}

}  // namespace nw::ui
