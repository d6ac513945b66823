// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/models.hpp"

#include <algorithm>
#include <optional>

namespace nw::serve_http {

std::string Model::class_name(std::size_t k) const {
  const auto& names = definition().classes;
  return k < names.size() ? names[k] : std::to_string(k);
}

std::string model_name(const fs::path& run) {
  fs::path folder = fs::absolute(run).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::string name = folder.filename().string();
  for (char& c : name)
    if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_')) c = '-';
  return name.empty() ? "network" : name;
}

Result<ModelPointer> Models::load(const fs::path& run) const {
  auto model = std::make_shared<Model>();
  NW_ASSIGN(model->network, BatchNetwork::open(run, options_));
  const RunDefinition& d = model->definition();
  model->name = model_name(run);
  const auto step = checkpoint_step(model->network->checkpoint());
  model->version = step ? std::to_string(*step) : model_name(model->network->checkpoint());
  model->form = {.channels = d.channels, .height = d.height, .width = d.width, .scales = model->network->scales()};
  return ModelPointer(std::move(model));
}

Result<std::unique_ptr<Models>> Models::open(const std::vector<fs::path>& runs, const BatchNetwork::Options& o) {
  std::unique_ptr<Models> models(new Models(o));
  for (const fs::path& run : runs) {
    if (models->find(model_name(run)))
      return fail(Errc::usage, NW_TR("Two runs would be served as \"{0}\"; rename one of their folders"),
                  model_name(run));
    NW_ASSIGN(ModelPointer model, models->load(run));
    models->entries_.push_back({fs::absolute(run), std::move(model), {}});
  }
  return models;
}

ModelPointer Models::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& e : entries_)
    if (e.model->name == name) return e.model;
  return nullptr;
}

std::vector<ModelPointer> Models::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<ModelPointer> list;
  list.reserve(entries_.size());
  for (const Entry& e : entries_) list.push_back(e.model);
  return list;
}

std::string Models::problem(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& e : entries_)
    if (e.model->name == name) return e.problem;
  return {};
}

std::vector<Reload> Models::update() {
  std::vector<Reload> changes;
  for (Entry& e : entries_) {  // nobody else changes the list, and loading takes long
    const auto newest = checkpoint_of(e.run, options_.checkpoint);
    std::string problem = newest ? "" : newest.error().str();
    ModelPointer next;
    if (newest && *newest != e.model->network->checkpoint()) {
      auto loaded = load(e.run);
      if (loaded)
        next = *std::move(loaded);
      else
        problem = loaded.error().str();
    }
    if (next || (!problem.empty() && problem != e.problem))
      changes.push_back({e.model->name, next ? next->version : e.model->version, problem});
    const std::lock_guard lock(mutex_);
    e.problem = std::move(problem);
    if (next) e.model = std::move(next);
  }
  return changes;
}

}  // namespace nw::serve_http
