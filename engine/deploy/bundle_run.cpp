// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/bundle_run.hpp"

#include "engine/deploy/bundle.hpp"
#include "engine/exchange/trained_network.hpp"
#include "engine/train/checkpoint.hpp"
#include "kernels/nested_text.hpp"

namespace nw::deploy {
namespace {

Status refuse_changed(const fs::path& bundle) {
  NW_ASSIGN(const CheckedBundle checked, check_bundle(bundle));
  if (checked.problems.empty()) return {};
  const BundleProblem& first = checked.problems.front();
  return fail(Errc::bad_input, NW_TR("{0} is not the bundle that was written. {1}: {2}"), bundle.string(), first.file,
              nested(first.what));
}

Result<std::vector<std::string>> classes_of(const fs::path& bundle) {
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 24;
  const fs::path file = bundle / "classes.json";
  NW_ASSIGN(const std::string text, read_file(file, max_bytes));
  NW_ASSIGN(const Json names, parse_json(text, file.string()));
  std::vector<std::string> classes;
  for (const Json& name : names) {
    if (!names.is_array() || !name.is_string())
      return fail(Errc::bad_input, NW_TR("{0} is no list of names"), file.string());
    classes.push_back(name.get<std::string>());
  }
  return classes;
}

std::string name_of_folder(const fs::path& bundle) {
  const fs::path whole = fs::absolute(bundle).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace

bool is_bundle(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(folder / bundle_proof_name, ignored));
}

Status run_of_bundle(const fs::path& bundle, const fs::path& to) {
  NW_TRY(refuse_changed(bundle));
  NW_ASSIGN(const exchange::TrainedNetwork trained, exchange::trained_onnx(bundle / "model.onnx", {}));
  const AdaptSource& s = trained.source;
  RunDefinition definition{.name = name_of_folder(bundle),
                           .doc = s.doc,
                           .mean = s.mean,
                           .deviation = s.deviation,
                           .channels = s.channels,
                           .height = s.height,
                           .width = s.width};
  definition.mean.resize(static_cast<std::size_t>(s.channels), 0);
  definition.deviation.resize(static_cast<std::size_t>(s.channels), 1);
  NW_ASSIGN(definition.classes, classes_of(bundle));
  NW_ASSIGN(auto weights, exchange::sources_of(trained.weights, trained.names));
  NW_TRY(write_run_definition(to, definition));
  NW_ASSIGN(const Saved saved, save_checkpoint(to, {}, std::move(weights), {}));
  return point_at_checkpoint(to, "best", saved.checkpoint);
}

}  // namespace nw::deploy
