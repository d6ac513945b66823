// SPDX-License-Identifier: GPL-3.0-or-later
// F1 in every window of the program: the user guide at the place where the user is. GUI thread.
#pragma once
#include <QObject>

namespace nw::ui {

/// Gives the command to each dialog, whose windows do not hear the main window's keys, and carries it out.
class GuideKey : public QObject {
  Q_OBJECT
 public:
  explicit GuideKey(QObject* parent);

 Q_SIGNALS:
  /// The guide could not be opened, with the sentence for the user.
  void missing(const QString& sentence);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void open();
};

}  // namespace nw::ui
