// SPDX-License-Identifier: Apache-2.0
// Small pictures of shapes that stand for photos: one folder for each class.
#pragma once
#include <initializer_list>

#include "engine/core/files.hpp"

namespace nw {

enum class PhotoShape { circle, square, cross, triangle, ring };

/// `count` PNG files of 48×36 pixels in `folder`/NAME for each shape: the shape in one colour on another, at random
/// places, with noise. The same files each time.
Status write_shape_photos(const fs::path& folder, std::initializer_list<PhotoShape> shapes, int count);

}  // namespace nw
