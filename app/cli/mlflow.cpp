// SPDX-License-Identifier: Apache-2.0
#include "app/cli/mlflow.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>

#include "app/cli/cli.hpp"
#include "engine/data/fetch/http.hpp"
#include "engine/runs/contained.hpp"
#include "engine/runs/index/run_field.hpp"
#include "kernels/printable.hpp"

namespace nw::cli {
namespace {

// The server's limits of one request, and those of a key and a value.
constexpr std::size_t most_metrics = 1000, most_params = 100, most_tags = 100, key_bytes = 250, value_bytes = 5000;
constexpr std::size_t most_response_bytes = std::size_t{16} << 20, longest_row = 4096;
constexpr const char* run_tag = "netwright.identity";

/// Keeps a response of limited size.
class ResponseSink final : public HttpSink {
 public:
  bool head(const HttpHeader& h) override {
    status = h.status;
    return true;
  }
  bool body(std::span<const std::byte> piece) override {
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return text.size() <= most_response_bytes;
  }
  bool go_on() override { return true; }

  int status = 0;
  std::string text;
};

/// Letters, digits and "_-. /" are what a key may hold.
std::string mlflow_key(std::string_view name) {
  std::string key(name.substr(0, key_bytes));
  for (char& c : key)
    if (std::string_view("_-. /").find(c) == std::string_view::npos && !(c >= '0' && c <= '9') &&
        !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z'))
      c = '_';
  return key;
}

/// At most so many bytes, without half a character at the end.
std::string mlflow_value(std::string_view text) {
  std::size_t end = std::min(text.size(), value_bytes);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end));
}

Json mlflow_pair(std::string_view name, std::string_view value) {
  return {{"key", mlflow_key(name)}, {"value", mlflow_value(value)}};
}

std::int64_t milliseconds(double seconds) { return static_cast<std::int64_t>(std::llround(seconds * 1000)); }

/// A text between quotation marks in a filter of the server, which knows no way to write one inside.
std::string quoted(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\'' || c == '"' || c == '\\'; }, '_');
  return "'" + text + "'";
}

class MlflowServer {
 public:
  MlflowServer(const HttpClient& client, std::string url) : client_(client), url_(std::move(url)) {
    while (url_.ends_with('/')) url_.pop_back();
    const std::size_t at = url_.find('@'), begin = url_.find("//");
    shown_ =
        at == std::string::npos || begin == std::string::npos ? url_ : url_.substr(0, begin + 2) + url_.substr(at + 1);
    if (const char* token = std::getenv("MLFLOW_TRACKING_TOKEN"); token && *token)
      header_.push_back(fmt::format("Authorization: Bearer {}", token));
  }

  const std::string& shown() const { return shown_; }

  /// The response of a call such as "runs/create".
  Result<Json> ask(std::string_view call, const Json& body) const {
    ResponseSink sink;
    const HttpResult result = client_.post(fmt::format("{}/api/2.0/mlflow/{}", url_, call), header_, body.dump(), sink);
    if (result.end != HttpEnd::whole)
      return fail(Errc::other, NW_TR("{0} cannot be reached: {1}"), shown_, printable(result.why));
    if (sink.status != 200) return refusal(call, sink);
    return parse_json(sink.text, shown_, {.bytes = most_response_bytes});
  }

 private:
  Error refusal(std::string_view call, const ResponseSink& sink) const {
    std::string why = "status " + std::to_string(sink.status);
    if (const auto json = parse_json(sink.text, "response"); json && json->is_object())
      if (const auto it = json->find("message"); it != json->end() && it->is_string())
        why += ": " + it->get<std::string>().substr(0, 300);
    return fail(Errc::other, NW_TR("{0} refused {1}: {2}"), shown_, call, printable(why));
  }

  const HttpClient& client_;
  std::string url_, shown_;
  std::vector<std::string> header_{"Content-Type: application/json", "Expect:"};
};

/// The text member at a path such as {"run", "info", "run_id"}. Errc::other: the response has none.
Result<std::string> text_at(const Json& response, std::initializer_list<const char*> path, const std::string& server) {
  const Json* at = &response;
  for (const char* key : path) {
    const auto it = at->is_object() ? at->find(key) : at->end();
    if (!at->is_object() || it == at->end()) at = nullptr;
    if (!at) break;
    at = &*it;
  }
  if (at && at->is_string()) return at->get<std::string>();
  return fail(Errc::other, NW_TR("{0} sent an invalid response: {1}"), server, "no " + std::string(*(path.end() - 1)));
}

const Json* first_of(const Json& response, const char* list) {
  const auto it = response.is_object() ? response.find(list) : response.end();
  return response.is_object() && it != response.end() && it->is_array() && !it->empty() ? &it->front() : nullptr;
}

Result<std::string> experiment_id(const MlflowServer& server, const std::string& name) {
  NW_ASSIGN(const Json found,
            server.ask("experiments/search",
                       {{"filter", "name = " + quoted(name)}, {"max_results", 1}, {"view_type", "ALL"}}));
  const Json* experiment = first_of(found, "experiments");
  if (experiment && experiment->value("lifecycle_stage", "") == "deleted")
    return fail(Errc::other, NW_TR("the experiment {0} of {1} is deleted; choose another with --experiment"), name,
                server.shown());
  if (experiment) return text_at(*experiment, {"experiment_id"}, server.shown());
  NW_ASSIGN(const Json made, server.ask("experiments/create", {{"name", name}}));
  return text_at(made, {"experiment_id"}, server.shown());
}

std::string identity_of(const RunRecord& r) {
  return fmt::format("{}@{:.0f}", r.summary.folder.filename().string(), r.summary.created);
}

Result<std::string> run_id(const MlflowServer& server, const RunRecord& r, const std::string& experiment) {
  const std::string identity = identity_of(r);
  NW_ASSIGN(const Json found,
            server.ask("runs/search", {{"experiment_ids", {experiment}},
                                       {"filter", "tags.`" + std::string(run_tag) + "` = " + quoted(identity)},
                                       {"max_results", 1}}));
  if (const Json* run = first_of(found, "runs")) return text_at(*run, {"info", "run_id"}, server.shown());
  NW_ASSIGN(const Json made,
            server.ask("runs/create",
                       {{"experiment_id", experiment},
                        {"run_name", mlflow_value(r.title())},
                        {"start_time", milliseconds(r.summary.created)},
                        {"tags", {{{"key", run_tag}, {"value", quoted(identity).substr(1, identity.size())}}}}}));
  return text_at(made, {"run", "info", "run_id"}, server.shown());
}

/// Collects what a run sends until a request is full.
class RunBatches {
 public:
  RunBatches(const MlflowServer& server, std::string id) : server_(server), id_(std::move(id)) {}

  Status metric(std::string_view name, double value, std::int64_t time_ms, std::int64_t step) {
    if (!std::isfinite(value)) return {};
    metrics_.push_back({{"key", mlflow_key(name)}, {"value", value}, {"timestamp", time_ms}, {"step", step}});
    return metrics_.size() < most_metrics ? Status() : flush();
  }
  Status param(std::string_view name, std::string_view value) {
    params_.push_back(mlflow_pair(name, value));
    return params_.size() < most_params ? Status() : flush();
  }
  Status tag(std::string_view name, std::string_view value) {
    tags_.push_back(mlflow_pair(name, value));
    return tags_.size() < most_tags ? Status() : flush();
  }
  Status flush() {
    if (metrics_.empty() && params_.empty() && tags_.empty()) return {};
    NW_ASSIGN(const Json ignored, server_.ask("runs/log-batch", {{"run_id", id_},
                                                                 {"metrics", std::exchange(metrics_, Json::array())},
                                                                 {"params", std::exchange(params_, Json::array())},
                                                                 {"tags", std::exchange(tags_, Json::array())}}));
    (void)ignored;
    return {};
  }

 private:
  const MlflowServer& server_;
  std::string id_;
  Json metrics_ = Json::array(), params_ = Json::array(), tags_ = Json::array();
};

struct MetricRow {
  std::int64_t step = 0;
  double time_s = 0, value = 0;
  std::string_view name;
};

template <class T>
bool number_in(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// A row "step,epoch,time_s,name,value" of metrics.csv.
std::optional<MetricRow> metric_row(std::string_view line) {
  std::array<std::string_view, 5> cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t comma = line.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == cells.size())) return std::nullopt;
    cells[i] = line.substr(0, comma);
    line.remove_prefix(std::min(line.size(), cells[i].size() + 1));
  }
  MetricRow row{.name = cells[3]};
  if (!number_in(cells[0], row.step) || !number_in(cells[2], row.time_s) || !number_in(cells[4], row.value) ||
      row.name.empty())
    return std::nullopt;
  return row;
}

/// A run that has reported no numbers has no metrics.csv.
Status send_history(const RunRecord& r, RunBatches& batches) {
  if (!size_inside(r.summary.folder, "metrics.csv")) return {};
  Status sent;
  NW_TRY(each_line_inside(r.summary.folder, "metrics.csv", longest_row, [&](std::string_view line) {
    const auto row = sent ? metric_row(line) : std::nullopt;
    if (row) sent = batches.metric(row->name, row->value, milliseconds(r.summary.created + row->time_s), row->step);
  }));
  return sent;
}

Status send_fields(const RunRecord& r, RunBatches& batches) {
  const std::int64_t end = milliseconds(r.summary.created + r.summary.wall_s);
  for (const RunField& f : run_fields()) {
    const FieldValue value = f.value(r);
    if (const auto* number = std::get_if<double>(&value))
      NW_TRY(batches.metric(fmt::format("result/{}", f.name), *number, end, r.summary.steps));
    if (const auto* words = std::get_if<std::string>(&value); words && !words->empty())
      NW_TRY(batches.tag(fmt::format("netwright.{}", f.name), *words));
  }
  if (!r.notes.notes.empty()) NW_TRY(batches.tag("mlflow.note.content", r.notes.notes));
  for (const std::string& tag : r.notes.tags) NW_TRY(batches.tag(fmt::format("tag.{}", tag), "true"));
  for (const RecordedSetting& s : r.settings) NW_TRY(batches.param(s.name, s.value));
  return {};
}

std::string_view mlflow_status(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "RUNNING";
    case RunStatus::finished:
      return "FINISHED";
    case RunStatus::stopped:
    case RunStatus::interrupted:
      return "KILLED";
    case RunStatus::failed:
      return "FAILED";
  }
  return "FAILED";
}

Status send_run(const MlflowServer& server, const RunRecord& r, const std::string& experiment) {
  NW_ASSIGN(const std::string id, run_id(server, r, experiment));
  RunBatches batches(server, id);
  NW_TRY(send_fields(r, batches));
  NW_TRY(send_history(r, batches));
  NW_TRY(batches.flush());
  Json last{{"run_id", id}, {"status", mlflow_status(r.summary.status)}};
  if (r.summary.status != RunStatus::running) last["end_time"] = milliseconds(r.summary.created + r.summary.wall_s);
  NW_ASSIGN(const Json ignored, server.ask("runs/update", last));
  (void)ignored;
  return {};
}

}  // namespace

Status send_to_mlflow(const MlflowTarget& target, const std::vector<RunRecord>& runs) {
  if (!target.url.starts_with("http://") && !target.url.starts_with("https://"))
    return fail(Errc::usage, NW_TR("--mlflow needs an address that begins with http:// or https://"));
  NW_ASSIGN(const HttpClient* client, http_client());
  const MlflowServer server(*client, target.url);
  std::map<std::string, std::string> experiments;  // their ids, by name
  for (const RunRecord& r : runs) {
    const std::string name = !target.experiment.empty() ? target.experiment
                             : r.summary.name.empty()   ? std::string("netwright")
                                                        : r.summary.name;
    if (!experiments.contains(name)) { NW_ASSIGN(experiments[name], experiment_id(server, name)); }
    NW_TRY(send_run(server, r, experiments.at(name)));
  }
  note(fmt::format("{}: {} {}", server.shown(), runs.size(), runs.size() == 1 ? "run" : "runs"));
  return {};
}

}  // namespace nw::cli
