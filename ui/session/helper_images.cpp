// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/helper_images.hpp"

namespace nw::ui {

Result<std::vector<QImage>> images_from(const std::vector<std::uint8_t>& payload, std::size_t count, int height,
                                        int width) {
  const std::size_t each = static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * 4;
  if (height <= 0 || width <= 0 || payload.size() < each * count)
    return fail(Errc::bad_input, NW_TR("The helper sent {0} bytes instead of {1} for {2} images."), payload.size(),
                each * count, count);
  std::vector<QImage> images;
  images.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    images.push_back(QImage(payload.data() + i * each, width, height, width * 4, QImage::Format_RGBA8888).copy());
  return images;
}

}  // namespace nw::ui
