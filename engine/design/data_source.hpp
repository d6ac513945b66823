// SPDX-License-Identifier: Apache-2.0
// A data source: one record in one file of engine/sources. The record determines project files, recognition, opening,
// the data panel, `--kind` of the command line and the displayed names.
#pragma once
#include <span>
#include <string_view>

#include "engine/core/files.hpp"
#include "engine/design/choice.hpp"
#include "engine/design/data_facts.hpp"
#include "kernels/result.hpp"

namespace nw {

struct SourceReading;  // engine/data/sources/sources.hpp

/// A member of DataChoice that a source uses: a row of the data panel. Sources with the same option share its record
/// (engine/data/sources/source_options.hpp) and its text. Texts are marked with NW_TR.
struct SourceOption {
  enum class Kind : std::uint8_t { folder, file, text, number, choice };
  struct Word {
    std::string_view word;  // as in files
    const char* title;
  };
  const char *id, *label, *help;
  Kind kind = Kind::text;
  const char* empty = "";                   // placeholder for an empty text or for the number 0
  std::string DataChoice::*text = nullptr;  // folder, file, text, choice
  std::int64_t DataChoice::*number = nullptr;
  double lo = 0, hi = 1, step = 1;               // number
  const char* unit = "";                         // number
  std::span<const Word> words = {};              // choice; an unknown word is shown as the first
  bool (*applies)(const DataChoice&) = nullptr;  // null: always
  bool (*shows)(const DataChoice&) = nullptr;    // false: the text belongs to another option; null: always true
};

struct DataSource {
  SourceKind kind;    // its name in files
  const char* title;  // in lists: "Image folder or archive"
  /// Names for `--kind` of `netwright-cli data`, separated by spaces. Empty: a path alone does not determine the data.
  std::string_view command_line = {};
  /// Position in lists, and the order in which recognition is tried: special formats before general ones.
  int order = 1000;
  std::span<const SourceOption> options = {};
  /// Generated, or found by its file names: needs no path, and has a test set of its own.
  bool built_in = false;
  bool classes_only = true;  // only classification, neither multi-label nor regression
  bool lists_files = false;  // a sample is a file, so its folder or name can define groups
  /// Whether such data is at `place`, judged by file names in and below it: a few dozen file-system calls, no file is
  /// read. Null: never.
  bool (*recognize)(const fs::path& place) = nullptr;
  /// What will be read for the choice. `data_dir` (--data) takes precedence over the choice's path; it may be empty. An
  /// error states what is missing and what to do.
  Result<SourceReading> (*read)(const DataChoice&, const fs::path& data_dir) = nullptr;
  /// A short name of the chosen data: "MNIST", "Synthetic digits". Null: the last component of its path.
  Text (*describe)(const DataChoice&) = nullptr;
  /// The usual properties of such data, before it is opened. Null: unknown.
  DataFacts (*usual)(const DataChoice&) = nullptr;
  /// Sets other paths once `path` is chosen. Null: there are none.
  void (*complete)(DataChoice&) = nullptr;
};

/// All records; CMake generates the list from the file names: engine/sources/x.cpp defines `const DataSource x_source`.
std::span<const DataSource* const> registered_sources();
/// All records, sorted by `order`, then by name.
std::span<const DataSource* const> all_sources();
const DataSource* find_source(std::string_view name);  // nullptr: no such source
const SourceOption* find_option(const DataSource&, std::string_view id);

}  // namespace nw
