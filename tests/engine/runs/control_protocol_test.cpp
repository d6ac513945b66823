// SPDX-License-Identifier: Apache-2.0
// A run and a program of different versions on the control socket.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <thread>

#include "engine/runs/control_protocol.hpp"
#include "engine/runs/control_server.hpp"
#include "engine/runs/descriptor.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ControlProtocol : public testing::Test {
 protected:
  ControlProtocol() { ::setenv("XDG_RUNTIME_DIR", runtime_.path.c_str(), 1); }
  ~ControlProtocol() override { ::unsetenv("XDG_RUNTIME_DIR"); }
  sockaddr_un address() const {
    sockaddr_un at{.sun_family = AF_UNIX, .sun_path = {}};
    std::strncpy(at.sun_path, control_socket(run_.path).c_str(), sizeof at.sun_path - 1);
    return at;
  }
  /// What a run of this program answers to a line as another program sends it.
  std::string raw_answer(const std::string& line) {
    const auto server = ControlServer::start(run_.path, [this](std::string_view asked) {
      asked_.emplace_back(asked);
      return std::string("ok");
    });
    EXPECT_TRUE(server);
    const sockaddr_un at = address();
    const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(socket.fd, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    (void)!::send(socket.fd, (line + "\n").c_str(), line.size() + 1, MSG_NOSIGNAL);
    char answer[1024];
    const ssize_t n = ::recv(socket.fd, answer, sizeof answer, 0);
    return n < 1 ? "" : std::string(answer, static_cast<std::size_t>(n - 1));
  }
  Folder runtime_, run_;
  std::vector<std::string> asked_;
};

/// A run of another program: `answer` gets every line as it was sent.
class OtherRun {
 public:
  using Answer = std::function<std::string(const std::string&)>;
  OtherRun(const sockaddr_un& at, Answer answer) : answer_(std::move(answer)) {
    fs::create_directories(fs::path(at.sun_path).parent_path());
    EXPECT_EQ(::bind(listening_.fd, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    EXPECT_EQ(::listen(listening_.fd, 4), 0);
    thread_ = std::jthread([this] { serve(); });
  }
  ~OtherRun() { ::shutdown(listening_.fd, SHUT_RDWR); }

 private:
  void serve() {
    for (;;) {
      const Descriptor asker(::accept4(listening_.fd, nullptr, nullptr, SOCK_CLOEXEC));
      char line[256];
      const ssize_t n = asker.fd < 0 ? 0 : ::recv(asker.fd, line, sizeof line, 0);
      if (n < 1) return;
      const std::string answer = answer_(std::string(line, static_cast<std::size_t>(n - 1))) + "\n";
      (void)!::send(asker.fd, answer.c_str(), answer.size(), MSG_NOSIGNAL);
    }
  }
  Answer answer_;
  const Descriptor listening_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::jthread thread_;
};

TEST_F(ControlProtocol, ARunOfVersion0IsStoppedWithoutANumber) {
  std::vector<std::string> sent;
  {
    const OtherRun run(address(), [&](const std::string& line) {
      sent.push_back(line);
      return line == "stop" ? "ok" : "error: a run understands pause, continue, stop";
    });
    const auto answer = control_run(run_.path, "stop");
    ASSERT_TRUE(answer) << answer.error().str();
    EXPECT_EQ(*answer, "ok");
    const auto unknown = control_run(run_.path, "fly");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().str(), "a run understands pause, continue, stop");
  }
  EXPECT_THAT(sent, ElementsAre("protocol 1 stop", "stop", "protocol 1 fly", "fly"));
}

TEST_F(ControlProtocol, AnAnswerOfALaterVersionIsRefusedWithBothVersions) {
  const OtherRun run(address(), [](const std::string&) { return "protocol 7 done"; });
  const auto answer = control_run(run_.path, "stop");
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().str(), HasSubstr("version 7"));
  EXPECT_THAT(answer.error().str(), HasSubstr("speaks version 1"));
}

TEST_F(ControlProtocol, TheRefusalOfALaterRunIsPassedOn) {
  const OtherRun run(address(), [](const std::string&) { return "protocol 7 error: ask with netwright-cli 3.0.0"; });
  const auto answer = control_run(run_.path, "stop");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().str(), "ask with netwright-cli 3.0.0");
}

TEST_F(ControlProtocol, AProgramOfALaterVersionIsRefusedWithBothVersions) {
  const std::string answer = raw_answer("protocol 2 stop");
  EXPECT_THAT(answer, testing::StartsWith("protocol 1 error: "));
  EXPECT_THAT(answer, HasSubstr("speaks version 1"));
  EXPECT_THAT(answer, HasSubstr("speaks version 2"));
  EXPECT_THAT(answer, HasSubstr("kill -TERM " + std::to_string(::getpid())));
  EXPECT_TRUE(asked_.empty()) << "it was carried out";
}

TEST_F(ControlProtocol, TheAnswerHasANumberIfTheCommandHasOne) {
  EXPECT_EQ(raw_answer("protocol 1 set learning_rate 0.1"), "protocol 1 ok");
  EXPECT_EQ(raw_answer("stop"), "ok") << "a program of version 0";
  EXPECT_THAT(asked_, ElementsAre("set learning_rate 0.1", "stop"));
}

TEST(ControlNumber, IsReadOnlyWhereThereIsOne) {
  EXPECT_EQ(read_numbered("protocol 12 pause now").protocol, 12);
  EXPECT_EQ(read_numbered("protocol 12 pause now").text, "pause now");
  for (const char* line : {"", "pause", "protocol", "protocol ", "protocol 1", "protocol 0 pause", "protocol -1 pause",
                           "protocol 1pause", "protocol 99999999999999999999 pause", "protocols 1 pause"}) {
    EXPECT_EQ(read_numbered(line).protocol, 0) << line;
    EXPECT_EQ(read_numbered(line).text, line);
  }
}

}  // namespace
}  // namespace nw
