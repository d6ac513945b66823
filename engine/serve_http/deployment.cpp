// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/deployment.hpp"

#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "engine/core/discard.hpp"
#include "engine/predict/batch_network.hpp"
#include "engine/serve_http/models.hpp"
#include "engine/train/checkpoint.hpp"

namespace nw::serve_http {
namespace {

constexpr const char* readme = R"(# An inference server

`bin/` and `model/` are all that it needs; `Containerfile` makes a container of them (`podman build` or
`docker build -f Containerfile`), and `kubernetes.yaml` runs that container with a Service and an autoscaler (its
first lines say how the token is made). Without either:

    bin/netwright-cli infer-server model/* --port 8000
)";

/// Removes a folder that was not finished.
struct Unfinished {
  fs::path folder;
  ~Unfinished() { discard(folder); }
};

Error not_written(const fs::path& path, const std::error_code& why) {
  return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), path.string(), why.message());
}

Status copy_programs(const fs::path& from, const fs::path& to) {
  NW_TRY(make_folder(to));
  for (const char* name : {"netwright-cli", "libnw_http.so", "libnw_images.so"}) {
    std::error_code failed;
    if (!fs::exists(from / name, failed) && std::string_view(name) == "libnw_images.so") continue;
    fs::copy_file(from / name, to / name, failed);
    if (failed) return not_written(to / name, failed);
  }
  return {};
}

std::vector<TensorSource> tensors_of(const SafetensorsFile& file) {
  std::vector<TensorSource> all;
  for (const TensorInfo& t : file.header().tensors)
    all.push_back({t.name,
                   t.dtype == "I64"   ? DType::i64
                   : t.dtype == "F64" ? DType::f64
                                      : DType::f32,
                   t.shape, [&file, &t](std::span<std::byte> to) { return file.read(t, to); }});
  return all;
}

/// Removes the paths of this computer and the names of files.
Status forget_places(RunDefinition& d) {
  DataChoice data = d.doc.data();
  data.path = data.labels_path = data.test_path = data.test_labels_path = data.split_file = "";
  data.excluded.clear();
  d.data_dir = d.weights = "";
  const auto done = d.doc.apply({PutData{data}});
  return done ? Status() : Status(done.error());
}

/// The run with one checkpoint.
Status copy_run(const fs::path& run, const std::string& checkpoint, const fs::path& to) {
  NW_ASSIGN(RunDefinition definition, read_run_definition(run));
  NW_TRY(forget_places(definition));
  NW_ASSIGN(const LoadedCheckpoint from, open_checkpoint(run, checkpoint, weight_bytes_of(definition)));
  NW_TRY(make_folder(to));
  NW_TRY(write_run_definition(to, definition));
  NW_ASSIGN(const Saved saved, save_checkpoint(to, from.progress, tensors_of(from.model), {}));
  (void)saved;
  for (const char* pointer : {"latest", "best"})
    NW_TRY(point_at_checkpoint(to, pointer, checkpoint_name(from.progress.step)));
  return {};
}

void list_files(const fs::path& folder, Deployment& d) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    d.files.push_back(fs::relative(entry.path(), folder).string());
    d.bytes += entry.file_size();
  }
  std::sort(d.files.begin(), d.files.end());
}

}  // namespace

Result<Deployment> write_deployment(const DeploymentRequest& r) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(r.to, ignored)))
    return fail(Errc::usage, NW_TR("{0} exists already; name a new folder"), r.to.string());
  const std::string model = model_name(r.run);
  Deployment d{.name = dns_label(model)};
  NW_ASSIGN(d.checkpoint, checkpoint_of(r.run, r.checkpoint));
  // a run that cannot be served is refused before anything is written
  NW_ASSIGN(const auto network, BatchNetwork::open(r.run, {.checkpoint = d.checkpoint, .largest_batch = 1}));
  const fs::path to = fs::absolute(r.to).lexically_normal();
  Unfinished writing{to.parent_path() / fmt::format(".{}.writing-{}", to.filename().string(), ::getpid())};
  NW_TRY(make_folder(writing.folder));
  NW_TRY(copy_programs(r.programs, writing.folder / "bin"));
  NW_TRY(make_folder(writing.folder / "model"));
  NW_TRY(copy_run(r.run, d.checkpoint, writing.folder / "model" / model));
  NW_TRY(save_file(writing.folder / "Containerfile", containerfile(model)));
  NW_TRY(save_file(writing.folder / "kubernetes.yaml", kubernetes_yaml(model)));
  NW_TRY(save_file(writing.folder / "README.md", readme));
  list_files(writing.folder, d);
  std::error_code failed;
  fs::rename(writing.folder, to, failed);
  if (failed) return not_written(to, failed);
  writing.folder.clear();
  NW_TRY(sync_folder(to.parent_path()));
  return d;
}

}  // namespace nw::serve_http
