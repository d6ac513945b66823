// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/plan_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace nw::cuda {
namespace {

constexpr std::uintmax_t max_bytes = 1 << 20;

std::string hash_of(const std::string& text) {
  std::uint64_t h = 0xCBF29CE484222325u;  // FNV-1a
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  std::ostringstream hex;
  hex << std::hex << h;
  return hex.str();
}

/// Writes a new file beside `path`; returns its name, or nothing if that failed. Several devices of one process may
/// store the same plan at the same time.
std::string write_beside(const std::string& path, const std::string& bytes) {
  std::string name = path + ".XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return {};
  const bool written = ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (::close(fd) == 0 && written) return name;
  ::unlink(name.c_str());
  return {};
}

}  // namespace

std::string plan_cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/netwright/plans";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/netwright/plans";
  return {};
}

std::string PlanCache::path_of(const std::string& graph) const {
  return folder_ + "/" + hash_of(machine_ + "\n" + graph) + ".plan";
}
std::string PlanCache::head_of(const std::string& graph, const std::string& plan) const {
  return "netwright cudnn plan 1\n" + machine_ + "\n" + graph + "\n" + hash_of(plan) + "\n";
}

std::optional<std::string> PlanCache::find(const std::string& graph) {
  if (folder_.empty()) return std::nullopt;
  std::error_code error;
  const std::string path = path_of(graph);
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  std::ostringstream all;
  if (bytes <= max_bytes) all << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string text = all.str(), expected = head_of(graph, {});
  const std::size_t head = expected.size() - hash_of({}).size() - 1;  // length up to the hash of the following text
  const std::size_t body = text.size() > head ? text.find('\n', head) : std::string::npos;
  if (body != std::string::npos && text.starts_with(head_of(graph, text.substr(body + 1))))
    return text.substr(body + 1);
  ++damaged_;
  return std::nullopt;
}

void PlanCache::keep(const std::string& graph, const std::string& plan) const {
  if (folder_.empty() || plan.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return;
  const std::string path = path_of(graph);
  const std::string hidden = write_beside(path, head_of(graph, plan) + plan);
  if (hidden.empty()) return;
  std::filesystem::rename(hidden, path, error);
  if (error) std::filesystem::remove(hidden, error);
}

}  // namespace nw::cuda
