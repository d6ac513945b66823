// SPDX-License-Identifier: Apache-2.0
// Functions shared by the commands of netwright-cli. Results go to stdout, everything else to stderr; no command is
// interactive.
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
#include "engine/exchange/import_options.hpp"
#include "engine/train/trainer.hpp"

namespace nw::cli {

/// The chosen command, run after all arguments have been checked. Returns the exit code.
using Chosen = std::function<int()>;

// Each function is in a separate file, adds its subcommand, and sets `chosen` if the subcommand is used.
void add_new(CLI::App&, Chosen&);
void add_adapt(CLI::App&, Chosen&);
void add_compress(CLI::App&, Chosen&);
void add_sensitivity(CLI::App&, Chosen&);
void add_changed_predictions(CLI::App&, Chosen&);
void add_check(CLI::App&, Chosen&);
void add_estimate(CLI::App&, Chosen&);
void add_plan(CLI::App&, Chosen&);
void add_diff(CLI::App&, Chosen&);
void add_merge(CLI::App&, Chosen&);
void add_train(CLI::App&, Chosen&);
void add_resume(CLI::App&, Chosen&);
void add_sweep(CLI::App&, Chosen&);
void add_queue(CLI::App&, Chosen&);
void add_branch(CLI::App&, Chosen&);
void add_control(CLI::App&, Chosen&);
void add_lr_find(CLI::App&, Chosen&);
void add_memorise(CLI::App&, Chosen&);
void add_doctor(CLI::App&, Chosen&);
void add_evaluate(CLI::App&, Chosen&);
void add_predict(CLI::App&, Chosen&);
void add_watch(CLI::App&, Chosen&);
void add_serve(CLI::App&, Chosen&);
void add_about(CLI::App&, Chosen&);
void add_examples(CLI::App&, Chosen&);
void add_devices(CLI::App&, Chosen&);
void add_records(CLI::App&, Chosen&);
void add_data(CLI::App&, Chosen&);
void add_suspects(CLI::App& data, Chosen&);  // below "data"
void add_data_get(CLI::App& data, Chosen&);  // below data
void add_bench(CLI::App&, Chosen&);
void add_infer_bench(CLI::App&, Chosen&);
void add_infer_server(CLI::App&, Chosen&);
void add_decode_pictures(CLI::App&, Chosen&);
void add_compare_devices(CLI::App&, Chosen&);
void add_submit(CLI::App&, Chosen&);
void add_jobs(CLI::App&, Chosen&);
void add_runs(CLI::App&, Chosen&);
void add_export(CLI::App&, Chosen&);
void add_import(CLI::App&, Chosen&);
void add_verify(CLI::App&, Chosen&);

/// Prints "netwright-cli: message" to stderr and returns the exit code of the error's Errc (docs/architecture.md).
int report(const Error&);
void note(const std::string& sentence);
/// Prints one line to stdout; names from files cannot end it or command the terminal. If the reader has closed the
/// pipe, the program ends silently; after any other error it ends with a message.
void print(const std::string& line);
/// The same for the lines of a table.
void print_lines(const std::string& lines);
/// For `--json`: adds, beside each of these keys at any depth, its value under the key that earlier versions printed.
/// For scripts, until version 0.2.
struct RenamedKey {
  std::string_view key, old;
};
Json with_old_keys(Json json, std::initializer_list<RenamedKey> keys);
/// Prints to stdout without ending the program. Returns 0, or the errno if the line could not be written.
int try_print(const std::string& line);

/// The names that --precision takes.
std::vector<std::string> all_precisions();
/// Loads a project file, or a template by name ("lenet5") if no such file exists. Errc::bad_input: there is neither;
/// the message contains the name.
Result<GraphDoc> load_project(const std::string& file);
/// Errc::bad_input: nothing is at `place`, where a data set should be, or a folder that cannot be read.
Status check_place(const std::string& place);
/// The same for --data; also if a project of synthetic data would ignore it, since no kind of data is recognised there.
Status check_data_option(const GraphDoc&, const std::string& data);
/// The project's data choice; its kind is that of the data at `data` (--data) if it is recognised.
DataChoice choice_for(const GraphDoc&, const std::string& data);
/// The known properties of the project's data. Only the sizes of synthetic digits are needed here, so few are
/// generated; a data set that cannot be opened is reported and ignored.
DataFacts data_facts(const GraphDoc&, const std::string& data_dir);
/// The project's name: "lenet5" for "/home/me/lenet5.netwright".
std::string project_name(const std::string& file);

/// Errc::bad_input, after a script that converts the file was printed: `file` belongs to a program whose files of
/// weights run code when they are opened.
Status refuse_foreign_weights(const std::string& file);

/// "224x200": width and height of the images of an ONNX file; empty: as the file says. Errc::usage: it is no size.
Result<exchange::ImportOptions> size_of_images(const std::string& text);

/// Formats a table: first column left-aligned, the others right-aligned; widths in characters, not bytes.
std::string table(std::vector<std::vector<std::string>> rows);
std::string with_thousands(std::int64_t);    // "60 000"
std::string bytes_text(std::int64_t bytes);  // "1.4 MiB"
std::string percent(double share);           // "98.93 %"
std::string duration_text(double seconds);   // "2 min 5 s"

/// Output options. `run`: the run's name, printed once the run has started.
struct TrainOutput {
  bool json = false, quiet = false;
  bool silent = false;  // neither events nor results: another process prints them
  std::string run;
};
/// Trains or resumes with signals, progress and results on the console. `own_folder`: the run's folder was made for
/// this call and is removed if the run cannot start (for example, if the data is unreadable).
int run_training(TrainRequest, const TrainOutput&, bool own_folder);
/// Of several processes the first alone has a folder and prints.
void follow_first_process(TrainRequest&, TrainOutput&);

/// Adds --stop-after N to `train` and `resume`.
void add_stop_after(CLI::App& command, std::int64_t& epoch);

struct ProfileOptions {
  std::string net;  // its name in the lines of JSON
  double seconds = 3;
  bool json = false;
};
/// Prints the time of each kernel of one training step: the minimum over `seconds` of steps on noise. Returns the exit
/// code.
int profile_step(const GraphDoc&, const ResolvedDevice&, const ProfileOptions&);

}  // namespace nw::cli
