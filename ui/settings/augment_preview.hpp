// SPDX-License-Identifier: GPL-3.0-or-later
// A few training images as the network receives them, with the augmentations.
#pragma once
#include <QImage>
#include <QTimer>
#include <QWidget>
#include <vector>

namespace nw::ui {

class Session;

class AugmentPreview : public QWidget {
  Q_OBJECT
 public:
  explicit AugmentPreview(Session& session, QWidget* parent = nullptr);
  /// Requests the images again, shortly after the last change.
  void refreshSoon();
  /// Images, or the reason why there are none.
  bool answered() const { return !images_.empty() || !error_.isEmpty(); }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;
  void showEvent(QShowEvent*) override { refreshSoon(); }

 private:
  void ask();
  Session& session_;
  QTimer timer_;
  std::vector<QImage> images_;
  QString error_;
  qint64 asked_ = 0;
};

}  // namespace nw::ui
