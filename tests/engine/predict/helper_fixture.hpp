// SPDX-License-Identifier: Apache-2.0
// The helper in a thread of its own, at the other end of a socket pair.
#pragma once
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "engine/predict/serve.hpp"
#include "tests/engine/predict/trained.hpp"

namespace nw {

class Helper : public testing::Test {
 protected:
  Helper() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0);
    thread_ = std::thread([fd = ends_[1]] {
      serve(fd);
      ::close(fd);
    });
  }
  ~Helper() override { disconnect_peer(); }
  void disconnect_peer() {
    if (!thread_.joinable()) return;
    ::close(ends_[0]);
    thread_.join();
  }
  void send(Json json, std::vector<std::uint8_t> payload = {}) {
    ASSERT_TRUE(send_message(ends_[0], {std::move(json), std::move(payload)}));
  }
  Message receive() {
    auto m = receive_message(ends_[0]);
    EXPECT_TRUE(m) << m.error().str();
    return m ? *m : Message{};
  }
  /// Returns the final response and counts the progress messages before it.
  Message ask(Json json, std::vector<std::uint8_t> payload = {}) {
    json["id"] = ++id_;
    send(json, std::move(payload));
    for (;;) {
      Message m = receive();
      if (m.json.is_null()) return m;
      EXPECT_EQ(m.json.value("id", 0), id_);
      if (!m.json.contains("progress")) return m;
      ++progress_;
    }
  }
  Json run(Json json) {
    json["run"] = trained().request.run.string();
    return json;
  }
  static Json data() { return to_json_of(trained().request.definition.doc.data()); }
  static Json to_json_of(const DataChoice& d) {
    return Json{{"kind", "synthetic"},
                {"synthetic_train", d.synthetic_train},
                {"synthetic_test", d.synthetic_test},
                {"validation_fraction", 0.1}};
  }

  int ends_[2] = {-1, -1};
  int id_ = 0, progress_ = 0;
  std::thread thread_;
};

}  // namespace nw
