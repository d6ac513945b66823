// SPDX-License-Identifier: Apache-2.0
#include "engine/design/draft.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/recipe.hpp"
#include "engine/examples/example.hpp"
#include "engine/examples/shape_photos.hpp"

namespace nw {
namespace {

constexpr int photos_of_a_class = 40;
constexpr std::int64_t photo_size = 32;

/// A template on a few of the built-in digits, which a processor learns in seconds.
GraphDoc on_few_digits(GraphDoc doc, std::int64_t epochs) {
  DataChoice data = doc.data();
  data.kind = SourceKind::synthetic;
  data.synthetic_set = "digits";
  data.synthetic_train = 2000;
  data.synthetic_test = 500;
  TrainSettings settings = doc.settings();
  settings.epochs = epochs;
  (void)doc.apply({PutData{data}, PutSettings{settings}});
  return doc;
}

GraphDoc digits(const fs::path&) { return on_few_digits(find_template("lenet5")->make(), 4); }

GraphDoc of_photos(const fs::path& folder, std::int64_t classes) {
  DataChoice data;
  data.kind = SourceKind::image_folder;
  data.path = folder.string();
  const PhotoSet photos{classes * photos_of_a_class, classes, 36, 48};
  GraphDoc doc = make_recipe({"convnet", photo_size}, data, photos);
  TrainSettings settings = doc.settings();
  settings.epochs = 15;
  (void)doc.apply({PutSettings{settings}});
  return doc;
}

GraphDoc photos(const fs::path& folder) { return of_photos(folder / "photos", 3); }

Status write_photos(const fs::path& folder) {
  return write_shape_photos(folder / "photos", {PhotoShape::circle, PhotoShape::square, PhotoShape::cross},
                            photos_of_a_class);
}

/// The second set has two classes that the first one lacks.
Status write_two_sets(const fs::path& folder) {
  NW_TRY(write_photos(folder));
  return write_shape_photos(folder / "other-photos", {PhotoShape::triangle, PhotoShape::ring}, photos_of_a_class / 2);
}

AttrMap three_by_three(std::int64_t filters) {
  return {{"out_channels", filters}, {"kernel_size", both(3)}, {"padding", both(1)}};
}

/// Two convolutions and the input beside them, which are added.
void residual(Draft& d, const std::string& name, NodeId in) {
  d.add("Conv2d", name + ".conv1", three_by_three(8));
  d.add("ReLU", name + ".relu1");
  d.add("Conv2d", name + ".conv2", three_by_three(8));
  d.connect(in, d.add("Add", name + ".add"), 1);
}

GraphDoc residual_network(const fs::path&) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", std::int64_t{28}}, {"width", std::int64_t{28}}});
  d.add("Conv2d", "stem", three_by_three(8));
  d.add("MaxPool2d", "pool");
  d.frame("Stem");
  d.column();
  residual(d, "block1", d.add("ReLU", "relu1"));
  residual(d, "block2", d.add("ReLU", "relu2"));
  d.add("ReLU", "relu3");
  d.frame("Residual blocks");
  d.column();
  d.add("MaxPool2d", "pool2");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", std::int64_t{10}}});
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  return on_few_digits(std::move(doc), 6);
}

/// The fields that are searched are kept in the project, in the form of a space's file (docs/search.md).
GraphDoc search(const fs::path& folder) {
  GraphDoc doc = digits(folder);
  const Json space = {{"format", 1},
                      {"parameters",
                       {{{"name", "learning_rate"}, {"type", "real"}, {"low", 0.0003}, {"high", 0.03}, {"log", true}},
                        {{"name", "fc1.out_features"}, {"type", "int"}, {"low", 32}, {"high", 192}, {"step", 32}},
                        {{"name", "batch"}, {"type", "choice"}, {"values", {32, 64, 128}}}}}};
  (void)doc.apply({PutExtra{"search", space}});
  return doc;
}

const Example examples[] = {
    {"digits", text(NW_TR("Handwritten digits")),
     text(NW_TR("LeNet-5 on a few synthetic digits: press Train, then draw a digit on the Predict page.")), digits},
    {"photos", text(NW_TR("Own photos")),
     text(NW_TR("A folder of small pictures in three classes and a network for it: replace the pictures by your own.")),
     photos, write_photos},
    {"residual", text(NW_TR("A residual network")),
     text(NW_TR("Two blocks whose input is added to their output: bypass one and compare the runs.")),
     residual_network},
    {"adapt", text(NW_TR("From one task to another")),
     text(NW_TR("Train it, then choose Adapt to my images with the folder other-photos beside the project.")), photos,
     write_two_sets},
    {"search", text(NW_TR("A search for settings")),
     text(NW_TR("Three settings of LeNet-5 are marked for a search: choose Search for settings on the Runs page.")),
     search},
};

}  // namespace

std::span<const Example> all_examples() { return examples; }

const Example* find_example(std::string_view name) {
  for (const Example& e : examples)
    if (e.name == name) return &e;
  return nullptr;
}

fs::path examples_folder() { return data_folder() / "examples"; }

Result<fs::path> open_example(const Example& example, const fs::path& folder) {
  const fs::path place = folder / example.name;
  const fs::path file = place / (std::string(example.name) + ".netwright");
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored))) return file;
  NW_TRY(make_folder(place));
  if (example.write_data) NW_TRY(example.write_data(place));
  NW_TRY(ProjectFile::save(example.make(place), file));  // last: where it is, everything is
  return file;
}

}  // namespace nw
