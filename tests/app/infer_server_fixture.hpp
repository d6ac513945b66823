// SPDX-License-Identifier: Apache-2.0
// A run that is served by netwright-cli infer-server, and its clients.
#pragma once
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/app/cli_fixture.hpp"
#include "tests/support/http_client.hpp"

namespace nw {

using test::ask;
using test::http_request;
using test::HttpConnection;
using test::HttpResponse;
using testing::HasSubstr;

class InferServer : public Cli {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(test::programs_folder()) / "libnw_http.so")) GTEST_SKIP() << "built without libmicrohttpd";
    const CommandOutput trained = run({"train", project(2), "--run-dir", at("digits"), "-q"});
    ASSERT_EQ(trained.code, 0) << trained.err;
  }
  void start(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"infer-server", at("digits"), "--port", "0"});
    server_ = std::make_unique<Command>(place_, more);
    ASSERT_TRUE(wait_for([this] { return server_->out().find(" serves ") != std::string::npos || server_->ended(); }));
    const std::string out = server_->out();
    ASSERT_THAT(out, HasSubstr("http://127.0.0.1:")) << server_->err();
    port_ = std::atoi(out.c_str() + out.find(':', 7) + 1);
  }
  /// Ends the server as an orchestrator does; it must end well.
  void stop() {
    ::kill(server_->pid(), SIGTERM);
    const CommandOutput ended = server_->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  /// The most memory that the server has taken, in MiB.
  long most_memory_mib() const {
    std::ifstream status(fmt::format("/proc/{}/status", server_->pid()));
    for (std::string word; status >> word;)
      if (long kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
    ADD_FAILURE() << "its memory cannot be read";
    return 0;
  }
  HttpResponse get(const std::string& path) { return ask(port_, http_request("GET", path)); }
  HttpResponse post(const std::string& path, const std::string& body, const std::string& lines = "") {
    return ask(port_, http_request("POST", path, body, lines));
  }
  Json json(const HttpResponse& r) { return Json::parse(r.body, nullptr, false); }
  /// `images` images whose pixels all have the value.
  static std::string body(int value, int images = 1) {
    return Json{{"inputs",
                 {{{"name", "images"},
                   {"datatype", "UINT8"},
                   {"shape", {images, 1, 28, 28}},
                   {"data", std::vector<int>(static_cast<std::size_t>(images) * 784, value)}}}}}
        .dump();
  }
  /// A request for probabilities in bytes: images as bytes behind the JSON head, and the header line that says where.
  struct BinaryBody {
    std::vector<std::uint8_t> pixels;
    std::string text, lines;
  };
  static BinaryBody binary_body(int images) {
    BinaryBody body;
    body.pixels.resize(static_cast<std::size_t>(images) * 784);
    for (std::size_t i = 0; i < body.pixels.size(); ++i) body.pixels[i] = static_cast<std::uint8_t>(31 * i);
    const Json head{{"inputs",
                     {{{"name", "images"},
                       {"datatype", "UINT8"},
                       {"shape", {images, 1, 28, 28}},
                       {"parameters", {{"binary_data_size", body.pixels.size()}}}}}},
                    {"outputs", {{{"name", "probabilities"}, {"parameters", {{"binary_data", true}}}}}}};
    body.text = head.dump();
    body.lines = "Inference-Header-Content-Length: " + std::to_string(body.text.size()) + "\r\n";
    body.text.append(body.pixels.begin(), body.pixels.end());
    return body;
  }
  static Json scores(const HttpResponse& r) {
    const Json j = Json::parse(r.body, nullptr, false);
    return j.is_object() && j.contains("outputs") ? j["outputs"][0]["data"] : Json(r.body);
  }
  /// The addresses at which a port is listened on, as the kernel writes them: "0100007F" is 127.0.0.1.
  static std::vector<std::string> listens_at(int port) {
    std::vector<std::string> all;
    for (const char* name : {"/proc/net/tcp", "/proc/net/tcp6"}) {
      std::ifstream table(name);
      for (std::string line, number, local, remote, state; std::getline(table, line);)
        if (std::istringstream(line) >> number >> local >> remote >> state && state == "0A")
          if (const auto at = local.rfind(fmt::format(":{:04X}", port)); at != std::string::npos)
            all.push_back(local.substr(0, at));
    }
    return all;
  }
  const std::string infer_ = "/v2/models/digits/infer";
  std::unique_ptr<Command> server_;
  int port_ = 0;
};

}  // namespace nw
