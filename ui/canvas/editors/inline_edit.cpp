// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/editors/inline_edit.hpp"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>

#include "ui/canvas/view/graph_view.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

/// Ends an editor exactly once: with its text, or without.
class Ending : public QObject {
 public:
  Ending(GraphView& view, QWidget* editor, std::function<QString()> text, std::function<void(const QString&)> done)
      : QObject(editor), view_(&view), editor_(editor), text_(std::move(text)), done_(std::move(done)) {
    editor->installEventFilter(this);
  }

  /// `take`: with its text. Always true, for event filters.
  bool end(bool take) {
    if (ended_ || !view_) return true;
    ended_ = true;
    const QString text = text_();
    editor_->hide();
    editor_->deleteLater();
    view_->setFocus(Qt::OtherFocusReason);
    if (take) done_(text);
    return true;
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
    const bool manyLines = qobject_cast<QPlainTextEdit*>(editor_) && !(key->modifiers() & Qt::ControlModifier);
    if (key->key() == Qt::Key_Escape) return end(false);
    if (enter && !manyLines) return end(true);
    return false;
  }

 private:
  QPointer<GraphView> view_;  // null while the window is torn down around an open editor
  QWidget* editor_;
  std::function<QString()> text_;
  std::function<void(const QString&)> done_;
  bool ended_ = false;
};

/// An open editor gets no FocusOut while its window is not active.
void endOpenEditors(const GraphView& view) {
  for (const QWidget* editor : view.viewport()->findChildren<QWidget*>(QStringLiteral("inlineEdit")))
    for (QObject* child : editor->children())
      if (auto* ending = dynamic_cast<Ending*>(child)) ending->end(true);
}

}  // namespace

void editInPlace(GraphView& view, const QRectF& scene, const QString& text, bool manyLines,
                 std::function<void(const QString&)> done) {
  endOpenEditors(view);
  QRect where = view.mapFromScene(scene).boundingRect();
  where.setWidth(std::max(where.width(), 120));
  where.setHeight(std::max(where.height(), manyLines ? 60 : 26));
  if (manyLines) {
    auto* editor = new QPlainTextEdit(text, view.viewport());
    editor->selectAll();
    new Ending(
        view, editor, [editor] { return editor->toPlainText(); }, std::move(done));
    editor->setObjectName(QStringLiteral("inlineEdit"));
    editor->setGeometry(where);
    editor->show();
    return editor->setFocus(Qt::OtherFocusReason);
  }
  auto* editor = new QLineEdit(text, view.viewport());
  editor->setFont(font(TextRole::node));
  editor->selectAll();
  new Ending(
      view, editor, [editor] { return editor->text(); }, std::move(done));
  editor->setObjectName(QStringLiteral("inlineEdit"));
  editor->setGeometry(where);
  editor->show();
  editor->setFocus(Qt::OtherFocusReason);
}

}  // namespace nw::ui
