// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/bundle.hpp"

#include <fcntl.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine/core/digest.hpp"
#include "engine/core/discard.hpp"
#include "engine/core/existing.hpp"
#include "engine/core/version.hpp"
#include "engine/deploy/bundle_files.hpp"
#include "engine/deploy/bundle_texts.hpp"

namespace nw::deploy {
namespace {

constexpr std::int64_t onnx_images = 64, most_golden_samples = 16;

/// A folder beside the target, removed with all that it holds unless it was published.
class Stage {
 public:
  explicit Stage(const fs::path& target) {
    std::string name = (target.parent_path() / ("." + target.filename().string() + ".bundling-XXXXXX")).string();
    if (::mkdtemp(name.data())) path = name;
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { discard(path); }
  fs::path path;
};

/// Puts the finished folder in the target's place; what was there is in the stage then.
Status publish(const Stage& stage, const fs::path& target) {
  std::error_code error;
  fs::permissions(stage.path, fs::perms(0755), error);
  NW_TRY(sync_folder(stage.path));
  const bool exchange = fs::exists(fs::symlink_status(target, error));
  if (::renameat2(AT_FDCWD, stage.path.c_str(), AT_FDCWD, target.c_str(),
                  exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE) != 0)
    return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), target.string(), std::strerror(errno));
  return sync_folder(target.parent_path());
}

/// Only a whole bundle is replaced: other files in its folder would be lost.
Status check_target(const fs::path& target, bool replace) {
  std::error_code error;
  NW_TRY(refuse_existing(target, replace));
  if (!fs::exists(fs::symlink_status(target, error))) return {};
  const auto there = check_bundle(target);
  const bool whole = there && std::none_of(there->problems.begin(), there->problems.end(),
                                           [](const BundleProblem& p) { return p.what.str() == foreign_file().str(); });
  if (!whole)
    return fail(Errc::usage, NW_TR("{0} is no bundle, or holds other files: it is not replaced"), target.string());
  return {};
}

Result<Json> write_onnx(const BundleInputs& b, const fs::path& folder) {
  exchange::ProofInputs inputs = b.proof;
  inputs.images = b.proof.images == whole_test_part ? onnx_images : std::min(b.proof.images, onnx_images);
  NW_ASSIGN(const exchange::ProvedExport written, exchange::export_proved(b.source, {}, inputs, folder / "model.onnx"));
  inputs.images = most_golden_samples;
  NW_TRY(exchange::export_samples(b.source, {}, inputs, folder / "golden.safetensors"));
  NW_TRY(exchange::export_weights(b.source, folder / "model.safetensors"));
  return exchange::to_json(written.proof);
}

Result<Json> stamp(const Json& c, const Json& onnx, const fs::path& folder) {
  Json files = Json::object();
  NW_ASSIGN(const std::vector<std::string> names, bundle_files(folder));
  for (const std::string& name : names) {
    NW_ASSIGN(const FileDigests digests, digests_of_file(folder / name));
    files[name] = digests.sha256;
  }
  Json readers = c.at("readers");
  readers.insert(readers.end(), onnx.at("readers").begin(), onnx.at("readers").end());
  const auto number = [](const Json& j, const char* key) { return j.at(key).get<double>(); };
  return Json{{"type", "proof"},
              {"format", 1},
              {"program", "Netwright " + version()},
              {"max_abs_diff", std::max(number(c, "max_abs_diff"), number(onnx, "max_abs_diff"))},
              {"top1_agreement", std::min(number(c, "top1_agreement"), number(onnx, "top1_agreement"))},
              {"ms_per_image", c.at("readers").at(0).at("ms_per_image")},
              {"differences", c.at("readers").at(0).at("differences")},
              {"images", c.at("images")},
              {"images_from", c.at("images_from")},
              {"readers", readers},
              {"c", c},
              {"onnx", onnx},
              {"files", files}};
}

Result<Json> fill(const BundleInputs& b, const fs::path& folder) {
  NW_ASSIGN(const WrittenC c, export_c(b.source, b.c, b.proof, folder / "c"));
  if (c.proof.readers.empty())
    return fail(Errc::other,
                NW_TR("A bundle is proved by a C compiler, and there is none (cc, gcc, clang); CC names one"));
  NW_ASSIGN(const Json onnx, write_onnx(b, folder));
  NW_TRY(make_folder(folder / "examples"));
  for (const BundleText& t : bundle_texts()) NW_TRY(save_file(folder / t.name, t.text(b, c.library)));
  b.proof.begin("stamp");
  NW_ASSIGN(Json proof, stamp(exchange::to_json(c.proof), onnx, folder));
  NW_TRY(save_file(folder / bundle_proof_name, signed_text(proof)));
  for (const char* inside : {"c", "examples"}) NW_TRY(sync_folder(folder / inside));
  return proof;
}

}  // namespace

Result<Json> write_bundle(const BundleInputs& b, const fs::path& named) {
  std::error_code ignored;
  fs::path target = fs::absolute(named, ignored).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  NW_TRY(check_target(target, b.replace));
  const Stage stage(target);
  if (stage.path.empty())
    return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), target.string(), std::strerror(errno));
  NW_ASSIGN(Json proof, fill(b, stage.path));
  NW_TRY(publish(stage, target));
  return proof;
}

}  // namespace nw::deploy
