// SPDX-License-Identifier: Apache-2.0
// Loads the image module (OpenCV and its many libraries) only in a process that decodes, only from beside the executable.
#include <dlfcn.h>

#include "engine/data/dataset.hpp"

namespace nw {

Result<const ImageDecoder*> image_decoder() {
  using Entry = const ImageDecoder* (*)(int version);
  static const ImageDecoder* decoder = [] {
    void* module = ::dlopen((program_folder() / "libnw_images.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto entry = module ? reinterpret_cast<Entry>(::dlsym(module, "netwright_image_decoder")) : nullptr;
    return entry ? entry(image_module_version) : nullptr;
  }();
  if (!decoder)
    return fail(Errc::other, NW_TR("Photos cannot be read: {0} is missing or of another version; build with OpenCV (NETWRIGHT_OPENCV)"),
                (program_folder() / "libnw_images.so").string());
  return decoder;
}

}  // namespace nw
