// SPDX-License-Identifier: Apache-2.0
// The commands below `netwright-cli queue`.
#pragma once
#include "app/cli/cli.hpp"
#include "engine/queue/journal.hpp"

namespace nw::cli {

/// Adds --queue DIR: another queue than the user's.
void add_queue_option(CLI::App& command, std::string& folder);
/// The folder that --queue names, or the user's queue.
fs::path queue_folder_of(const std::string& option);

void add_queue_add(CLI::App& queue, Chosen&);
void add_queue_list(CLI::App& queue, Chosen&);
void add_queue_changes(CLI::App& queue, Chosen&);  // move, pause, continue, remove
void add_queue_start(CLI::App& queue, Chosen&);
void add_queue_autostart(CLI::App& queue, Chosen&);

/// Starts the queue's process in a session of its own, if none is there.
Status start_queue_process(const fs::path& folder);

/// What a queue is asked to train: the words after `queue add`, taken apart.
struct QueuedCommand {
  queue::Item item;
  std::optional<GraphDoc> project;  // kept beside the journal, so that later changes of its file do not matter
};
/// Errc::usage: the words are no command that trains; Errc::bad_input: what they name cannot be read. `device`: the
/// queue's own option, or empty.
Result<QueuedCommand> queued_command(std::vector<std::string> words, const std::string& device);

}  // namespace nw::cli
