// SPDX-License-Identifier: Apache-2.0
// netwright-cli data list and data get with a local test server; every other address is sent to an unreachable proxy.
#include <gmock/gmock.h>

#include "engine/data/fetch/http.hpp"
#include "engine/data/fetch/public_sets.hpp"
#include "tests/app/cli_fixture.hpp"
#include "tests/support/http_server.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class DataGet : public Cli {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(test::programs_folder()) / "libnw_net.so")) GTEST_SKIP() << "built without libcurl";
    for (const char* name : {"http_proxy", "https_proxy"}) ::setenv(name, "http://127.0.0.1:1", 1);
  }
  ~DataGet() override {
    for (const char* name : {"http_proxy", "https_proxy"}) ::unsetenv(name);
  }
};

TEST_F(DataGet, ListContainsEveryPublicDataSet) {
  const CommandOutput output = run({"data", "list", "--json"});
  ASSERT_EQ(output.code, 0) << output.err;
  ASSERT_EQ(output.lines().size(), public_sets().size());
  EXPECT_EQ(output.lines()[0]["id"], "mnist");
  EXPECT_EQ(output.lines()[0]["complete"], false);
  EXPECT_EQ(output.lines()[0]["here"], false) << "scripts written for version 0.1";
  EXPECT_THAT(run({"data", "list"}).out, HasSubstr("not published"));
}

TEST_F(DataGet, OfflineDownloadFailsWithManualInstructions) {
  const CommandOutput output = run({"data", "get", "kmnist", "--to", at("kmnist")});
  EXPECT_EQ(output.code, 1);
  EXPECT_THAT(
      output.err,
      HasSubstr(
          "Without a network: download http://codh.rois.ac.jp/kmnist/dataset/kmnist/train-images-idx3-ubyte.gz on "
          "another computer, copy it into " +
          at("kmnist")));
  EXPECT_EQ(run({"data", "get", "nothing"}).code, 2);
}

TEST_F(DataGet, WrongMirrorFileIsRejectedWithAJsonError) {
  const PublicSet& set = *find_public_set("kmnist");
  test::HttpServer server([&](int socket, const test::HttpRequest& asked) {
    test::send_file(socket, asked, std::string(static_cast<std::size_t>(set.files[0].bytes), 'x'));
  });
  const CommandOutput output =
      run({"data", "get", "kmnist", "--to", at("kmnist"), "--mirror", server.url("/"), "--json"});
  EXPECT_EQ(output.code, 3) << output.err;
  EXPECT_EQ(server.asked().front().path, "/kmnist/train-images-idx3-ubyte.gz");
  const std::vector<Json> lines = output.lines();
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines.front()["type"], "progress");
  EXPECT_EQ(lines.back()["type"], "error");
  EXPECT_THAT(lines.back()["source"].get<std::string>(), HasSubstr("is not the published file"));
  EXPECT_FALSE(fs::exists(fs::path(at("kmnist")) / "train-images-idx3-ubyte.gz"));
}

TEST_F(DataGet, InterruptKeepsThePartialDownload) {
  const PublicSet& set = *find_public_set("kmnist");
  std::atomic<bool> sent{false}, done{false};
  test::HttpServer server([&](int socket, const test::HttpRequest&) {
    test::send_head(socket, "200 OK", "Content-Length: " + std::to_string(set.files[0].bytes) + "\r\n");
    test::send_all(socket, std::string(100000, 'x'));
    sent = true;
    done.wait(false);
  });
  Command command(place_, {"data", "get", "kmnist", "--to", at("kmnist"), "--mirror", server.url("/")});
  const fs::path part = fs::path(at("kmnist")) / ".train-images-idx3-ubyte.gz.part";
  std::error_code ignored;
  EXPECT_TRUE(wait_for([&] { return sent && fs::exists(part, ignored) && fs::file_size(part, ignored) == 100000; }));
  ::kill(command.pid(), SIGINT);
  const CommandOutput output = command.wait();
  done = true;
  done.notify_all();
  EXPECT_EQ(output.code, 8) << output.err;
  EXPECT_THAT(output.err, HasSubstr("the next download continues from it"));
  EXPECT_EQ(fs::file_size(part), 100000u);
}

}  // namespace
}  // namespace nw
