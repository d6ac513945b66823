// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/device_search.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "engine/backend/command_line.hpp"
#include "engine/backend/plugin.hpp"
#include "engine/core/text_json.hpp"

namespace nw {
namespace {

/// What is known of each part without a search.
std::vector<SearchedPart> parts() {
  return {
      {.id = "driver",
       .title = text(NW_TR("NVIDIA driver")),
       .sought = "libcuda.so.1",
       .remedy = text(NW_TR("Install the driver of your GPU, version 580 or later: on Debian and Ubuntu the package "
                            "nvidia-driver, or from nvidia.com/drivers."))},
      {.id = "nodes",
       .title = text(NW_TR("GPU")),
       .sought = "/dev/nvidia0",
       .remedy = text(NW_TR("Check that the card is seated and that this user may open /dev/nvidia0; in a container, "
                            "start it with the GPUs (docker run --gpus all)."))},
      {.id = "plugin",
       .title = text(NW_TR("Netwright's plug-in for GPUs")),
       .sought = "libnw_cuda.so",
       .remedy = text(NW_TR("Install NVIDIA's CUDA toolkit 13.0 (nvcc) and build Netwright again."))},
      {.id = "cublas",
       .title = text(NW_TR("CUDA libraries")),
       .sought = "libcublasLt.so.13",
       .remedy = text(NW_TR("Install the package libcublas-13-0 of the CUDA toolkit; without it linear layers are "
                            "slower."))},
      {.id = "cudnn",
       .title = text(NW_TR("cuDNN")),
       .sought = "libcudnn.so.9",
       .remedy = text(NW_TR("Install NVIDIA's package cudnn9-cuda-13; without it convolutions are much slower."))},
      {.id = "nccl",
       .title = text(NW_TR("NCCL")),
       .sought = "libnccl.so.2",
       .remedy =
           text(NW_TR("Only several GPUs need it: install the package libnccl2; without it they exchange gradients "
                      "more slowly."))},
  };
}

/// The function that tells a library's version; cuDNN's and cuBLASLt's return it, the others write it to a pointer.
struct VersionFunction {
  const char *part, *name;
  bool by_pointer;
};
constexpr VersionFunction version_functions[] = {{"driver", "cuDriverGetVersion", true},
                                                 {"cublas", "cublasLtGetVersion", false},
                                                 {"cudnn", "cudnnGetVersion", false},
                                                 {"nccl", "ncclGetVersion", true}};

constexpr long long least_cuda = 13000;  // of the driver

/// "CUDA 13.0" of 13000, or "9.14.0" of 91400.
std::string version_text(const std::string& part, long long number) {
  if (part != "driver") return library_version_text(number);
  return "CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

void search_library(SearchedPart& part, const LibraryFolders& folders) {
  const OpenedLibrary library = open_library({part.sought}, folders);
  part.place = library.file;
  part.why = library.why;
  if (!library.handle) return;
  for (const VersionFunction& f : version_functions) {
    if (part.id != f.part) continue;
    if (const long long number = library_version(library.handle, f.name, f.by_pointer)) {
      part.version = version_text(part.id, number);
      if (part.id == "driver" && number < least_cuda)
        part.why = text(NW_TR("it supports {0}, and {1} is needed"), part.version, version_text(part.id, least_cuda));
    } else
      part.why = text(NW_TR("it has no {0}: it is too old, or another library"), f.name);
  }
}

bool is_gpu_node(const std::string& name) {
  if (name == "dxg") return true;  // Windows Subsystem for Linux
  constexpr std::string_view stem = "nvidia";
  return name.size() > stem.size() && name.starts_with(stem) &&
         std::all_of(name.begin() + stem.size(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

void search_nodes(SearchedPart& part, const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> nodes;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (is_gpu_node(it->path().filename().string())) nodes.push_back(it->path().string());
  std::sort(nodes.begin(), nodes.end());
  for (const std::string& node : nodes) {
    part.place += (part.place.empty() ? "" : ", ") + node;
    if (::access(node.c_str(), R_OK | W_OK) != 0) part.why = text(NW_TR("{0}: this user may not open it"), node);
  }
}

void search_plugin(SearchedPart& part) {
  const fs::path file = program_folder() / part.sought;
  const auto opened = backend_plugin("cuda");
  std::error_code ignored;
  part.sought = file.string();
  if (fs::exists(file, ignored)) part.place = file.string();
  if (!opened && !part.place.empty()) part.why = opened.error().what;
}

}  // namespace

std::vector<SearchedPart> device_search(const SearchPlaces& places) {
  std::vector<SearchedPart> all = parts();
  const LibraryFolders folders = places.libraries ? *places.libraries : library_folders();
  for (SearchedPart& part : all) {
    if (part.id == "nodes")
      search_nodes(part, places.device_folder);
    else if (part.id == "plugin")
      search_plugin(part);
    else
      search_library(part, folders);
  }
  return all;
}

Json to_json(const SearchedPart& p) {
  return {{"search", p.id},         {"title", p.title.str()}, {"sought", p.sought},
          {"found", p.found()},     {"place", p.place},       {"version", p.version},
          {"why_not", p.why.str()}, {"why", to_json(p.why)},  {"remedy", p.found() ? "" : p.remedy.str()}};
}

std::optional<SearchedPart> searched_part_in(const Json& line) {
  if (!line.is_object()) return std::nullopt;
  JsonReader reader(line, "devices");
  const std::string id = reader.string_or("search", "");
  for (SearchedPart& part : parts()) {
    if (part.id != id) continue;
    part.sought = reader.string_or("sought", part.sought);
    part.place = reader.string_or("place", "");
    part.version = reader.string_or("version", "");
    if (reader.has("why")) part.why = text_in(*reader.child("why", Json::value_t::object));
    return reader.status() ? std::optional(part) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<SearchedPart> reported_device_search() {
  std::vector<SearchedPart> all;
  for (const Json& line : lines_of_command_line({"devices", "--json"}))
    if (auto part = searched_part_in(line)) all.push_back(*std::move(part));
  return all;
}

}  // namespace nw
