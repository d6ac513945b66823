// SPDX-License-Identifier: Apache-2.0
// Any text as a word of a shell and as a scalar of YAML, read back by the shells and by kubectl's reader of YAML.
#include "engine/submit/quoting.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "engine/submit/process.hpp"

namespace nw::submit {
namespace {

bool is_installed(const std::string& program) {
  const auto found = run_process({"sh", "-c", "command -v " + program}, "", {});
  return found && found->code == 0;
}

/// Texts with many of the characters that mean something to somebody; no byte 0.
rc::Gen<std::string> hostile_text() {
  using namespace rc;
  const auto special = gen::elementOf(std::string(" '\"\\$`!*?[]{}()<>|&;#~%^=:,-\n\r\t\x01\x7f\x80\xff\xc3\xa9@"));
  const auto any = gen::map(gen::inRange(1, 256), [](int c) { return static_cast<char>(c); });
  return gen::container<std::string>(gen::weightedOneOf<char>({{3, special}, {1, any}}));
}

class Shells : public testing::TestWithParam<const char*> {};

TEST_P(Shells, EveryTextIsOneWord) {
  if (!is_installed(GetParam())) GTEST_SKIP() << GetParam() << " is not installed";
  EXPECT_TRUE(rc::check([&] {
    const auto words = *rc::gen::container<std::vector<std::string>>(hostile_text());
    std::string script = "printf '%s\\0' ";
    std::string expected;
    for (const std::string& word : words) script += shell_word(word) + " ", expected += word + std::string(1, '\0');
    if (words.empty()) expected = std::string(1, '\0');
    const auto said = run_process({GetParam(), "-c", script}, "", {});
    RC_ASSERT(said && said->code == 0);
    RC_ASSERT(said->out == expected);
  }));
}
INSTANTIATE_TEST_SUITE_P(Each, Shells, testing::Values("sh", "bash", "zsh"));

TEST(Quoting, AWordThatZshTakesForACommandIsQuoted) {
  EXPECT_EQ(shell_word("=ls"), "'=ls'");
  EXPECT_EQ(shell_word("--lr=0.1"), "--lr=0.1");
}

/// A shell in a shell, as ssh has it: the login shell gets one line.
TEST(Quoting, AScriptInAWordIsItself) {
  EXPECT_TRUE(rc::check([] {
    const std::string inner = *hostile_text(), script = "printf %s " + shell_word(inner);
    const auto said = run_process({"sh", "-c", "exec sh -c " + shell_word(script)}, "", {});
    RC_ASSERT(said && said->out == inner);
  }));
}

std::string valid_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

TEST(Quoting, AScalarOfYamlIsOneLineOfPrintableAscii) {
  EXPECT_TRUE(rc::check([] {
    const std::string scalar = yaml_text(*hostile_text());
    RC_ASSERT(std::all_of(scalar.begin(), scalar.end(), [](char c) { return c >= 0x20 && c < 0x7F; }));
    RC_ASSERT(scalar.front() == '"' && scalar.back() == '"');
  }));
  EXPECT_EQ(yaml_text("a\"b\\c\n\xc3\xa9\xff\xf0\x9f\x98\x80"), "\"a\\\"b\\\\c\\u000A\\u00E9\\uFFFD\\U0001F600\"");
}

/// A document of random texts, keys and nestings, read by `reader`, which prints it as JSON.
void expect_read_back(const std::vector<std::string>& reader, int documents) {
  for (int i = 0; i < documents; ++i) {
    rc::Random random(static_cast<std::uint64_t>(i));
    std::map<std::string, std::string> members;
    for (int n = 0; n < 20; ++n) {
      const std::string key = valid_utf8(hostile_text()(random.split(), 20).value());
      members[key + std::to_string(n)] = valid_utf8(hostile_text()(random.split(), 30).value());
    }
    const Json document{
        {"apiVersion", "v1"},
        {"kind", "ConfigMap"},
        {"metadata", {{"name", "a"}, {"no", "no"}, {"y", "1"}, {"list", {"~", {{"b", members}}, {1, 2}}}}},
        {"data", members}};
    const auto said = run_process(reader, yaml(document), {});
    ASSERT_TRUE(said && said->code == 0) << said->err << yaml(document);
    EXPECT_EQ(Json::parse(said->out, nullptr, false), document) << yaml(document);
  }
}

TEST(Quoting, KubectlReadsADocumentBack) {
  if (!is_installed("kubectl")) GTEST_SKIP() << "kubectl is not installed";
  // --local: without a cluster. Of a kind that it does not know it keeps every member.
  const Json document{
      {"apiVersion", "kubeflow.org/v2beta1"},
      {"kind", "MPIJob"},
      {"metadata", {{"annotations", {{"a", "b"}}}, {"name", "x"}}},
      {"spec", {{"text", "'\"\\ #\t\xe4\xb8\xad: - \n"}, {"on", true}, {"list", {1, "1", {{"a", "no"}}}}}}};
  const auto said = run_process({"kubectl", "annotate", "--local", "-f", "-", "-o", "json", "a=b"}, yaml(document), {});
  ASSERT_TRUE(said && said->code == 0) << said->err;
  EXPECT_EQ(Json::parse(said->out, nullptr, false), document);
}

TEST(Quoting, PyYamlReadsADocumentBack) {
  if (!is_installed("python3") || run_process({"python3", "-c", "import yaml"}, "", {})->code != 0)
    GTEST_SKIP() << "python3 has no yaml";
  expect_read_back({"python3", "-c", "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.buffer)))"},
                   40);
}

TEST(Process, IsEndedAtItsLimits) {
  ProcessLimits limits;
  limits.timeout_s = 0.3;
  EXPECT_EQ(run_process({"sleep", "20"}, "", limits).error().code, Errc::no_response);
  limits = {};
  limits.silence_s = 0.3;
  EXPECT_EQ(run_process({"sh", "-c", "echo a; sleep 20"}, "", limits).error().code, Errc::no_response);
  limits = {};
  limits.out_bytes = 1000;
  EXPECT_EQ(run_process({"yes"}, "", limits).error().code, Errc::bad_input);
  EXPECT_NE(run_process({"netwright-no-such-program"}, "", {}).error().str().find("is not installed"),
            std::string::npos);
}

TEST(Process, TakesAndGivesMoreThanAPipeHolds) {
  const std::string input(std::size_t{3} << 20, 'x');
  ProcessLimits limits;
  limits.out_bytes = std::size_t{4} << 20;
  const auto said = run_process({"sh", "-c", "cat; echo no >&2; exit 3"}, input, limits);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->code, 3);
  EXPECT_EQ(said->err, "no\n");
  EXPECT_TRUE(said->out == input);
}

}  // namespace
}  // namespace nw::submit
