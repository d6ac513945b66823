// SPDX-License-Identifier: Apache-2.0
// Networks and training settings recommended for a folder of photos: they follow the number, the size and the classes
// of the photos. docs/performance.md has the accuracies that they reach.
#pragma once
#include <span>
#include <string_view>

#include "engine/design/project_file.hpp"

namespace nw {

/// The photos of a folder, as counted before any is decoded.
struct PhotoSet {
  std::int64_t images = 0;             // of the training folder, before a validation set is held out
  std::int64_t classes = 0;            // class folders
  std::int64_t height = 0, width = 0;  // pixels: the median over a sample of the photos; 0: unknown
};

/// A network that takes photos of any size.
struct RecipeNetwork {
  std::string_view name;  // "convnet", "resnet18"
  Text title;
  std::string_view small;  // template for images below 96 pixels
  std::string_view large;  // template for larger images
};
std::span<const RecipeNetwork> recipe_networks();
const RecipeNetwork* find_recipe_network(std::string_view name);  // nullptr: there is no such network

/// The sizes that are offered, in pixels; photos are resized to squares.
std::span<const std::int64_t> recipe_sizes();

struct Recipe {
  std::string_view network;  // of recipe_networks()
  std::int64_t size = 32;    // pixels
  bool operator==(const Recipe&) const = default;
};
/// The recipe with the best expected accuracy that trains in minutes: a small network on a processor, and a residual
/// network on a GPU if there are enough photos for it.
Recipe recommended_recipe(const PhotoSet&, bool gpu);

/// Augmentation besides crop and flip for this number of training images: the fewer, the more.
std::vector<Transform> recipe_transforms(std::int64_t images);

/// The settings for this number of training images: smaller sets get smaller batches, a learning rate proportional to
/// the batch (Goyal et al., "Accurate, Large Minibatch SGD", 2017), more epochs, and more augmentation.
TrainSettings recipe_settings(TrainSettings of_the_template, std::int64_t images);

/// A new project: the network with an input of the recipe's size and one output for each class, the settings, and
/// `data` resized to that size. It trains on `device`.
GraphDoc make_recipe(const Recipe&, DataChoice data, const PhotoSet&, const std::string& device = "cpu");

}  // namespace nw
