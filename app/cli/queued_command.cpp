// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <system_error>

#include "app/cli/queue_commands.hpp"
#include "engine/design/start_from.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

/// A command that trains: its function and where its subject and the folder of its run stand.
struct TrainingCommand {
  const char* name;
  void (*add)(CLI::App&, Chosen&);
  bool of_run;             // its first argument is a run's folder, else a project
  const char* run_option;  // nullptr: the run is its first argument
};
constexpr TrainingCommand commands[] = {{"train", add_train, false, "--run-dir"},
                                        {"resume", add_resume, true, nullptr},
                                        {"branch", add_branch, true, "--run-dir"},
                                        {"sweep", add_sweep, false, "--dir"}};

Result<const TrainingCommand*> command_of(const std::vector<std::string>& words) {
  for (const TrainingCommand& c : commands)
    if (!words.empty() && words.front() == c.name) return &c;
  return fail(Errc::usage, NW_TR("a queue takes train, resume, branch and sweep with their options, such as: "
                                 "netwright-cli queue add train lenet5 --epochs 3"));
}

/// Whether the command takes these words; nothing is run.
Status check_words(const TrainingCommand& command, const std::vector<std::string>& words) {
  CLI::App app;
  Chosen unused;
  command.add(app, unused);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return {};
  } catch (const CLI::ParseError& e) { return fail(Errc::usage, NW_TR("{0}: {1}"), command.name, e.what()); }
}

/// The value of "--name value" or "--name=value". `take`: both words are removed.
std::optional<std::string> option_of(std::vector<std::string>& words, const std::string& name, bool take) {
  const auto it = std::find_if(words.begin(), words.end(),
                               [&](const std::string& w) { return w == name || w.starts_with(name + "="); });
  if (it == words.end()) return std::nullopt;
  const bool apart = *it == name;
  if (apart && it + 1 == words.end()) return std::nullopt;
  std::string value = apart ? *(it + 1) : it->substr(name.size() + 1);
  if (take) words.erase(it, it + (apart ? 2 : 1));
  return value;
}

std::string absolute(const std::string& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().string();
}

/// The devices that the subject itself names.
Result<std::vector<std::string>> own_devices(const TrainingCommand& c, const std::string& subject, QueuedCommand& q) {
  if (c.of_run) {
    NW_ASSIGN(const RunDefinition run, read_run_definition(subject));
    q.item.name = run.name;
    return run.doc.settings().devices;
  }
  NW_ASSIGN(GraphDoc doc, load_project(subject));
  q.item.name = project_name(subject);
  NW_ASSIGN(q.project, away_from(std::move(doc), fs::path(subject).parent_path()));
  return q.project->settings().devices;
}

}  // namespace

Result<QueuedCommand> queued_command(std::vector<std::string> words, const std::string& device) {
  NW_ASSIGN(const TrainingCommand* command, command_of(words));
  NW_TRY(check_words(*command, words));
  if (words.size() < 2 || words[1].starts_with('-'))
    return fail(Errc::usage, NW_TR("{0}: name {1} directly after the command"), command->name,
                command->of_run ? "the run's folder" : "the project");
  QueuedCommand queued;
  queue::Item& item = queued.item;
  item.command = command->name;
  item.folder = absolute(".");
  words.erase(words.begin());
  const auto inner = option_of(words, "--device", true);
  if (inner && !device.empty()) return fail(Errc::usage, NW_TR("--device is given twice"));
  if (command->run_option)
    if (const auto run = option_of(words, command->run_option, command->of_run || item.command == "train"))
      item.run = absolute(*run);
  NW_ASSIGN(const auto own, own_devices(*command, words.front(), queued));
  if (command->of_run) words.front() = absolute(words.front());
  if (!command->run_option) item.run = words.front();
  NW_ASSIGN(item.device, queue::device_rule(!device.empty() ? device : inner ? *inner : queue::to_text({own, 0})));
  item.arguments = std::move(words);
  return queued;
}

}  // namespace nw::cli
