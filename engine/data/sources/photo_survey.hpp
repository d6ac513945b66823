// SPDX-License-Identifier: Apache-2.0
// Counts the photos of an image folder before they are read: number, classes and usual size.
#pragma once
#include <optional>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/design/recipe.hpp"

namespace nw {

/// Photos and classes of the training folder (`folder`, or "train" in it), by the rules of open_image_folder(). A few
/// photos are decoded, to determine the usual size; no more than `most_survey_files` files are counted.
/// Errc::bad_input: no class folders, or no image in them.
Result<PhotoSet> survey_photos(const fs::path& folder);
/// The folder with class folders that was probably meant: `folder` itself, a folder in it, or the one above it.
/// nullopt: there is none. A few dozen file-system calls.
std::optional<fs::path> folder_of_classes(const fs::path& folder);
/// At most `most` image files, as many of each class, by the rules of survey_photos(); in the order of the file system.
std::vector<fs::path> some_photos(const fs::path& folder, std::size_t most);
inline constexpr std::int64_t most_survey_files = 2'000'000;

}  // namespace nw
