// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how fast a recipe trains on this computer: some of the user's photos are read and decoded, then the real
// network is trained for a second, in a process of its own. GUI thread; files are written off it.
#pragma once
#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "engine/design/recipe.hpp"

class QProcess;
class QTemporaryDir;

namespace nw::ui {

struct RecipeSpeed {
  double images_per_s = 0;  // while training
  double photo_s = 0;       // to read and decode one photo; the images stay in memory
  /// Of the whole training.
  double seconds(std::int64_t photos, std::int64_t epochs) const;
};

class RecipeTimer : public QObject {
  Q_OBJECT
 public:
  explicit RecipeTimer(QObject* parent = nullptr);
  ~RecipeTimer() override;
  /// What is measured.
  struct Trial {
    Recipe recipe;
    PhotoSet photos;
    QString folder;  // of the photos
    std::string device = "cpu";
  };
  /// Measures this recipe unless it has been measured; a failed measurement is repeated. A measurement of another
  /// recipe is ended.
  void measure(const Trial& trial);
  std::optional<RecipeSpeed> speed(const Recipe& recipe) const;
  /// Why the present recipe could not be measured; empty: it could, or it has not ended yet.
  const QString& failure() const { return failure_; }
  bool isMeasuring() const { return measuring_; }

 Q_SIGNALS:
  void changed();

 private:
  struct Files;  // a trial's temporary folder
  void stop();
  void launch(const Result<std::shared_ptr<Files>>& files, const Recipe& recipe, quint64 turn);
  void ended(const Recipe& recipe, const QString& failedToStart);

  std::map<std::pair<std::string_view, std::int64_t>, RecipeSpeed> speeds_;
  Recipe current_;
  std::string device_;
  QString failure_;
  QProcess* process_ = nullptr;
  std::shared_ptr<Files> files_;
  bool measuring_ = false;
  quint64 turn_ = 0;
};

}  // namespace nw::ui
