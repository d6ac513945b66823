// SPDX-License-Identifier: GPL-3.0-or-later
// Containers that arrange their widgets by the room they have.
#pragma once
#include <QScrollArea>
#include <vector>

class QBoxLayout;

namespace nw::ui {

/// Widgets beside each other; below each other where the row is narrower than `threshold` pixels, and then the whole
/// scrolls.
class StackingRow : public QScrollArea {
  Q_OBJECT
 public:
  enum class Stack : quint8 { first_on_top, last_on_top };
  StackingRow(int threshold, Stack order, QWidget* parent = nullptr);
  /// `height`: at least this when stacked. `stretch` applies in both directions.
  void addWidget(QWidget* widget, int stretch, int height);
  QBoxLayout& box() { return *box_; }
  bool isStacked() const { return stacked_; }
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  struct Part {
    QWidget* widget;
    int height;
  };
  void arrange();
  int threshold_;
  Stack order_;
  bool stacked_ = false;
  QBoxLayout* box_;
  std::vector<Part> parts_;
};

/// A line of controls; where it is too narrow, the first widget added with `wraps` and all after it form a second line,
/// and what is still too wide goes on in further lines.
class WrappingBar : public QWidget {
  Q_OBJECT
 public:
  explicit WrappingBar(QWidget* parent = nullptr);
  void addWidget(QWidget* widget, bool wraps = false);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent*) override;
  bool event(QEvent*) override;

 private:
  struct Part {
    QWidget* widget;
    bool wraps;
  };
  static QSize sizeOf(const QWidget& part);
  int widthOf(bool second) const;
  int lineHeight() const;
  bool isWrapped(int width) const;
  void arrange();
  std::vector<Part> parts_;
  int lines_ = 1;
};

}  // namespace nw::ui
