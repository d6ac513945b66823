// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/recipe_timer.hpp"

#include <QProcess>
#include <QTemporaryDir>
#include <random>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "ui/session/background.hpp"
#include "ui/session/fit_estimator.hpp"

namespace nw::ui {
namespace {

/// A PPM file of noise.
std::string noise_image(std::int64_t size, std::minstd_rand& random) {
  const std::string side = std::to_string(size);
  std::string bytes = "P6\n" + side + " " + side + "\n255\n";
  for (std::int64_t left = 3 * size * size; left > 0; --left) bytes += static_cast<char>(random() >> 8);
  return bytes;
}

/// A folder with noise images of two classes, at least a whole batch, and the recipe's project. Null: no space.
std::shared_ptr<QTemporaryDir> write_trial(const Recipe& recipe, const PhotoSet& photos) {
  auto folder = std::make_shared<QTemporaryDir>();
  const fs::path top = folder->path().toStdString();
  DataChoice data;
  data.kind = SourceKind::image_folder;
  data.path = (top / "images").string();
  data.validation_fraction = data.test_fraction = 0;
  const GraphDoc doc = make_recipe(recipe, data, {photos.images, 2, recipe.size, recipe.size});
  std::minstd_rand random(1);
  std::error_code error;
  for (std::int64_t i = 0; i < doc.settings().batch; ++i) {
    const fs::path file = top / "images" / (i % 2 == 0 ? "a" : "b") / (std::to_string(i) + ".ppm");
    fs::create_directories(file.parent_path(), error);
    if (!save_file(file, noise_image(recipe.size, random))) return nullptr;
  }
  return ProjectFile::save(doc, top / "trial.netwright") ? folder : nullptr;
}

}  // namespace

RecipeTimer::RecipeTimer(QObject* parent) : QObject(parent) {}
RecipeTimer::~RecipeTimer() { stop(); }

double RecipeTimer::imagesPerSecond(const Recipe& recipe) const {
  const auto found = rates_.find({recipe.network, recipe.size});
  return found == rates_.end() ? 0 : found->second;
}

void RecipeTimer::stop() {
  ++turn_;
  measuring_ = false;
  if (!process_) return;
  process_->disconnect(this);
  connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
  process_->setParent(nullptr);
  process_->kill();
  process_ = nullptr;
  folder_.reset();
}

void RecipeTimer::measure(const Recipe& recipe, const PhotoSet& photos) {
  if (measuring_ && recipe == current_) return;
  stop();
  current_ = recipe;
  if (!rates_.contains({recipe.network, recipe.size})) {
    measuring_ = true;
    inBackground(
        this, [recipe, photos] { return write_trial(recipe, photos); },
        [this, recipe, turn = turn_](const std::shared_ptr<QTemporaryDir>& folder) { launch(folder, recipe, turn); });
  }
  Q_EMIT changed();
}

void RecipeTimer::launch(std::shared_ptr<QTemporaryDir> folder, const Recipe& recipe, quint64 turn) {
  if (turn != turn_) return;
  folder_ = std::move(folder);
  const auto ended = [this, recipe] {
    double rate = 0;
    for (const QByteArray& line : process_->readAllStandardOutput().split('\n'))
      if (const auto json = parse_json(line.toStdString(), "estimate"); json && json->is_object())
        rate = JsonReader(*json, "estimate").real_or("images_per_s", rate);
    rates_[{recipe.network, recipe.size}] = rate;
    measuring_ = false;
    process_->deleteLater();
    process_ = nullptr;
    folder_.reset();
    Q_EMIT changed();
  };
  if (!folder_) {
    measuring_ = false;
    return void(Q_EMIT changed());
  }
  process_ = new QProcess(this);
  connect(process_, &QProcess::finished, this, ended);
  connect(process_, &QProcess::errorOccurred, this, [ended](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended();
  });
  process_->start(
      FitEstimator::program(),
      {QStringLiteral("estimate"), folder_->filePath(QStringLiteral("trial.netwright")), QStringLiteral("--json")},
      QIODevice::ReadOnly);
}

}  // namespace nw::ui
