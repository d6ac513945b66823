// SPDX-License-Identifier: Apache-2.0
// Loads the image module (OpenCV and its many libraries) only in processes that decode, and only from the folder of the
// executable.
#include <dlfcn.h>

#include <cstdlib>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/archive.hpp"
#include "engine/data/sources/decoder.hpp"

namespace nw {
namespace {

fs::path module_file() { return program_folder() / "libnw_images.so"; }

/// The object that the module exports under a name; null if the module is missing or has another version.
template <class T>
const T* given_by_module(const char* entry_name) {
  using Entry = const T* (*)(int version);
  // OpenCV reads its own limit when it is loaded: no more pixels are allocated than the module checks (pixel_limit).
  static void* const module =
      (::setenv("OPENCV_IO_MAX_IMAGE_PIXELS", "67108864", 1), ::dlopen(module_file().c_str(), RTLD_NOW | RTLD_LOCAL));
  const auto entry = module ? reinterpret_cast<Entry>(::dlsym(module, entry_name)) : nullptr;
  return entry ? entry(image_module_version) : nullptr;
}

Error no_module() {
  return fail(Errc::other,
              NW_TR("Photos cannot be read: {0} is missing or of another version; build with NETWRIGHT_IMAGES=ON"),
              module_file().string());
}

}  // namespace

Result<const ImageDecoder*> image_decoder() {
  static const ImageDecoder* decoder = given_by_module<ImageDecoder>("netwright_image_decoder");
  if (!decoder) return no_module();
  return decoder;
}

Result<const ArchiveReader*> archive_reader() {
  static const ArchiveReader* reader = given_by_module<ArchiveReader>("netwright_archive_reader");
  if (!reader) return no_module();
  return reader;
}

}  // namespace nw
