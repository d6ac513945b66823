// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QThread>
#include <condition_variable>
#include <csignal>
#include <filesystem>

#include "engine/core/files.hpp"
#include "tests/ui/predict/fake_helper.hpp"

namespace nw::ui {
namespace {

struct Heard {
  int answers = 0;
  bool ok = false;
  std::string error;
  Message message;
  QThread* thread = nullptr;
  HelperClient::Answer listener() {
    return [this](const Result<Message>& answer) {
      ++answers;
      ok = static_cast<bool>(answer);
      thread = QThread::currentThread();
      if (answer)
        message = *answer;
      else
        error = answer.error().str();
    };
  }
};

Message echo(const Message& request) {
  return {Json{{"ok", true}, {"text", request.json.value("text", "")}}, request.payload};
}

TEST(HelperClient, AnswersArriveOnTheRequestingThreadWithTheirPayload) {
  FakeHelper helper(echo);
  HelperClient client(helper.launcher());
  QObject context;
  Heard heard;
  client.askJson(&context, Json{{"do", "echo"}, {"text", "hello"}}, heard.listener(), {}, {1, 2, 3});
  EXPECT_EQ(heard.answers, 0) << "ask must not call back before it returned";
  ASSERT_TRUE(eventually([&] { return heard.answers == 1; }));
  EXPECT_TRUE(heard.ok);
  EXPECT_EQ(heard.thread, QThread::currentThread());
  EXPECT_EQ(heard.message.json["text"], "hello");
  EXPECT_EQ(heard.message.payload, (std::vector<std::uint8_t>{1, 2, 3}));
}

TEST(HelperClient, StartsNothingBeforeTheFirstRequest) {
  FakeHelper helper(echo);
  HelperClient client(helper.launcher());
  QCoreApplication::processEvents();
  EXPECT_EQ(helper.launches, 0);
}

TEST(HelperClient, OpensEachConnectionWithTheVersionOfTheProtocol) {
  FakeHelper helper(echo);
  HelperClient client(helper.launcher());
  QObject context;
  Heard heard;
  for (int i = 1; i <= 2; ++i) {
    client.askJson(&context, Json{{"do", "echo"}}, heard.listener());
    ASSERT_TRUE(eventually([&] { return heard.answers == i; }));
  }
  ASSERT_EQ(helper.openings().size(), 1U);
  EXPECT_EQ(helper.openings().front(), protocol::opening_message());
  bool ended = false;
  QObject::connect(&client, &HelperClient::endedUnexpectedly, [&] { ended = true; });
  helper.disconnect_peer();
  ASSERT_TRUE(eventually([&] { return ended; }));
  client.askJson(&context, Json{{"do", "echo"}}, heard.listener());
  ASSERT_TRUE(eventually([&] { return heard.answers == 3; }));
  EXPECT_EQ(helper.openings().size(), 2U) << "the program may have been replaced";
}

TEST(HelperClient, ProgressComesBeforeTheAnswer) {
  FakeHelper* speaker = nullptr;
  FakeHelper helper([&](const Message& request) {
    speaker->send_progress(request.json["id"], 0.5);
    return echo(request);
  });
  speaker = &helper;
  HelperClient client(helper.launcher());
  QObject context;
  Heard heard;
  std::vector<double> progress;
  client.askJson(&context, Json{{"do", "echo"}}, heard.listener(), [&](double p) {
    EXPECT_EQ(heard.answers, 0);
    progress.push_back(p);
  });
  ASSERT_TRUE(eventually([&] { return heard.answers == 1; }));
  EXPECT_EQ(progress, (std::vector<double>{0.5}));
}

TEST(HelperClient, AnErrorOfTheHelperIsAnErrorWithItsSentence) {
  FakeHelper helper([](const Message&) { return Message{Json{{"error", "The folder is empty"}}, {}}; });
  HelperClient client(helper.launcher());
  QObject context;
  Heard heard;
  client.askJson(&context, Json{{"do", "open_data"}}, heard.listener());
  ASSERT_TRUE(eventually([&] { return heard.answers == 1; }));
  EXPECT_FALSE(heard.ok);
  EXPECT_EQ(heard.error, "The folder is empty");
}

TEST(HelperClient, ACrashOfTheHelperFailsOpenRequestsAndTheNextRequestRestartsIt) {
  FakeHelper* speaker = nullptr;
  std::atomic<int> asked = 0;
  FakeHelper helper([&](const Message& request) {
    if (++asked > 1) return echo(request);
    speaker->disconnect_peer();
    return Message{};
  });
  speaker = &helper;
  HelperClient client(helper.launcher());
  QObject context;
  Heard first, second;
  int deaths = 0;
  QObject::connect(&client, &HelperClient::endedUnexpectedly, [&](const QString& sentence) {
    ++deaths;
    EXPECT_FALSE(sentence.isEmpty());
  });
  client.askJson(&context, Json{{"do", "echo"}}, first.listener());
  ASSERT_TRUE(eventually([&] { return deaths == 1; }));
  EXPECT_EQ(first.answers, 1);
  EXPECT_FALSE(first.ok);
  client.askJson(&context, Json{{"do", "echo"}, {"text", "again"}}, second.listener());
  ASSERT_TRUE(eventually([&] { return second.answers == 1; }));
  EXPECT_TRUE(second.ok);
  EXPECT_EQ(helper.launches, 2);
}

TEST(HelperClient, AHelperThatCannotBeStartedFailsTheRequestWithTheReason) {
  HelperClient client([]() -> Result<HelperClient::Link> { return fail(Errc::other, "netwright-cli is not there"); });
  QObject context;
  Heard heard;
  client.askJson(&context, Json{{"do", "echo"}}, heard.listener());
  ASSERT_TRUE(eventually([&] { return heard.answers == 1; }));
  EXPECT_EQ(heard.error, "netwright-cli is not there");
}

TEST(HelperClient, ACancelledRequestIsNotAnsweredAndTheHelperIsNotified) {
  FakeHelper helper([](const Message& request) { return request.json["do"] == "slow" ? Message{} : echo(request); });
  HelperClient client(helper.launcher());
  QObject context;
  Heard slow, quick;
  const qint64 id = client.askJson(&context, Json{{"do", "slow"}}, slow.listener());
  ASSERT_TRUE(eventually([&] { return helper.requests("slow").size() == 1; }));
  client.cancel(id);
  client.askJson(&context, Json{{"do", "echo"}}, quick.listener());
  ASSERT_TRUE(eventually([&] { return quick.answers == 1; }));
  EXPECT_EQ(slow.answers, 0);
  ASSERT_EQ(helper.requests("cancel").size(), 1u);
  EXPECT_EQ(helper.requests("cancel")[0]["id"], id);
}

TEST(HelperClient, AnAnswerForADeletedObjectIsDropped) {
  FakeHelper helper(echo);
  HelperClient client(helper.launcher());
  QObject other;
  Heard gone, here;
  auto context = std::make_unique<QObject>();
  client.askJson(context.get(), Json{{"do", "echo"}}, gone.listener());
  context.reset();
  client.askJson(&other, Json{{"do", "echo"}}, here.listener());
  ASSERT_TRUE(eventually([&] { return here.answers == 1; }));
  EXPECT_EQ(gone.answers, 0);
}

TEST(HelperClient, TheRealHelperIsStartedAgainAfterItWasKilled) {
  if (!fs::exists(program_folder() / "netwright-cli")) GTEST_SKIP() << "netwright-cli is not built beside this test";
  HelperClient client;
  QObject context;
  Heard before, after;
  const Json request{{"do", "decode"}, {"path", "/nonexistent/picture.png"}, {"size", 16}};
  client.askJson(&context, request, before.listener());
  ASSERT_TRUE(eventually([&] { return before.answers == 1; }));
  EXPECT_FALSE(before.ok);
  EXPECT_EQ(before.error.find("helper process"), std::string::npos) << before.error;
  bool died = false;
  QObject::connect(&client, &HelperClient::endedUnexpectedly, [&] { died = true; });
  ASSERT_GT(client.processId(), 0);
  kill(static_cast<pid_t>(client.processId()), SIGKILL);
  ASSERT_TRUE(eventually([&] { return died; }));
  client.askJson(&context, request, after.listener());
  ASSERT_TRUE(eventually([&] { return after.answers == 1; }));
  EXPECT_EQ(after.error, before.error);
}

}  // namespace
}  // namespace nw::ui
