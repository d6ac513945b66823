// SPDX-License-Identifier: GPL-3.0-or-later
// Asks once, when a folder of photos is chosen on the welcome page: to which size the photos are resized, and which
// network learns them; shows how long the training takes on this computer. GUI thread.
#pragma once
#include <QDialog>

#include "engine/design/recipe.hpp"

class QLabel;
class QPushButton;

namespace nw::ui {

class RecipeTimer;
class SegmentedControl;
class Session;
class SeverityLabel;

class PhotoDialog : public QDialog {
  Q_OBJECT
 public:
  /// Counts the photos in the helper process; the recommended recipe is selected then.
  PhotoDialog(Session& session, const QString& folder, QWidget* parent = nullptr);
  bool isCounted() const { return photos_.images > 0; }
  Recipe recipe() const;
  void choose(const Recipe& recipe);
  /// The new project; only after the photos have been counted.
  GraphDoc project() const;
  QString folder() const { return folder_; }
  QString estimateText() const;
  QString errorText() const;

 private:
  QWidget* makeChoices();
  QWidget* makeButtons();
  void count();
  void counted(const PhotoSet& photos);
  void refused(const QString& sentence);
  void choiceChanged();
  void showEstimate();
  DataChoice data() const;
  bool hasGpu() const;

  Session& session_;
  QString folder_;
  PhotoSet photos_;
  RecipeTimer* timer_;
  QLabel *summary_, *resized_, *estimate_, *recommended_;
  SeverityLabel* error_;
  SegmentedControl *sizes_, *networks_;
  QWidget* choices_;
  QPushButton *other_, *create_;
};

}  // namespace nw::ui
