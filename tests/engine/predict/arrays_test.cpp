// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/arrays.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace nw {
namespace {

Message example() {
  Message m{Json{{"ok", true}}, {}};
  put_array<std::int32_t>(m, "label", std::vector<std::int64_t>{3, -1, 7});
  put_array<double>(m, "x", std::vector<double>{0.5, std::numeric_limits<double>::quiet_NaN()});
  put_array<float>(m, "none", std::vector<float>{});
  return m;
}

TEST(Arrays, AreReadAsTheyWereWritten) {
  const Message m = example();
  EXPECT_EQ(*array_in<std::int32_t>(m, "label", 3), (std::vector<std::int32_t>{3, -1, 7}));
  EXPECT_EQ(*array_in<double>(m, "x", 2, -1), (std::vector<double>{0.5, -1})) << "what is not finite is missing";
  EXPECT_TRUE(array_in<float>(m, "none", 0)->empty());
  EXPECT_EQ(m.json["arrays"]["x"]["at"], 16) << "aligned";
}

TEST(Arrays, OfAnotherTypeCountOrNameAreRefused) {
  const Message m = example();
  EXPECT_FALSE(array_in<float>(m, "label", 3));
  EXPECT_FALSE(array_in<std::int64_t>(m, "label"));
  EXPECT_FALSE(array_in<std::int32_t>(m, "label", 4));
  EXPECT_FALSE(array_in<std::int32_t>(m, "lable"));
  EXPECT_FALSE(array_in<std::int32_t>(Message{Json::array(), {}}, "label"));
}

/// Whatever the peer writes about an array, no byte outside the payload is read and nothing large is allocated.
TEST(Arrays, ThatDoNotLieInThePayloadAreRefused) {
  const std::vector<Json> lies = {-1,
                                  1.5,
                                  "0",
                                  nullptr,
                                  24,
                                  37,
                                  payload_limit,
                                  std::uint64_t{1} << 63,
                                  std::numeric_limits<std::uint64_t>::max(),
                                  Json::object()};
  for (const char* key : {"at", "count"})
    for (const Json& lie : lies) {
      Message m = example();
      m.json["arrays"]["label"][key] = lie;
      EXPECT_FALSE(array_in<std::int32_t>(m, "label")) << key << " " << lie;
    }
  Message cut = example();
  cut.payload.resize(11);
  EXPECT_FALSE(array_in<std::int32_t>(cut, "label"));
  Message lists = example();
  lists.json["arrays"] = Json::array({1});
  EXPECT_FALSE(array_in<std::int32_t>(lists, "label"));
}

}  // namespace
}  // namespace nw
