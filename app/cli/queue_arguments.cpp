// SPDX-License-Identifier: Apache-2.0
#include <system_error>

#include "app/cli/queue_process.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

/// Whether the item's command makes a run of its own, which `resume` continues.
bool makes_run(const queue::Item& item) { return item.command == "train" || item.command == "branch"; }

/// A folder in which training had begun, without a checkpoint: nothing is lost.
void clear_begun(const queue::Item& item) {
  std::error_code ignored;
  if (!fs::exists(fs::path(item.run) / "run.json", ignored)) return;
  fs::remove_all(item.run, ignored);
  (void)make_folder(item.run, 0700);
}

}  // namespace

Result<std::vector<std::string>> arguments_of(queue::Item& item, const std::vector<std::string>& devices) {
  const bool again = item.began > 0;
  if (item.run.empty() && makes_run(item)) {
    NW_ASSIGN(const fs::path run, reserve_run_folder(runs_folder(), item.name));
    item.run = run.string();
  }
  const auto before = again && item.command != "sweep" ? summarize_run(item.run) : fail(Errc::other, "");
  if (before && before->status == RunStatus::finished) return std::vector<std::string>();
  std::vector<std::string> words = {item.command};
  words.insert(words.end(), item.arguments.begin(), item.arguments.end());
  if (makes_run(item)) words.insert(words.end(), {"--run-dir", item.run});
  if (makes_run(item) && before && before->can_train_further)
    words = {"resume", item.run};
  else if (again && makes_run(item))
    clear_begun(item);
  words.insert(words.end(), {"--device", queue::to_text({devices, 0}), "--quiet"});
  return words;
}

}  // namespace nw::cli
