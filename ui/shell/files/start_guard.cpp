// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/start_guard.hpp"

#include <algorithm>
#include <system_error>

namespace nw::ui {

namespace {
constexpr std::uint64_t most = 64;  // upper limit of the file, which has one dot per start
}

StartGuard::StartGuard(fs::path file) : file_(std::move(file)) {
  std::string starts;
  if (auto read = read_file(file_, most)) starts = *std::move(read);
  failed_ = static_cast<int>(std::count(starts.begin(), starts.end(), '.'));
  if (make_folder(file_.parent_path(), 0700))
    (void)static_cast<bool>(
        save_file(file_, std::string(std::min<std::size_t>(static_cast<std::size_t>(failed_), most / 2), '.') + '.'));
}

void StartGuard::startSucceeded() {
  std::error_code ignored;
  fs::remove(file_, ignored);
  failed_ = 0;
}

}  // namespace nw::ui
