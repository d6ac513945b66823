// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how fast a recipe trains on this computer: one second of training of the real network, on noise images of
// the recipe's size, in a process of its own. GUI thread; files are written off it.
#pragma once
#include <QObject>
#include <map>
#include <memory>
#include <utility>

#include "engine/design/recipe.hpp"

class QProcess;
class QTemporaryDir;

namespace nw::ui {

class RecipeTimer : public QObject {
  Q_OBJECT
 public:
  explicit RecipeTimer(QObject* parent = nullptr);
  ~RecipeTimer() override;
  /// Measures this recipe unless it has been measured; a measurement of another recipe is ended.
  void measure(const Recipe& recipe, const PhotoSet& photos);
  /// Images per second while training; 0: not measured yet, or it failed.
  double imagesPerSecond(const Recipe& recipe) const;
  bool isMeasuring() const { return measuring_; }

 Q_SIGNALS:
  void changed();

 private:
  void stop();
  void launch(std::shared_ptr<QTemporaryDir> folder, const Recipe& recipe, quint64 turn);

  std::map<std::pair<std::string_view, std::int64_t>, double> rates_;
  Recipe current_;
  QProcess* process_ = nullptr;
  std::shared_ptr<QTemporaryDir> folder_;
  bool measuring_ = false;
  quint64 turn_ = 0;
};

}  // namespace nw::ui
