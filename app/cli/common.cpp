// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/core/text_json.hpp"
#include "engine/core/what_is_there.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/recognise.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/data_source.hpp"
#include "engine/design/precision.hpp"
#include "engine/design/project_file.hpp"
#include "engine/exchange/weight_table.hpp"
#include "kernels/printable.hpp"

namespace nw::cli {
namespace {

std::size_t characters(const std::string& s) {
  return static_cast<std::size_t>(
      std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

int write_line(const std::string& line) {
  errno = 0;
  return std::fprintf(stdout, "%s\n", line.c_str()) < 0 || std::fflush(stdout) != 0 ? errno : 0;
}

/// Ends the program if its output could not be written; a reader that has seen enough is no error.
void end_after(int error) {
  if (error == EPIPE) ::_exit(0);
  if (error != 0) ::_exit(report(fail(Errc::disk, NW_TR("the output cannot be written: {0}"), std::strerror(error))));
}

}  // namespace

/// The window sets NETWRIGHT_ERRORS=json for the commands that it starts: it shows the sentence in its own language.
int report(const Error& error) {
  if (const char* form = std::getenv("NETWRIGHT_ERRORS"); form && std::string_view(form) == "json")
    note(to_json(error.what).dump(-1, ' ', false, Json::error_handler_t::replace));
  else
    note("netwright-cli: " + error.str());
  return exit_code(error.code);
}

void note(const std::string& sentence) { std::fprintf(stderr, "%s\n", printable(sentence).c_str()); }

int try_print(const std::string& line) {
  const bool json = line.starts_with('{') || line.starts_with('[');
  return write_line(json ? printable_json(line) : printable(line));
}

void print(const std::string& line) { end_after(try_print(line)); }

void print_lines(const std::string& lines) { end_after(write_line(printable_lines(lines))); }

Json with_old_keys(Json json, std::initializer_list<RenamedKey> keys) {
  if (!json.is_structured()) return json;
  for (Json& child : json) child = with_old_keys(std::move(child), keys);
  for (const auto& [key, old] : keys)
    if (json.is_object() && json.contains(key)) json[std::string(old)] = json[std::string(key)];
  return json;
}

std::vector<std::string> all_precisions() {
  std::vector<std::string> all;
  for (const PrecisionName& p : precision_names) all.emplace_back(p.name);
  return all;
}

Result<GraphDoc> load_project(const std::string& file) {
  std::error_code ignored;
  const bool there = fs::exists(fs::symlink_status(file, ignored));
  if (const Template* named = find_template(file); named && !there) return new_project(*named);
  if (!there)
    return fail(Errc::bad_input,
                NW_TR("there is neither a file nor a template \"{0}\"; netwright-cli new --list shows the templates"),
                file);
  const fs::file_type type = fs::status(file, ignored).type();
  if (type == fs::file_type::regular || type == fs::file_type::none) return ProjectFile::load(file);
  return fail(Errc::bad_input, NW_TR("{0}; netwright-cli new --list shows the templates"), not_a_file(file).str());
}

Status check_place(const std::string& place) {
  std::error_code ignored;
  if (!fs::exists(place, ignored))
    return fail(Errc::bad_input, NW_TR("{0}; netwright-cli data list shows the public data sets"),
                not_a_file(place).str());
  return fs::is_directory(place, ignored) ? check_folder(place) : Status();
}

Status check_data_option(const GraphDoc& doc, const std::string& data) {
  if (data.empty()) return {};
  NW_TRY(check_place(data));
  if (choice_for(doc, data).kind != SourceKind::synthetic) return {};
  return fail(Errc::bad_input,
              NW_TR("{0} is no data set of a kind that is recognized; netwright-cli data inspect says what is missing"),
              data);
}

DataChoice choice_for(const GraphDoc& doc, const std::string& data) {
  DataChoice choice = doc.data();
  const auto kind = data.empty() ? std::nullopt : recognise(data, choice.kind);
  if (!kind || *kind == choice.kind || find_source(kind->name())->command_line.empty()) return choice;
  choice.kind = *kind;
  // these members belong to the previous kind
  choice.path = choice.labels_path = choice.test_path = choice.test_labels_path = choice.target_column = "";
  return choice;
}

DataFacts data_facts(const GraphDoc& doc, const std::string& data) {
  DataChoice choice = choice_for(doc, data);
  choice.synthetic_train = std::min<std::int64_t>(choice.synthetic_train, 200);
  choice.synthetic_test = std::min<std::int64_t>(choice.synthetic_test, 20);
  const auto opened = open_data(choice, data, data.empty());
  if (!opened) {
    note("checked without data: " + opened.error().str());
    return {};
  }
  const auto splits = split_data(*opened, choice);
  if (!splits) return {};
  DataFacts facts = facts_of(*opened, *splits, choice);
  if (!opened->place.empty()) return facts;
  const DataChoice whole = choice_for(doc, data);  // only some of the generated images were made
  facts.train = facts.train * whole.synthetic_train / choice.synthetic_train;
  facts.validation = facts.validation * whole.synthetic_train / choice.synthetic_train;
  facts.test = facts.test * whole.synthetic_test / choice.synthetic_test;
  return facts;
}

std::string project_name(const std::string& file) {
  const std::string stem = fs::path(file).stem().string();
  return stem.empty() ? "network" : stem;
}

Status refuse_foreign_weights(const std::string& file) {
  const auto kind = exchange::foreign_weights(file);
  if (!kind) return {};
  note("python3 convert.py IN OUT converts it; convert.py:");
  std::istringstream script{std::string(exchange::conversion_script(*kind))};
  for (std::string line; std::getline(script, line);) note("  " + line);
  return exchange::foreign_weights_error(*kind, file);
}

Result<exchange::ImportOptions> size_of_images(const std::string& text) {
  exchange::ImportOptions options;
  if (text.empty()) return options;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, options.width);
  const bool both = width.ec == std::errc() && width.ptr < end && *width.ptr == 'x';
  const auto height = both ? std::from_chars(width.ptr + 1, end, options.height) : width;
  if (!both || height.ec != std::errc() || height.ptr != end || options.width < 1 || options.height < 1)
    return fail(Errc::usage, NW_TR("\"{0}\" is no size; write it as 224x224"), text);
  return options;
}

std::string table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows)
    for (std::string& cell : row) cell = printable(cell);
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths.resize(std::max(widths.size(), c + 1));
      widths[c] = std::max(widths[c], characters(row[c]));
    }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - characters(row[c]), ' ');
      out += c == 0 ? row[c] + (row.size() > 1 ? blanks : "") : "  " + blanks + row[c];
    }
    out += '\n';
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::string with_thousands(std::int64_t n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

std::string percent(double share) { return fmt::format("{:.2f} %", share * 100); }

std::string duration_text(double seconds) {
  const auto s = static_cast<std::int64_t>(std::ceil(std::max(0.0, seconds)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

}  // namespace nw::cli
