// SPDX-License-Identifier: Apache-2.0
// Loads the modules of photos and archives (OpenCV, libarchive and their many libraries) only in processes that decode,
// and only from the folder of the executable.
#include <dlfcn.h>

#include <cstdlib>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/archive.hpp"
#include "engine/data/sources/decoder.hpp"

namespace nw {
namespace {

/// The object that a module exports under a name; null if the module is missing or has another version.
template <class T>
const T* given_by_module(const fs::path& file, const char* entry_name) {
  using Entry = const T* (*)(int version);
  void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto entry = module ? reinterpret_cast<Entry>(::dlsym(module, entry_name)) : nullptr;
  return entry ? entry(image_module_version) : nullptr;
}

const ImageDecoder* decoder_in(const fs::path& file) {
  // OpenCV reads its own limit when it is loaded: no more pixels are allocated than the module checks (pixel_limit).
  ::setenv("OPENCV_IO_MAX_IMAGE_PIXELS", "67108864", 1);
  return given_by_module<ImageDecoder>(file, "netwright_image_decoder");
}

}  // namespace

Result<const ImageDecoder*> image_decoder() {
  static const fs::path file = program_folder() / "libnw_images.so";
  static const ImageDecoder* const decoder = decoder_in(file);
  if (decoder) return decoder;
  return fail(Errc::other,
              NW_TR("Photos cannot be read: {0} is missing or of another version; build with NETWRIGHT_IMAGES=ON"),
              file.string());
}

Result<const ArchiveReader*> archive_reader() {
  static const fs::path file = program_folder() / "libnw_archives.so";
  static const ArchiveReader* const reader = given_by_module<ArchiveReader>(file, "netwright_archive_reader");
  if (reader) return reader;
  return fail(Errc::other,
              NW_TR("Archives cannot be read: {0} is missing or of another version; unpack the archive into a folder"),
              file.string());
}

}  // namespace nw
