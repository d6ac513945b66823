// SPDX-License-Identifier: Apache-2.0
// What training on GPUs needs, and which of it is on this computer: shown where there is no GPU, with what to do.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "kernels/library_search.hpp"

namespace nw {

/// One part that was searched for.
struct SearchedPart {
  std::string id;       // "driver", "nodes", "plugin", "cublas", "cudnn", "nccl"
  Text title;           // "NVIDIA driver"
  std::string sought;   // file: "libcuda.so.1"
  std::string place;    // the file that was found; empty: none
  std::string version;  // of a library or the driver: "9.14.0", "CUDA 13.0"; empty: unknown
  Text why;             // why what is there cannot be used; empty: it can, or nothing is there
  Text remedy;          // what to do if it was not found
  bool found() const { return !place.empty() && why.empty(); }
};

/// Where device_search() looks.
struct SearchPlaces {
  fs::path device_folder = "/dev";
  /// Nullopt: library_folders().
  std::optional<LibraryFolders> libraries;
};

/// The parts in the order in which they are needed. Opens libraries, so a window asks its command-line program instead:
/// reported_device_search().
std::vector<SearchedPart> device_search(const SearchPlaces& = {});
/// The result of `netwright-cli devices --json` beside this program; takes as long as that does, at most 20 s. Empty:
/// the program did not report.
std::vector<SearchedPart> reported_device_search();

/// A line of `devices --json`, and back; nullopt: the line is no searched part.
Json to_json(const SearchedPart&);
std::optional<SearchedPart> searched_part_in(const Json&);

}  // namespace nw
