// SPDX-License-Identifier: GPL-3.0-or-later
// What training on a GPU needs, which of it was found on this computer, and how to get the rest: opened by the chip
// of a GPU that cannot train. The search runs in netwright-cli; the window loads no driver. GUI thread.
#pragma once
#include <QFrame>
#include <vector>

#include "engine/backend/device_search.hpp"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace nw::ui {

class DevicePanel : public QFrame {
  Q_OBJECT
 public:
  explicit DevicePanel(QWidget* parent);
  /// Shows the panel below the chip, on the screen, and searches. `sentence`: about the GPU; empty: there is none.
  void openBelow(const QWidget& chip, const QString& sentence = {});
  const std::vector<SearchedPart>& parts() const { return parts_; }  // empty while searching
  /// The panel as plain text, for a message to whoever looks after the computer.
  QString report() const;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void search();
  void show(const std::vector<SearchedPart>& parts);
  void place();
  QWidget* makeButtons();
  QLabel* sentence_;
  QScrollArea* scroll_;
  QVBoxLayout* rows_;
  QPushButton *again_, *copy_;
  std::vector<SearchedPart> parts_;
  QString about_;  // the GPU
  QRect chip_;     // on the screen
};

}  // namespace nw::ui
