// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "engine/core/digest.hpp"
#include "engine/core/newer_format.hpp"
#include "engine/deploy/bundle.hpp"
#include "engine/deploy/bundle_files.hpp"

namespace nw::deploy {
namespace {

constexpr std::uint64_t largest_proof = std::uint64_t{1} << 20;

/// "c/nw_model.h": one or two parts, none of them special.
bool is_plain_name(const std::string& name) {
  const fs::path path(name);
  const auto parts = std::distance(path.begin(), path.end());
  return !name.empty() && path.is_relative() && path.lexically_normal().generic_string() == name && parts <= 2 &&
         *path.begin() != ".." && *path.begin() != ".";
}

Status list(const fs::path& folder, const std::string& prefix, std::vector<std::string>& names) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = prefix + at->path().filename().string();
    const fs::file_status status = at->symlink_status(error);
    if (fs::is_directory(status) && prefix.empty()) {
      NW_TRY(list(at->path(), name + "/", names));
      continue;
    }
    if (!fs::is_regular_file(status))
      return fail(Errc::bad_input, NW_TR("{0} is no plain file; a bundle holds nothing else"), name);
    if (name != bundle_proof_name) names.push_back(name);
    if (names.size() > most_bundle_files) return fail(Errc::bad_input, NW_TR("A bundle has fewer files"));
  }
  return error ? Status(fail(Errc::bad_input, NW_TR("{0} cannot be read: {1}"), folder.string(), error.message()))
               : Status();
}

Result<Json> read_proof(const fs::path& folder, CheckedBundle& checked) {
  std::error_code error;
  const fs::path file = folder / bundle_proof_name;
  if (!fs::is_regular_file(fs::symlink_status(file, error)))
    return fail(Errc::bad_input, NW_TR("{0} is no bundle: it has no {1}"), folder.string(), bundle_proof_name);
  NW_ASSIGN(const std::string text, read_file(file, largest_proof));
  checked.sha256 = sha256_of(text);
  NW_ASSIGN(Json proof, parse_json(text, file.string()));
  const bool fits =
      proof.is_object() && proof.contains("files") && proof["files"].is_object() &&
      std::all_of(proof["files"].begin(), proof["files"].end(), [](const Json& j) { return j.is_string(); });
  if (proof.is_object()) {
    JsonReader r(proof, file.string());
    if (const std::int64_t format = r.integer_or("format", 1, 1, std::int64_t{1} << 31); format > 1)
      return newer_format(proof, file.string(), format, 1);
    NW_TRY(r.status());
  }
  if (!fits) return fail(Errc::bad_input, NW_TR("{0} names no files with their SHA-256"), file.string());
  if (signed_text(proof) != text)
    checked.problems.push_back(
        {bundle_proof_name, nw::text(NW_TR("it was changed: its SHA-256 is {0}"), checked.sha256)});
  return proof;
}

/// The ONNX file still computes the golden samples.
void compute_golden(const fs::path& folder, CheckedBundle& checked) {
  const auto samples = exchange::load_samples(folder / "golden.safetensors");
  if (!samples) return void(checked.problems.push_back({"golden.safetensors", samples.error().what}));
  const auto again = exchange::read_again(folder / "model.onnx", *samples);
  if (!again) return void(checked.problems.push_back({"model.onnx", again.error().what}));
  double largest = 1e-3;
  for (const float s : samples->scores) largest = std::max(largest, static_cast<double>(std::abs(s)));
  checked.max_abs_diff = again->max_abs_diff;
  if (!(again->max_abs_diff <= c_tolerance * largest))
    checked.problems.push_back(
        {"model.onnx",
         text(NW_TR("it computes other numbers for the golden samples, by up to {0}"), again->max_abs_diff)});
}

}  // namespace

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.update(std::as_bytes(std::span(bytes)));
  return digest.hex();
}

std::string signed_text(Json proof) {
  const auto text_of = [&proof] { return proof.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; };
  proof.erase("sha256");
  proof["sha256"] = sha256_of(text_of());
  return text_of();
}

Text foreign_file() { return text(NW_TR("it does not belong to the bundle")); }

Result<std::vector<std::string>> bundle_files(const fs::path& folder) {
  std::vector<std::string> names;
  NW_TRY(list(folder, "", names));
  std::sort(names.begin(), names.end());
  return names;
}

Result<CheckedBundle> check_bundle(const fs::path& folder) {
  CheckedBundle checked;
  NW_ASSIGN(checked.proof, read_proof(folder, checked));
  NW_ASSIGN(const std::vector<std::string> there, bundle_files(folder));
  const Json& files = checked.proof["files"];
  for (const std::string& name : there)
    if (!files.contains(name)) checked.problems.push_back({name, foreign_file()});
  for (const auto& [name, sha256] : files.items()) {
    if (!is_plain_name(name) || !std::binary_search(there.begin(), there.end(), name)) {
      checked.problems.push_back({name, text(NW_TR("it is missing"))});
      continue;
    }
    NW_ASSIGN(const FileDigests digests, digests_of_file(folder / name));
    ++checked.files;
    if (digests.sha256 != sha256.get<std::string>())
      checked.problems.push_back({name, text(NW_TR("it was changed: its SHA-256 is {0}"), digests.sha256)});
  }
  if (checked.problems.empty()) compute_golden(folder, checked);
  return checked;
}

}  // namespace nw::deploy
