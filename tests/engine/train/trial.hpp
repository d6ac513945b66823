// SPDX-License-Identifier: Apache-2.0
// A small training run for tests: synthetic digits, a perceptron, a temporary folder, and all events in memory.
#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "engine/design/project_file.hpp"
#include "engine/train/trainer.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {

class Recording final : public EventSink {
 public:
  /// Called with each event, on the thread that posts it.
  std::function<void(const Event&)> then;
  void post(const Event& e) override {
    {
      const std::lock_guard lock(mutex_);
      events_.push_back(e);
    }
    if (then) then(e);
  }
  std::vector<Event> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  template <class T>
  std::vector<T> all() const {
    std::vector<T> out;
    for (const Event& e : events())
      if (const T* what = std::get_if<T>(&e.what)) out.push_back(*what);
    return out;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

/// `change` adjusts the settings and the data before the project is created.
struct Trial {
  using Change = std::function<void(TrainSettings&, DataChoice&)>;
  explicit Trial(const Change& change = {}, const std::string& network = "mlp", const std::string& backend = "cpu") {
    ::setenv("XDG_RUNTIME_DIR", runtime.path.c_str(), 1);
    ::unsetenv("NETWRIGHT_DATA");
    request.backend = backend;
    request.run = folder.path / "run";
    request.definition.name = network;
    request.definition.doc = project(change, network);
  }
  static GraphDoc project(const Change& change, const std::string& network) {
    GraphDoc doc = find_template(network)->make();
    TrainSettings s = doc.settings();
    DataChoice d = doc.data();
    d.kind = SourceKind::synthetic;
    d.path.clear();
    d.synthetic_train = 320;
    d.synthetic_test = 64;
    s.batch = 32;
    s.epochs = 2;
    s.threads = 2;
    if (change) change(s, d);
    auto applied = doc.apply({PutSettings{s}, PutData{d}});
    if (!applied) std::abort();
    return doc;
  }
  Result<TrainResult> run() { return train(request, control, sink); }
  /// Reopens the run's folder as a new process would.
  Result<TrainResult> resume(Recording& events) {
    TrainControl fresh;
    TrainRequest again;
    again.run = request.run;
    again.resume = true;
    again.backend = request.backend;
    return train(again, fresh, events);
  }
  std::string final_weights() const {
    const auto latest = latest_checkpoint(request.run);
    return latest ? *read_file(request.run / "checkpoints" / latest->name / "model.safetensors", std::uint64_t{1} << 30)
                  : "";
  }

  Folder folder, runtime;
  TrainRequest request;
  TrainControl control;
  Recording sink;
};

}  // namespace nw
