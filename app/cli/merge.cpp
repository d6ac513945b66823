// SPDX-License-Identifier: Apache-2.0
// netwright-cli merge: a three-way merge of projects, as git's merge drivers are called (gitattributes(5)).
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/design/merge.hpp"
#include "engine/design/project_file.hpp"

namespace nw::cli {
namespace {

struct MergeOptions {
  std::string base, ours, theirs, output, resolved;
  bool json = false;
};

/// git gives an empty file for an ancestor that did not have the project.
Result<GraphDoc> load_version(const std::string& file) {
  NW_ASSIGN(const std::string bytes, read_file(file, JsonLimits{}.bytes));
  return bytes.empty() ? GraphDoc() : ProjectFile::parse(bytes, fs::path(file).filename().string());
}

std::vector<std::string> errors_of(const GraphDoc& doc) {
  std::vector<std::string> all;
  for (const Problem& p : analyse(doc, {}).problems)
    if (p.severity == Severity::error) all.push_back(p.node_name + ": " + p.what.str());
  return all;
}

/// Problems of a merged network that neither side has: the two changes do not fit together.
std::vector<std::string> new_errors(const GraphDoc& merged, const GraphDoc& ours, const GraphDoc& theirs) {
  if (!errors_of(ours).empty() || !errors_of(theirs).empty()) return {};
  return errors_of(merged);
}

Json json_of(const MergeConflict& c) {
  return {{"kind", name_of(c.kind)}, {"scope", c.scope}, {"what", c.what},     {"field", c.field},
          {"base", c.base},          {"ours", c.ours},   {"theirs", c.theirs}, {"text", sentence_of(c).str()}};
}

void print_merge(const Merge& m, const std::vector<std::string>& problems, const MergeOptions& o) {
  if (o.json) {
    Json conflicts = Json::array(), notes = Json::array();
    for (const MergeConflict& c : m.conflicts) conflicts.push_back(json_of(c));
    for (const Text& n : m.notes) notes.push_back(n.str());
    print(Json{{"schema", 1}, {"conflicts", conflicts}, {"problems", problems}, {"notes", notes}}.dump());
    return;
  }
  for (const Text& n : m.notes) print("note: " + n.str());
  for (const MergeConflict& c : m.conflicts) print("conflict: " + sentence_of(c).str());
  for (const std::string& p : problems) print("conflict: the changes do not fit together: " + p);
}

int merge_files(const MergeOptions& o) {
  const auto base = load_version(o.base);
  if (!base) return report(base.error());
  const auto ours = load_version(o.ours);
  if (!ours) return report(ours.error());
  const auto theirs = load_version(o.theirs);
  if (!theirs) return report(theirs.error());
  const auto merged = merge(*base, *ours, *theirs);
  if (!merged) return report(merged.error());
  const std::vector<std::string> problems = new_errors(merged->doc, *ours, *theirs);
  const std::string output = o.output.empty() ? o.ours : o.output;
  if (const Status saved = ProjectFile::save(merged->doc, output); !saved) return report(saved.error());
  print_merge(*merged, problems, o);
  return merged->conflicts.empty() && problems.empty() ? 0 : static_cast<int>(Errc::other);
}

int forget_conflicts(const std::string& file) {
  const auto doc = ProjectFile::load(file);
  if (!doc) return report(doc.error());
  const auto clean = without_conflicts(*doc);
  if (!clean) return report(clean.error());
  const Status saved = ProjectFile::save(*clean, file);
  return saved ? 0 : report(saved.error());
}

int run_merge(const MergeOptions& o) {
  if (!o.resolved.empty() && o.base.empty()) return forget_conflicts(o.resolved);
  if (!o.resolved.empty() || o.theirs.empty())
    return report(fail(Errc::usage, NW_TR("name three projects: BASE OURS THEIRS, or one with --resolved")));
  return merge_files(o);
}

}  // namespace

void add_merge(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("merge", "Merge the changes of two projects since their common ancestor");
  auto o = std::make_shared<MergeOptions>();
  command->add_option("BASE", o->base, "The common ancestor; an empty file: there is none");
  command->add_option("OURS", o->ours, "Our project, which stands where both changed the same thing");
  command->add_option("THEIRS", o->theirs, "The other project");
  command->add_option("-o,--output", o->output,
                      "Project file to write; default: the result replaces OURS, as git expects");
  command->add_option("--resolved", o->resolved, "Remove the record of conflicts from this project; merges nothing");
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli merge base.netwright ours.netwright theirs.netwright -o merged.netwright");
  command->callback([=, &chosen] { chosen = [o] { return run_merge(*o); }; });
}

}  // namespace nw::cli
