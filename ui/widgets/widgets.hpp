// SPDX-License-Identifier: GPL-3.0-or-later
// Small controls used by all pages. All have accessible names, keyboard focus with a visible ring, and no rich text.
#pragma once
#include <QAbstractButton>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QWidget>
#include <functional>

namespace nw::ui {

enum class ButtonKind { primary, tonal, neutral, ghost, danger };
QPushButton* makeButton(const QString& text, ButtonKind kind, const QString& iconName = {}, QWidget* parent = nullptr);
/// Texts of names and paths that may be long: the middle is left out beyond `width` pixels, and a tool tip holds the
/// whole.
void setShortenedText(QPushButton& button, const QString& text, int width = 240);
QPushButton* makeIconButton(const QString& iconName, const QString& accessibleName, QWidget* parent = nullptr);
void setButtonKind(QPushButton* button, ButtonKind kind);

/// Plain text always; role decides size and colour (text 1, 2 or 3).
QLabel* makeLabel(const QString& text, int textLevel = 1, int textRole = 3 /*TextRole::body*/,
                  QWidget* parent = nullptr);
/// One line that may become narrower than its text, which then ends in "…" and is the tool tip.
QLabel* makeElidedLabel(const QString& text, int textLevel = 1, int textRole = 3, QWidget* parent = nullptr);

/// [ Design | Train | Predict | Runs ]: one of several, arrow keys move.
class SegmentedControl : public QWidget {
  Q_OBJECT
 public:
  explicit SegmentedControl(QWidget* parent = nullptr);
  int addSegment(const QString& text, const QString& iconName = {});
  QString segmentText(int index) const { return texts_[index]; }
  QString shownText(int index) const;  // shortened where the control is narrower than its hint
  void setSegmentText(int index, const QString& text);
  QRectF segmentRect(int index) const;
  void setMark(int index, bool on);  // small dot: activity on that page
  int current() const { return current_; }
  void setCurrent(int index);
  int count() const { return static_cast<int>(texts_.size()); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }
 Q_SIGNALS:
  void currentChanged(int index);

 protected:
  bool event(QEvent*) override;
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  QStringList texts_, icons_;
  QList<bool> marks_;
  int current_ = 0;
};

/// On/off with a name.
class ToggleSwitch : public QAbstractButton {
  Q_OBJECT
 public:
  explicit ToggleSwitch(const QString& accessibleName, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {34, 20}; }

 protected:
  void paintEvent(QPaintEvent*) override;
};

/// White (light) or raised (dark) card with title row.
class Card : public QFrame {
  Q_OBJECT
 public:
  explicit Card(const QString& title = {}, QWidget* parent = nullptr);
  QWidget* body() const { return body_; }     // has a QVBoxLayout
  QWidget* titleRow() const { return row_; }  // has a QHBoxLayout with stretch at its end
  void setTitle(const QString& title, const QString& muted = {});

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QWidget *row_, *body_;
  QLabel *title_, *muted_;
};

/// Collapsible section of a form: header with chevron, then rows "label | control"; a line towards a section that
/// follows.
class FormSection : public QWidget {
  Q_OBJECT
 public:
  explicit FormSection(const QString& title, QWidget* parent = nullptr);
  void addRow(const QString& label, QWidget* control, const QString& help = {});
  void addWide(QWidget* widget);
  void clear();
  void setOpen(bool open);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  class QToolButton* header_;
  QWidget* content_;
};

/// "Nothing here yet" with icon, sentence and one action; also loading (with progress) and failed.
class EmptyState : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyState(QWidget* parent = nullptr);
  void show(const QString& iconName, const QString& title, const QString& sentence, const QString& action = {});
 Q_SIGNALS:
  void actionTriggered();

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QLabel *title_, *sentence_;
  QPushButton* action_;
  QString icon_;
};

/// Removes and destroys the widgets of a layout, after the present event.
void clearLayout(QLayout* layout);

/// Rounded label with soft background: pill("Healthy", "ok").
QLabel* makePill(const QString& text, const QString& tone /* ok, warn, error, accent, neutral */,
                 QWidget* parent = nullptr);

}  // namespace nw::ui
