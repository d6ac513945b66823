// SPDX-License-Identifier: Apache-2.0
// netwright-cli data list | get: public data sets.
#include <unistd.h>

#include <csignal>
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/data/fetch/download.hpp"

namespace nw::cli {
namespace {

struct DataGetOptions {
  std::string name, to;
  std::vector<std::string> mirrors;
  bool json = false;
};

volatile std::sig_atomic_t interrupt_requested = 0;
extern "C" void ask_to_stop(int signal) {
  interrupt_requested = 1;
  std::signal(signal, SIG_DFL);  // a second one ends the process
}

fs::path folder_of(const PublicSet& set, const std::string& to) { return to.empty() ? place_of(set) : fs::path(to); }

std::string size_text(const PublicSet& set) { return set.bytes() > 0 ? bytes_text(set.bytes()) : "not known"; }

Json json_of(const PublicSet& set) {
  const bool complete = is_complete(set, folder_of(set, {}));
  return {{"id", set.id},
          {"title", set.title},
          {"images", set.images},
          {"bytes", set.bytes()},
          {"licence", set.licence},
          {"licence_source", set.licence_source},
          {"verifiable", set.verifiable()},
          {"digest_source", set.digest_source},
          {"folder", folder_of(set, {}).string()},
          {"complete", complete},
          {"here", complete}};
}

int list(const DataGetOptions& o) {
  if (o.json) {
    for (const PublicSet& set : public_sets()) print(json_of(set).dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{"name", "to fetch", "here", "SHA-256", "licence"}};
  for (const PublicSet& set : public_sets())
    rows.push_back({set.id, size_text(set), is_complete(set, folder_of(set, {})) ? "yes" : "no",
                    set.verifiable() ? "published" : "not published", set.licence});
  print_lines(table(rows));
  return 0;
}

/// Shows the progress: on a terminal one line that is overwritten; with --json one JSON line per call.
bool show(const DownloadProgress& p, bool json) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (json)
    print(Json{{"type", "progress"},
               {"phase", name_of(p.phase)},
               {"file", p.file},
               {"host", p.host},
               {"done_bytes", p.done_bytes},
               {"total_bytes", p.total_bytes},
               {"bytes_per_s", p.bytes_per_s},
               {"remaining_s", p.left_s},
               {"left_s", p.left_s}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
  else if (terminal)
    std::fprintf(stderr, "\r\033[K%s %s  %s%s  %s", name_of(p.phase), p.file.c_str(), bytes_text(p.done_bytes).c_str(),
                 p.total_bytes > 0 ? (" of " + bytes_text(p.total_bytes)).c_str() : "",
                 p.left_s >= 0 ? (bytes_text(static_cast<std::int64_t>(p.bytes_per_s)) + "/s, " +
                                  duration_text(p.left_s) + " left")
                                     .c_str()
                               : "");
  return interrupt_requested == 0;
}

/// With --json an error is also a line, with template and arguments, so that the reader can translate it.
int ended(const Error& error, bool json) {
  if (json)
    print(Json{
        {"type", "error"}, {"code", exit_code(error.code)}, {"source", error.what.source}, {"args", error.what.args}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
  return report(error);
}

int get(const DataGetOptions& o) {
  const PublicSet* set = find_public_set(o.name);
  if (!set)
    return ended(
        fail(Errc::usage, NW_TR("no public data set is called \"{0}\"; netwright-cli data list shows them"), o.name),
        o.json);
  const auto client = http_client();
  if (!client) return ended(client.error(), o.json);
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  const DownloadRequest request{*set, folder_of(*set, o.to), o.mirrors,
                                [&](const DownloadProgress& p) { return show(p, o.json); }};
  const auto got = get_public_set(request, **client);
  if (!o.json && ::isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
  if (!got) return ended(got.error(), o.json);
  for (const Text& t : got->notes) note(t.str());
  if (o.json) {
    Json notes = Json::array();
    for (const Text& t : got->notes) notes.push_back({{"source", t.source}, {"args", t.args}});
    print(Json{{"type", "done"},
               {"folder", got->folder.string()},
               {"fetched_bytes", got->fetched_bytes},
               {"verified", got->verified},
               {"notes", notes}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
  } else {
    print(fmt::format("{} is in {}{}", set->title, got->folder.string(),
                      got->verified ? ", SHA-256 as published" : ", unverified"));
  }
  return 0;
}

}  // namespace

void add_data_get(CLI::App& data, Chosen& chosen) {
  auto o = std::make_shared<DataGetOptions>();
  auto* shown = data.add_subcommand("list", "List public data sets to download, with size and licence");
  shown->add_flag("--json", o->json, "Print JSON lines");
  shown->callback([=, &chosen] { chosen = [=] { return list(*o); }; });
  auto* fetched =
      data.add_subcommand("get", "Download a public data set; resumes an interrupted download and verifies checksums");
  fetched->add_option("NAME", o->name, "As in data list")->required();
  fetched->add_option("--to", o->to, "Folder for the files; default: a folder in the user's data folder");
  fetched->add_option("--mirror", o->mirrors, "Mirror to try first, as URL/NAME/file; can be repeated");
  fetched->add_flag("--json", o->json, "Print progress, result and errors as JSON lines");
  fetched->footer("Example: netwright-cli data get fashion-mnist\nhttp_proxy, https_proxy and no_proxy are respected.");
  fetched->callback([=, &chosen] { chosen = [=] { return get(*o); }; });
}

}  // namespace nw::cli
