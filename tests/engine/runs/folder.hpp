// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdlib.h>

#include "engine/core/files.hpp"

namespace nw {

/// A temporary folder; the destructor removes it.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "netwright-test-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace nw
