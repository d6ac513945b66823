// SPDX-License-Identifier: Apache-2.0
// Throughput of real training: with the trainer, on batches that are prepared as needed.
#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "app/cli/cli.hpp"
#include "engine/backend/devices.hpp"
#include "engine/design/input_shape.hpp"
#include "engine/design/precision.hpp"
#include "engine/design/project_file.hpp"

namespace nw::cli {
namespace {

struct BenchOptions {
  std::string nets = "mlp,lenet5", device = "cpu", precision = "fp32";
  std::int64_t batch = 0;
  std::vector<std::int64_t> threads{0};
  double seconds = 3;
  int repeats = 3;
  bool json = false, profile = false, noise = false;
};

/// Divides the run into windows of `seconds` of training and stops it after enough of them. The first half second is
/// the warm-up.
class Stopwatch final : public EventSink {
 public:
  Stopwatch(TrainControl& control, double seconds, int repeats)
      : control_(control), seconds_(seconds), repeats_(static_cast<std::size_t>(repeats)) {}
  void post(const Event& e) override {
    if (const auto* health = std::get_if<Health>(&e.what)) note(health->message.str());
    const auto* steps = std::get_if<Steps>(&e.what);
    if (!steps || steps->images_per_s <= 0 || rates_.size() == repeats_) return;
    const double from = last_t_;
    last_t_ = e.t;
    if (warm_up_until_ < 0) warm_up_until_ = e.t + std::min(0.5, seconds_ / 2);
    if (e.t < warm_up_until_ || from == 0) return;
    const double trained_s = static_cast<double>(steps->count) * static_cast<double>(batch) / steps->images_per_s;
    images_ += steps->images_per_s * trained_s;
    trained_s_ += trained_s;
    if (trained_s_ < seconds_) return;
    rates_.push_back(images_ / trained_s_);
    images_ = trained_s_ = 0;
    if (rates_.size() == repeats_) control_.stop(true);
  }
  double median() {
    std::sort(rates_.begin(), rates_.end());
    const std::size_t n = rates_.size();
    if (n == 0) return 0;
    return n % 2 != 0 ? rates_[n / 2] : (rates_[n / 2 - 1] + rates_[n / 2]) / 2;
  }
  std::int64_t batch = 1;

 private:
  TrainControl& control_;
  const double seconds_;
  const std::size_t repeats_;
  double warm_up_until_ = -1, last_t_ = 0, images_ = 0, trained_s_ = 0;
  std::vector<double> rates_;
};

/// Images of noise as large as the network's, in memory, in place of its data set.
void use_noise(const Shape& image, std::int64_t batch, DataChoice& data) {
  data.channels = image[1];
  data.height = image[2];
  data.width = image[3];
  data.kind = SourceKind::synthetic;
  data.path.clear();
  data.synthetic_set = "noise";
  data.synthetic_train = 8 * batch;
}

/// The network and optimizer of the template or file, with enough epochs and without evaluation in between.
Result<GraphDoc> bench_project(const std::string& net, const BenchOptions& o, std::int64_t threads) {
  NW_ASSIGN(GraphDoc doc, load_project(net));
  TrainSettings s = doc.settings();
  if (o.batch > 0) s.batch = o.batch;
  s.threads = threads;
  s.devices = split_device_list(o.device);
  s.precision = precision_named(o.precision)->type;
  s.epochs = 1'000'000;
  s.early_stopping_epochs = 0;
  DataChoice data = doc.data();
  data.validation_fraction = 0;
  data.synthetic_train = 64 * s.batch;  // used if there is no real data
  data.synthetic_test = 64;
  if (const auto image = input_shape(doc); o.noise && image) use_noise(*image, s.batch, data);
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{s}, PutData{data}}));
  (void)undo;
  return doc;
}

Result<Json> measure(const std::string& net, const BenchOptions& o, std::int64_t wanted) {
  TrainRequest request;
  NW_ASSIGN(request.definition.doc, bench_project(net, o, wanted));
  request.definition.name = net;
  const TrainSettings settings = request.definition.doc.settings();
  NW_ASSIGN(const auto devices, resolve_devices(settings.devices, settings.threads));
  int threads = 0;
  for (const ResolvedDevice& d : devices) threads += d.threads;
  TrainControl control;
  Stopwatch watch(control, o.seconds, o.repeats);
  watch.batch = settings.batch;
  NW_ASSIGN(const TrainResult result, train(std::move(request), control, watch));
  const double rate = watch.median();
  const auto rounded = [](double v, double unit) { return std::round(v / unit) * unit; };
  return Json{{"net", net},
              {"mode", "netwright-" + o.precision},
              {"batch", settings.batch},
              {"device", o.device},
              {"threads", threads},
              {"images_per_s", rounded(rate, 0.1)},
              {"first_step_s", rounded(result.first_step_s, 0.001)},
              {"ms_per_step", rate > 0 ? rounded(1e3 * static_cast<double>(settings.batch) / rate, 1e-4) : 0}};
}

/// Images per second of as many trainings of one thread at once, added up: what the threads of this computer reach
/// where none waits for another, with its clock and its memory shared.
Result<double> independent(const std::string& net, const BenchOptions& o, std::int64_t count) {
  std::vector<Result<Json>> rows(static_cast<std::size_t>(count), Json());
  {
    std::vector<std::jthread> trainings;
    for (Result<Json>& row : rows) trainings.emplace_back([&] { row = measure(net, o, 1); });
  }
  double sum = 0;
  for (const Result<Json>& row : rows) {
    if (!row) return row.error();
    sum += (*row)["images_per_s"].get<double>();
  }
  return sum;
}

void print_speed(const std::string& net, const Json& row, bool json) {
  if (json) return print(row.dump());
  std::string text = fmt::format("{:<16} {:>12.1f} images/s {:>10.4f} ms a step, first step after {} s", net,
                                 row["images_per_s"].get<double>(), row["ms_per_step"].get<double>(),
                                 row["first_step_s"].get<double>());
  if (row.contains("scaling"))
    text +=
        fmt::format("; {} thread{}: {:.2f} times one thread, at most {:.2f}", row["threads"].get<int>(),
                    row["threads"] == 1 ? "" : "s", row["scaling"].get<double>(), row["scaling_bound"].get<double>());
  print(text);
}

/// One row for each number of threads, beside the speed of one thread.
Status scaling(const std::string& net, const BenchOptions& o) {
  NW_ASSIGN(const Json one, measure(net, o, 1));
  const double rate = one["images_per_s"];
  for (const std::int64_t threads : o.threads) {
    NW_ASSIGN(Json row, threads == 1 ? Result<Json>(one) : measure(net, o, threads));
    NW_ASSIGN(const double most, threads == 1 ? Result<double>(rate) : independent(net, o, row["threads"]));
    row["scaling"] = row["images_per_s"].get<double>() / rate;
    row["scaling_bound"] = most / rate;
    print_speed(net, row, o.json);
  }
  return {};
}

int profile(const BenchOptions& o) {
  for (const std::string& net : split_device_list(o.nets)) {
    const auto doc = bench_project(net, o, o.threads.front());
    if (!doc) return report(doc.error());
    const auto devices = resolve_devices(doc->settings().devices, o.threads.front());
    if (!devices) return report(devices.error());
    if (!o.json)
      print(fmt::format("{}, batch {}, {} threads, {}", net, doc->settings().batch, devices->front().threads,
                        devices->front().device->description()));
    if (const int failed = profile_step(*doc, devices->front(), {net, o.seconds, o.json})) return failed;
  }
  return 0;
}

int bench(const BenchOptions& o) {
  if (o.profile) return profile(o);
  for (const std::string& net : split_device_list(o.nets)) {
    if (o.threads.size() > 1) {
      if (const Status done = scaling(net, o); !done) return report(done.error());
      continue;
    }
    const auto row = measure(net, o, o.threads.front());
    if (!row) return report(row.error());
    print_speed(net, *row, o.json);
  }
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("bench", "Measure the training speed of templates and projects");
  auto o = std::make_shared<BenchOptions>();
  command->add_option("--nets", o->nets, "Templates or project files, separated by commas");
  command->add_flag("--noise", o->noise,
                    "Images of noise in memory, as large as the network's, instead of its data set");
  command->add_option("--device", o->device, "Devices, as in train");
  command
      ->add_option("--precision", o->precision,
                   "Number format of the network's arithmetic; automatic: for each product the fastest")
      ->check(CLI::IsMember(all_precisions()));
  command->add_option("--batch", o->batch, "Images per step; 0: the template's value")->check(CLI::NonNegativeNumber);
  command->add_option("--seconds", o->seconds, "Seconds of each measurement")->check(CLI::PositiveNumber);
  command->add_option("--repeats", o->repeats, "Number of measurements; the median is reported")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--threads", o->threads,
                   "Threads over all devices; 0: as many as train uses; several numbers, separated by commas: how the "
                   "speed grows with them, and how that of as many separate trainings does")
      ->delimiter(',')
      ->check(CLI::Range(0, 1024));
  command->add_flag("--profile", o->profile, "Show the time of each kernel within a step instead");
  command->add_flag("--json", o->json, "Print JSON lines");
  command->footer("Example: netwright-cli bench --nets mlp,lenet5 --seconds 3 --json");
  command->callback([=, &chosen] { chosen = [o] { return bench(*o); }; });
}

}  // namespace nw::cli
