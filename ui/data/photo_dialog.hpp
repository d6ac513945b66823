// SPDX-License-Identifier: GPL-3.0-or-later
// Asks once, when a folder of photos is opened: to which size the photos are resized, and which network learns them;
// shows how long the training takes on this computer. While a project is open, its data can be the photos instead. GUI
// thread.
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
  /// Accepted for the project that is open, not for a new one.
  bool isForThisProject() const { return forThisProject_; }
  /// The photos as the data of the project that is open, resized to what its network expects.
  DataChoice dataOfThisProject() const;
  QString folder() const { return folder_; }
  QString estimateText() const;
  bool isMeasured() const;  // the recipe's speed is shown, or why there is none
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
  bool hasProject() const;
  QString aboutThisProject() const;
  std::string device() const;  // what the recipe trains on
  Recipe best() const;
  void devicesFound();

  Session& session_;
  QString folder_;
  PhotoSet photos_;
  Recipe recommended_;
  RecipeTimer* timer_;
  QLabel *summary_, *resized_, *estimate_, *advice_, *thisProject_;
  SeverityLabel* error_;
  SegmentedControl *sizes_, *networks_;
  QWidget* choices_;
  QPushButton *other_, *create_, *here_;
  bool forThisProject_ = false;
};

}  // namespace nw::ui
