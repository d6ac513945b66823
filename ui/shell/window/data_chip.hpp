// SPDX-License-Identifier: GPL-3.0-or-later
// The data the project trains on: four of its images, its name, how many. Pressed: choose other data.
#pragma once
#include <QAbstractButton>
#include <QImage>

namespace nw {
struct DataSource;
}

namespace nw::ui {

class DataOpener;
class Session;

class DataChip : public QAbstractButton {
  Q_OBJECT
 public:
  explicit DataChip(Session& session, QWidget* parent = nullptr);
  QSize sizeHint() const override;  // as wide as its words
  QSize minimumSizeHint() const override { return {120, 36}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void refresh();
  void requestVisibleImages();
  void openMenu();
  void choose(const DataSource& source);
  Session& session_;
  DataOpener& probe_;
  QString detail_;
  QImage images_;  // 2×2 thumbnails; null: none yet
};

}  // namespace nw::ui
