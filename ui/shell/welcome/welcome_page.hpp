// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows without a project: templates, recent projects, this computer, a place to drop a folder.
#pragma once
#include "ui/page/page.hpp"
#include "ui/shell/files/app_state.hpp"
#include "ui/shell/welcome/recent_list.hpp"

class QGridLayout;
class QVBoxLayout;

namespace nw::ui {

class FolderDrop;
class ProjectFiles;
class TemplateCard;

class WelcomePage : public Page {
  Q_OBJECT
 public:
  WelcomePage(AppState& workplace, ProjectFiles& files);
  void activated() override;
  QList<TemplateCard*> cards() const { return cards_; }
  /// True once drawings and recent projects have been read.
  bool loaded() const { return pending_ == 0; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  QWidget* makeSide();
  QWidget* makeMain();
  void makeCards();
  void placeCards();
  void drawTemplates();
  void readRecentSoon();
  void showRecent(const std::vector<RecentProject>& projects);
  void showRecovered();
  void search(const QString& text);
  void chooseFolder();
  AppState& work_;
  ProjectFiles& files_;
  QList<TemplateCard*> cards_;
  QGridLayout* grid_ = nullptr;
  QList<QWidget*> places_;  // the cards and the empty one, in the order of the grid
  int columns_ = 0;
  QVBoxLayout *recent_ = nullptr, *recovered_ = nullptr;
  int pending_ = 0;
};

/// Dashed field that takes a folder of images, or any other file the window can open.
class FolderDrop : public QWidget {
  Q_OBJECT
 public:
  explicit FolderDrop(QWidget* parent = nullptr);

 Q_SIGNALS:
  void dropped(const QString& path);
  void chooseRequested();

 protected:
  void paintEvent(QPaintEvent*) override;
  void dragEnterEvent(QDragEnterEvent*) override;
  void dragLeaveEvent(QDragLeaveEvent*) override;
  void dropEvent(QDropEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  bool over_ = false;
};

}  // namespace nw::ui
