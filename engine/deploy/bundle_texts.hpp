// SPDX-License-Identifier: Apache-2.0
// The files of a bundle that people read, build and run. Private to engine/deploy.
#pragma once
#include <span>
#include <string>

#include "engine/deploy/bundle.hpp"

namespace nw::deploy {

struct BundleText {
  const char* name;  // "examples/example.c"
  std::string (*text)(const BundleInputs&, const CLibrary&);
};
std::span<const BundleText> bundle_texts();

}  // namespace nw::deploy
