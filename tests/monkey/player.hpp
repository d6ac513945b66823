// SPDX-License-Identifier: GPL-3.0-or-later
// Plays steps in the real window. Mouse and key events are sent to windows, never to widgets, so that Qt chooses the
// receiver. A step may open a dialog with an event loop of its own; the next step is then played inside that loop.
#pragma once
#include <QPointer>
#include <QStringList>
#include <QWidget>

#include "tests/monkey/step.hpp"
#include "ui/shell/window/application.hpp"

namespace nw::ui {

class Player {
 public:
  Player(WindowHost& host, QStringList files) : host_(host), files_(std::move(files)) {}
  /// What the step does in the present state of the window, for the log; played by play().
  void play(const Step& step);
  /// Milliseconds to wait before the next step.
  int pause() const { return pause_; }
  const QString& description() const { return description_; }

 private:
  void click(const Step& step, bool twice);
  void clickCanvas(const Step& step);
  void dragOnCanvas(const Step& step);
  void drag(const Step& step);
  void wheel(const Step& step);
  void key(const Step& step);
  void type(const Step& step);
  void runAction(const Step& step);
  void showPage(const Step& step);
  void goTo(const Step& step);
  void keepSmall();
  void resize(const Step& step);
  void changeScreen(const Step& step);
  void drop(const Step& step);
  void open(const Step& step);
  void train();
  void kill(const Step& step);
  bool answerFileDialog(const Step& step);
  bool closePopup(const Step& step);
  void describe(const QString& words) { description_ = words; }
  QWidget& top() const;
  QWidget* target(std::uint32_t n) const;
  class GraphView* canvas() const;

  WindowHost& host_;
  QStringList files_;
  QString description_;
  QPointer<QWidget> place_;  // where the last step to a place led
  int pause_ = 0;
};

}  // namespace nw::ui
