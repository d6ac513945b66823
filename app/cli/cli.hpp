// SPDX-License-Identifier: Apache-2.0
// What the commands of netwright-cli share. Results go to stdout, everything else to stderr; nothing ever asks a
// question.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "engine/design/graph_doc.hpp"
#include "engine/train/trainer.hpp"

namespace nw::cli {

/// The command that was chosen, to be run once all arguments are known to be good. Returns the exit code.
using Chosen = std::function<int()>;

// One file each; every one adds its subcommand and sets `chosen` when that is used.
void add_new(CLI::App&, Chosen&);
void add_check(CLI::App&, Chosen&);
void add_estimate(CLI::App&, Chosen&);
void add_diff(CLI::App&, Chosen&);
void add_train(CLI::App&, Chosen&);
void add_resume(CLI::App&, Chosen&);
void add_control(CLI::App&, Chosen&);
void add_evaluate(CLI::App&, Chosen&);
void add_predict(CLI::App&, Chosen&);
void add_watch(CLI::App&, Chosen&);
void add_serve(CLI::App&, Chosen&);
void add_devices(CLI::App&, Chosen&);
void add_data(CLI::App&, Chosen&);
void add_suspects(CLI::App& data, Chosen&);  // below "data"
void add_data_get(CLI::App& data, Chosen&);  // below data
void add_bench(CLI::App&, Chosen&);
void add_infer_bench(CLI::App&, Chosen&);
void add_compare_devices(CLI::App&, Chosen&);
void add_runs(CLI::App&, Chosen&);

/// "netwright-cli: sentence" on stderr; the exit code of its Errc (docs/architecture.md).
int report(const Error&);
void note(const std::string& sentence);
/// To stdout; a reader that went away ends the program quietly, anything else ends it with a sentence.
void print(const std::string& line);
/// For `--json`: `json` and, beside each of these keys at any depth, the value once more under the key that versions
/// before the glossary printed. For scripts, until version 0.2.
struct RenamedKey {
  std::string_view key, old;
};
Json with_old_keys(Json json, std::initializer_list<RenamedKey> keys);
/// The same without ending anything: 0, or why the line is lost (errno).
int try_print(const std::string& line);

/// A project file, or a template by name ("lenet5") where no such file exists; Errc::bad_input says what there is
/// neither of.
Result<GraphDoc> load_project(const std::string& file);
/// The project's data choice, of the kind that lies at `data` (--data) where that is known.
DataChoice choice_for(const GraphDoc&, const std::string& data);
/// What is known about the project's data. Of synthetic digits only the sizes matter here, so few are made; a data set
/// that cannot be opened is said and left out.
DataFacts data_facts(const GraphDoc&, const std::string& data_dir);
/// "lenet5" of "/home/me/lenet5.netwright".
std::string project_name(const std::string& file);

/// Left-aligned first column, the others right-aligned; counts characters, not bytes.
std::string table(const std::vector<std::vector<std::string>>& rows);
std::string with_thousands(std::int64_t);    // "60 000"
std::string bytes_text(std::int64_t bytes);  // "1.4 MiB"
std::string percent(double share);           // "98.93 %"
std::string duration_text(double seconds);   // "2 min 5 s"

/// `run`: to be named once the run has started.
struct TrainOutput {
  bool json = false, quiet = false;
  std::string run;
};
/// Trains or resumes with signals, progress and results on the console. `own_folder`: the run's folder was made for
/// this call and is taken away again when the run could not even begin (data that cannot be read, say).
int run_training(TrainRequest, const TrainOutput&, bool own_folder);

/// Prints the time of each kernel of one training step: the least of `seconds` of steps on noise. Returns the exit
/// code.
int profile_step(const GraphDoc&, std::int64_t batch, const ResolvedDevice&, double seconds);

}  // namespace nw::cli
