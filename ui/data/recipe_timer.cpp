// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/recipe_timer.hpp"

#include <QProcess>
#include <QTemporaryDir>
#include <random>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "engine/data/sources/photo_survey.hpp"
#include "ui/session/background.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr std::size_t most_own = 16;  // photos of many megapixels take a tenth of a second each

/// A PPM file of noise.
std::string noise_image(std::int64_t size, std::minstd_rand& random) {
  const std::string side = std::to_string(size);
  std::string bytes = "P6\n" + side + " " + side + "\n255\n";
  for (std::int64_t left = 3 * size * size; left > 0; --left) bytes += static_cast<char>(random() >> 8);
  return bytes;
}

/// The last line that the process wrote to its standard error.
QString lastLine(const QByteArray& output) {
  const QByteArray all = output.trimmed();
  return QString::fromUtf8(all.mid(all.lastIndexOf('\n') + 1));
}

}  // namespace

struct RecipeTimer::Files {
  QTemporaryDir folder;
  double photos = 0;  // of the user among the images
};

namespace {

/// The images of a trial: some of the user's photos, then noise of the recipe's size up to a whole batch.
Status write_images(const RecipeTimer::Trial& trial, const fs::path& top, std::int64_t count, double* own) {
  const std::vector<fs::path> photos = some_photos(trial.folder.toStdString(), most_own);
  std::minstd_rand random(1);
  std::error_code error;
  for (std::int64_t i = 0; i < count; ++i) {
    const fs::path file = top / (i % 2 == 0 ? "a" : "b") / std::to_string(i);
    fs::create_directories(file.parent_path(), error);
    const auto at = static_cast<std::size_t>(i);
    if (at < photos.size()) {
      fs::create_symlink(fs::absolute(photos[at]), fs::path(file).concat(photos[at].extension().string()), error);
      if (!error) {
        ++*own;
        continue;
      }
    }
    NW_TRY(save_file(fs::path(file).concat(".ppm"), noise_image(trial.recipe.size, random)));
  }
  return {};
}

}  // namespace

double RecipeSpeed::seconds(std::int64_t photos, std::int64_t epochs) const {
  const auto count = static_cast<double>(photos);
  return count * photo_s + (images_per_s > 0 ? count * static_cast<double>(epochs) / images_per_s : 0);
}

RecipeTimer::RecipeTimer(QObject* parent) : QObject(parent) {}
RecipeTimer::~RecipeTimer() { stop(); }

std::optional<RecipeSpeed> RecipeTimer::speed(const Recipe& recipe) const {
  const auto found = speeds_.find({recipe.network, recipe.size});
  return found == speeds_.end() ? std::nullopt : std::optional(found->second);
}

void RecipeTimer::stop() {
  ++turn_;
  measuring_ = false;
  failure_.clear();
  if (!process_) return;
  process_->disconnect(this);
  connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
  process_->setParent(nullptr);
  process_->kill();
  process_ = nullptr;
  files_.reset();
}

void RecipeTimer::measure(const Trial& trial) {
  if (measuring_ && trial.recipe == current_ && trial.device == device_) return;
  stop();
  current_ = trial.recipe;
  if (device_ != trial.device) speeds_.clear();
  device_ = trial.device;
  if (!speed(trial.recipe)) {
    measuring_ = true;
    const auto write = [trial]() -> Result<std::shared_ptr<Files>> {
      auto files = std::make_shared<Files>();
      const fs::path top = files->folder.path().toStdString();
      DataChoice data;
      data.kind = SourceKind::image_folder;
      data.path = (top / "images").string();
      data.validation_fraction = data.test_fraction = 0;
      const PhotoSet photos{trial.photos.images, 2, trial.recipe.size, trial.recipe.size};
      const GraphDoc doc = make_recipe(trial.recipe, data, photos, trial.device);
      NW_TRY(write_images(trial, top / "images", doc.settings().batch, &files->photos));
      NW_TRY(ProjectFile::save(doc, top / "trial.netwright"));
      return files;
    };
    inBackground(this, write,
                 [this, recipe = trial.recipe, turn = turn_](const auto& files) { launch(files, recipe, turn); });
  }
  Q_EMIT changed();
}

void RecipeTimer::launch(const Result<std::shared_ptr<Files>>& files, const Recipe& recipe, quint64 turn) {
  if (turn != turn_) return;
  if (!files) {
    measuring_ = false;
    failure_ = translated(files.error().what);
    return void(Q_EMIT changed());
  }
  files_ = *files;
  process_ = new QProcess(this);
  connect(process_, &QProcess::finished, this, [this, recipe] { ended(recipe, {}); });
  connect(process_, &QProcess::errorOccurred, this, [this, recipe](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(recipe, process_->errorString());
  });
  process_->start(FitEstimator::program(),
                  {QStringLiteral("estimate"), files_->folder.filePath(QStringLiteral("trial.netwright")),
                   QStringLiteral("--json")},
                  QIODevice::ReadOnly);
}

/// Keeps what was measured, or the reason why nothing was.
void RecipeTimer::ended(const Recipe& recipe, const QString& failedToStart) {
  RecipeSpeed measured;
  double open_s = 0;
  for (const QByteArray& line : process_->readAllStandardOutput().split('\n'))
    if (const auto json = parse_json(line.toStdString(), "estimate"); json && json->is_object()) {
      JsonReader values(*json, "estimate");
      measured.images_per_s = values.real_or("images_per_s", measured.images_per_s);
      open_s = values.real_or("open_s", open_s);
    }
  if (files_->photos > 0) measured.photo_s = open_s / files_->photos;
  const QString words = lastLine(process_->readAllStandardError());
  failure_.clear();
  if (measured.images_per_s > 0)
    speeds_[{recipe.network, recipe.size}] = measured;
  else
    failure_ = !failedToStart.isEmpty() ? failedToStart
               : !words.isEmpty()       ? words
                                        : tr("the trial ended without a step");
  measuring_ = false;
  process_->deleteLater();
  process_ = nullptr;
  files_.reset();
  Q_EMIT changed();
}

}  // namespace nw::ui
