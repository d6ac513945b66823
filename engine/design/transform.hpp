// SPDX-License-Identifier: Apache-2.0
// Random transforms of training images: an ordered list, each a row of one table. Names and parameters are
// torchvision's.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/image.hpp"

namespace nw {

/// One transform of the list: a row's name and the values of its parameters, in the row's order.
struct Transform {
  std::string type;
  std::vector<double> values;
  bool operator==(const Transform&) const = default;
};

/// The largest number of transforms in a list: each has its own key of random numbers.
inline constexpr std::size_t most_transforms = 16;

struct TransformField {
  const char* name;          // "degrees", as in files
  const char* label;         // displayed name, a translatable text
  double otherwise, lo, hi;  // default and range, both ends included
  double step;               // step of a control; if `whole`, only integers are valid
  bool whole = false;
};

class RandomStream;

/// An image that is being transformed. Colour transforms change only images with three channels.
struct TransformImage : Image {
  std::vector<std::uint8_t> scratch;  // working memory of transforms that cannot work in place
};

struct TransformType {
  const char* name;     // torchvision's class name
  const char* summary;  // one line of description, a translatable text
  std::span<const TransformField> fields;
  /// Changes the image. All random numbers come from the stream, so that a key gives the same image everywhere. Null:
  /// mixes the samples of a batch instead, see data/mixing.hpp.
  void (*apply)(TransformImage&, std::span<const double> values, RandomStream&);
};

std::span<const TransformType> all_transforms();
/// Null if there is no such row.
const TransformType* find_transform(std::string_view name);
/// The row's defaults.
Transform default_transform(const TransformType&);

/// Applies the list in order. Transform k of sample s in epoch e draws from the Philox key (seed, RandomOp::transform +
/// k, e, s): the same image with any number of threads and on any device. All rows must exist and have as many values
/// as fields.
void apply_transforms(std::span<const Transform>, std::uint64_t seed, std::int64_t epoch, std::int64_t sample,
                      TransformImage&);

}  // namespace nw
