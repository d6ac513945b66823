// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/serve_http/models.hpp"
#include "engine/serve_http/routes.hpp"

namespace nw::serve_http {
namespace {

std::string read(std::string_view path) {
  const Target t = target_of(path);
  return std::string(name_of(t.route)) + "," + t.model + "," + t.version;
}

TEST(Routes, EveryPathOfTheProtocolIsRead) {
  EXPECT_EQ(read("/v2"), "server,,");
  EXPECT_EQ(read("/v2/"), "server,,");
  EXPECT_EQ(read("/v2/health/live"), "live,,");
  EXPECT_EQ(read("/v2/health/ready"), "ready,,");
  EXPECT_EQ(read("/v2/models/m"), "model,m,");
  EXPECT_EQ(read("/v2/models/m/ready"), "model_ready,m,");
  EXPECT_EQ(read("/v2/models/m/infer"), "infer,m,");
  EXPECT_EQ(read("/v2/models/m/versions/3"), "model,m,3");
  EXPECT_EQ(read("/v2/models/m/versions/3/infer"), "infer,m,3");
  EXPECT_EQ(read("/v2/repository/index"), "index,,");
  EXPECT_EQ(read("/"), "page,,");
}

TEST(Routes, OtherPathsAreNone) {
  for (const char* path :
       {"", "v2", "/v3", "/v2/models", "/v2/models/", "/v2/models//infer", "/v2/models/m/load", "/v2/models/m/infer/x",
        "/v2/models/m/versions//infer", "/v2/health", "/../v2", "/a/b/c/d/e/f/g/h/i/j/k/l/m/n"})
    EXPECT_EQ(target_of(path).route == Route::model ? Route::none : target_of(path).route, Route::none) << path;
}

TEST(Routes, OnlyThePageAndHealthAreOpenWithoutAToken) {
  for (const Route open : {Route::page, Route::page_script, Route::page_style, Route::live, Route::ready})
    EXPECT_TRUE(is_open(open)) << name_of(open);
  for (const Route closed :
       {Route::server, Route::index, Route::metrics, Route::model, Route::model_ready, Route::infer})
    EXPECT_FALSE(is_open(closed)) << name_of(closed);
}

TEST(LoopbackHost, NamesOfThisComputerOnly) {
  for (const char* host : {"localhost", "localhost:8000", "127.0.0.1:1", "[::1]", "[::1]:80"})
    EXPECT_TRUE(is_loopback_host(host)) << host;
  for (const char* host :
       {"", "example.org", "localhost.example.org", "127.0.0.1.example.org:80", "[::2]", "[", "10.0.0.1"})
    EXPECT_FALSE(is_loopback_host(host)) << host;
}

TEST(EqualSecret, TheWholeTokenAndNothingElse) {
  EXPECT_TRUE(equal_secret("secret", "secret"));
  for (const char* other : {"", "secre", "secrets", "Secret", "secretsecret"})
    EXPECT_FALSE(equal_secret("secret", other)) << other;
  EXPECT_FALSE(equal_secret("", ""));
}

TEST(ModelName, HoldsNothingThatNeedsEscaping) {
  EXPECT_EQ(model_name("/runs/2026-11-26-lenet5-a7/"), "2026-11-26-lenet5-a7");
  EXPECT_EQ(model_name("/runs/a \"b\"/c d\n"), "c-d-");
}

}  // namespace
}  // namespace nw::serve_http
