// SPDX-License-Identifier: GPL-3.0-or-later
// A fake helper on a thread of the test, reached over a real socket pair. Its responses are those of a small network
// over ten digits.
#pragma once
#include <sys/socket.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/predict/arrays.hpp"
#include "engine/predict/protocol_version.hpp"
#include "ui/session/helper_client.hpp"

namespace nw::ui {

/// Runs the event loop until `condition` holds; false after 20 seconds.
inline bool eventually(const std::function<bool()>& condition) {
  const QDeadlineTimer deadline(20000);
  while (!condition()) {
    if (deadline.hasExpired()) return false;
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
    if (!condition()) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
  }
  return true;
}

/// The answer with those of its lists in the payload that "evaluate" and "map" send there; null becomes NaN.
inline Message packed(const Json& answer) {
  static constexpr std::pair<const char*, ArrayType> arrays[] = {
      {"confusion", ArrayType::i32}, {"sample", ArrayType::i64},     {"label", ArrayType::i32},
      {"predicted", ArrayType::i32}, {"confidence", ArrayType::f32}, {"loss_per_sample", ArrayType::f32},
      {"targets", ArrayType::f32},   {"x", ArrayType::f64},          {"y", ArrayType::f64}};
  Message m{answer, {}};
  for (const auto& [name, type] : arrays) {
    if (!answer.is_object() || !answer.contains(name)) continue;
    std::vector<double> numbers;
    for (const Json& n : answer[name]) numbers.push_back(n.is_null() ? std::nan("") : n.get<double>());
    m.json.erase(name);
    if (type == ArrayType::i32) put_array<std::int32_t>(m, name, numbers);
    if (type == ArrayType::i64) put_array<std::int64_t>(m, name, numbers);
    if (type == ArrayType::f32) put_array<float>(m, name, numbers);
    if (type == ArrayType::f64) put_array<double>(m, name, numbers);
  }
  return m;
}

class FakeHelper {
 public:
  /// Returns the response to a request; "id" is added to it. A null JSON sends no response. Runs on the helper's
  /// thread.
  using Handler = std::function<Message(const Message&)>;
  explicit FakeHelper(Handler handler) : handler_(std::move(handler)) {}
  ~FakeHelper() {
    disconnect_peer();
    for (std::thread& t : threads_) t.join();
  }

  HelperClient::Launcher launcher() {
    return [this]() -> Result<HelperClient::Link> {
      int ends[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return fail(Errc::other, "socketpair");
      ++launches;
      const std::scoped_lock lock(mutex_);
      socket_ = ends[1];
      threads_.emplace_back([this, socket = ends[1]] { serve(socket); });
      return HelperClient::Link{ends[0], 0};
    };
  }
  /// Closes the socket, as if the process had crashed.
  void disconnect_peer() {
    const std::scoped_lock lock(mutex_);
    if (socket_ >= 0) shutdown(socket_, SHUT_RDWR);
  }
  std::vector<Json> requests(const std::string& what = {}) {
    const std::scoped_lock lock(mutex_);
    std::vector<Json> out;
    for (const Json& r : requests_)
      if (what.empty() || r["do"] == what) out.push_back(r);
    return out;
  }
  /// The first messages of the connections, which are no requests.
  std::vector<Json> openings() {
    const std::scoped_lock lock(mutex_);
    return openings_;
  }
  void send_progress(const Json& id, double share) {
    (void)send_message(socket_, Message{Json{{"id", id}, {"progress", share}}, {}});
  }
  std::atomic<int> launches = 0;

 private:
  void serve(int socket) {
    for (;;) {
      Result<Message> got = receive_message(socket);
      if (!got) break;
      if (got->json["do"] == protocol::opening) {
        const std::scoped_lock lock(mutex_);
        openings_.push_back(got->json);
        continue;  // version 0, which goes on without an answer that matters
      }
      {
        const std::scoped_lock lock(mutex_);
        requests_.push_back(got->json);
      }
      Message answer = handler_(*got);
      if (answer.json.is_null()) continue;
      if (const Json& what = got->json["do"]; what == "evaluate" || what == "map") answer = packed(answer.json);
      answer.json["id"] = got->json["id"];
      if (!send_message(socket, answer)) break;
    }
    const std::scoped_lock lock(mutex_);
    if (socket_ == socket) socket_ = -1;
    close(socket);
  }
  Handler handler_;
  std::mutex mutex_;
  int socket_ = -1;
  std::vector<std::thread> threads_;
  std::vector<Json> requests_, openings_;
};

/// Metrics in the format of an evaluation; the values are arbitrary.
inline Json fake_metrics() {
  const auto one = [](int c) {
    return Json{{"name", std::to_string(c)}, {"support", 7}, {"precision", 0.5 + 0.04 * c},
                {"recall", 0.9 - 0.04 * c},  {"f1", 0.8},    {"roc_auc", 0.97},
                {"average_precision", 0.91}};
  };
  Json classes = Json::array(), bins = Json::array();
  for (int c = 0; c < 10; ++c) classes.push_back(one(c));
  for (int b = 0; b < 10; ++b)
    bins.push_back({{"from", b / 10.0},
                    {"to", (b + 1) / 10.0},
                    {"count", b < 5 ? 0 : 14},
                    {"confidence", b / 10.0 + 0.05},
                    {"accuracy", b / 10.0}});
  return {{"classes", classes},
          {"macro", one(0)},
          {"weighted", one(1)},
          {"top_k", {0.857, 0.9, 0.95, 0.97, 0.99}},
          {"calibration", {{"bins", bins}, {"expected_error", 0.05}, {"largest_error", 0.1}}}};
}

/// Label i % 10; every seventh image is predicted as the class after its label; confidence falls with the index.
inline Json fake_evaluation(int samples) {
  Json out{{"ok", true},
           {"classes", 10},
           {"loss", 0.25},
           {"sample", Json::array()},
           {"label", Json::array()},
           {"predicted", Json::array()},
           {"confidence", Json::array()},
           {"loss_per_sample", Json::array()}};
  std::vector<int> confusion(100, 0);
  int right = 0;
  for (int i = 0; i < samples; ++i) {
    const int label = i % 10, predicted = i % 7 == 0 ? (label + 1) % 10 : label;
    const float confidence = 1.0f - 0.5f * static_cast<float>(i) / static_cast<float>(samples);
    out["sample"].push_back(1000 + i);
    out["label"].push_back(label);
    out["predicted"].push_back(predicted);
    out["confidence"].push_back(confidence);
    out["loss_per_sample"].push_back(label == predicted ? 1 - confidence : 2 + confidence);
    ++confusion[static_cast<std::size_t>(label) * 10 + static_cast<std::size_t>(predicted)];
    right += label == predicted;
  }
  out["confusion"] = confusion;
  out["metrics"] = fake_metrics();
  out["accuracy"] = static_cast<double>(right) / samples;
  return out;
}

/// The curves depend on the class: class 3's differ from class 0's.
inline Json fake_curves(int one) {
  Json out{{"ok", true},
           {"class", one},
           {"roc", {{"x", {0, 0.1 * one, 1}}, {"y", {0, 0.9, 1}}, {"threshold", {nullptr, 0.5, 0}}}},
           {"precision_recall", {{"x", {0, 0.5, 1}}, {"y", {1, 0.8, 0.1}}, {"threshold", {nullptr, 0.5, 0}}}}};
  Json& d = out["decisions"] = Json::object();
  for (int t = 0; t <= 100; ++t) {
    d["threshold"].push_back(t / 100.0);
    d["right_yes"].push_back(t < 80 ? 6 : 2);
    d["wrong_yes"].push_back(t < 80 ? 2 : 0);
    d["wrong_no"].push_back(t < 80 ? 1 : 5);
    d["right_no"].push_back(t < 80 ? 61 : 63);
  }
  return out;
}

inline Json fake_check() {
  const auto sample = [](const char* part, int index, bool test, bool goes) {
    return Json{{"split", part},
                {"index", index},
                {"test_set", test},
                {"origin", std::to_string(index)},
                {"name", std::string(test ? "test: " : "train: ") + std::to_string(index)},
                {"label", 3},
                {"redundant", goes}};
  };
  const Json same{{"kind", "duplicate"},
                  {"across_splits", true},
                  {"labels_differ", false},
                  {"samples", {sample("train", 4, false, true), sample("test", 9, true, false)}}};
  const Json near{{"kind", "near-duplicate"},
                  {"similarity", 0.9},
                  {"across_splits", false},
                  {"labels_differ", false},
                  {"samples", {sample("train", 5, false, false), sample("train", 6, false, true)}}};
  const Json few{{"kind", "small class"},  {"class", 7},
                 {"split", "validation"},  {"across_splits", false},
                 {"labels_differ", false}, {"samples", Json::array()}};
  return {{"ok", true},
          {"images", 120},
          {"unreadable", 1},
          {"total", 3},
          {"defects", {same, near, few}},
          {"files",
           {{{"kind", "unreadable"},
             {"test_set", false},
             {"file", "3/bad.jpg"},
             {"name", "train: 3/bad.jpg"},
             {"reason", "is cut off"}}}}};
}

inline Json fake_label_issues() {
  Json list = Json::array();
  for (int i = 0; i < 12; ++i)
    list.push_back({{"index", 200 + i},
                    {"test_set", false},
                    {"name", "train: " + std::to_string(200 + i)},
                    {"label", i % 10},
                    {"predicted", (i + 1) % 10},
                    {"confidence", 0.99 - 0.01 * i},
                    {"loss", 9.0 - i * 0.5}});
  return {{"ok", true}, {"images", 90}, {"label_issues", list}};
}

inline Message fake_images(int count, int size) {
  Message m{Json{{"ok", true}, {"height", size}, {"width", size}}, {}};
  m.payload.assign(
      static_cast<std::size_t>(count) * static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4, 200);
  return m;
}

inline Json fake_data() {
  return Json{{"ok", true},
              {"description", "Synthetic digits, 100 images 28×28×1"},
              {"place", ""},
              {"classes", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
              {"counts",
               {{"train", {9, 9, 9, 9, 9, 9, 9, 9, 9, 9}},
                {"validation", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
                {"test", {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}}},
              {"facts",
               {{"channels", 1},
                {"height", 28},
                {"width", 28},
                {"classes", 10},
                {"train", 90},
                {"validation", 10},
                {"test", 20}}},
              {"mean", {0.1307}},
              {"deviation", {0.3081}},
              {"warnings", Json::array()},
              {"fell_back", false}};
}

/// The default response to each request of engine/predict/serve.hpp.
inline Message fake_response(const Message& request) {
  const std::string what = request.json["do"];
  const int size = request.json.value("size", 28);
  if (what == "open_run")
    return {Json{{"ok", true},
                 {"classes", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
                 {"channels", 1},
                 {"height", 28},
                 {"width", 28},
                 {"checkpoint", "step-00000100"},
                 {"step", 100},
                 {"filters", {"conv1", "conv2"}}},
            {}};
  if (what == "filters") {
    Message m{Json{{"ok", true}, {"shape", {6, 1, 5, 5}}}, {}};
    m.payload.resize(6 * 25 * sizeof(float));
    return m;
  }
  if (what == "evaluate") return {fake_evaluation(70), {}};
  if (what == "curves") return {fake_curves(request.json["class"]), {}};
  if (what == "neighbours")
    return {Json{{"ok", true},
                 {"searched", 90},
                 {"neighbours",
                  {{{"index", 5}, {"label", 3}, {"similarity", 0.9}, {"name", "train: 5"}},
                   {{"index", 6}, {"label", 8}, {"similarity", 0.8}, {"name", "train: 6"}}}}},
            {}};
  if (what == "map")
    return {Json{{"ok", true},
                 {"x", {0, 1, 2}},
                 {"y", {0, 5, 0}},
                 {"share", {0.5, 0.2}},
                 {"sample", {1000, 1007, 1002}},
                 {"label", {0, 7, 2}}},
            {}};
  if (what == "check") return {fake_check(), {}};
  if (what == "suspects") return {fake_label_issues(), {}};
  if (what == "report") {
    const std::string text = request.json["format"] == "html" ? "<!DOCTYPE html>\n" : "class,support\n";
    return {Json{{"ok", true}}, {text.begin(), text.end()}};
  }
  if (what == "thumbnails" || what == "images") {
    Message m = fake_images(static_cast<int>(request.json["samples"].size()), size);
    for (const Json& s : request.json["samples"])
      m.json["names"].push_back("test: " + (s.is_object() ? s["index"].dump() : s.dump()));
    return m;
  }
  if (what == "samples" || what == "augmented") {
    Message m = fake_images(request.json["count"], size);
    m.json["labels"] = std::vector<int>(request.json["count"].get<std::size_t>(), 3);
    m.json["origins"] = std::vector<std::string>(request.json["count"].get<std::size_t>(), "train, image 7");
    return m;
  }
  if (what == "predict_file") {
    Message m = fake_images(1, 28);
    m.json["probability"] = {0, 0, 0, 0, 0.9, 0, 0, 0, 0, 0.1};
    return m;
  }
  if (what == "predict") {
    Message m = fake_images(1, 28);
    m.json["probability"] = {0, 0, 0, 0, 0.75, 0, 0, 0, 0, 0.25};
    m.json["predicted"] = 4;
    return m;
  }
  if (what == "sample") {
    Message m = fake_images(1, 28);
    m.json["probability"] = {0, 0, 0, 0, 0.75, 0, 0, 0, 0, 0.25};
    m.json["predicted"] = 4;
    m.json["name"] = "test: " + request.json["sample"].dump();
    if (request.json["node"].get_ref<const std::string&>().empty()) return m;
    m.json["shape"] = {1, 2, 2};
    m.payload.resize(m.payload.size() + 4 * sizeof(float));
    return m;
  }
  if (what == "open_data") return {fake_data(), {}};
  if (what == "explain" && request.json["method"] == "occlusion")
    return {Json{{"error", "A patch does not fit"}, {"source", "A patch does not fit"}, {"args", Json::array()}}, {}};
  if (what == "explain") {
    Message m{Json{{"height", 28}, {"width", 28}, {"target", 4}, {"layer", ""}, {"score", 2.5}}, {}};
    const std::vector<float> support(28 * 28, 0.5f);
    m.payload.resize(support.size() * sizeof(float));
    std::memcpy(m.payload.data(), support.data(), m.payload.size());
    return m;
  }
  return {Json{{"error", "Unknown request"}}, {}};
}

}  // namespace nw::ui
