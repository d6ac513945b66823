// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/server_bench.hpp"

#include <gtest/gtest.h>

namespace nw::ui {
namespace {

TEST(ServerBench, NamesNetworksAsTheServerDoes) {
  EXPECT_EQ(ServerBench::modelOf(QStringLiteral("/runs/2026-11-26-lenet5.1_a")),
            QStringLiteral("2026-11-26-lenet5.1_a"));
  EXPECT_EQ(ServerBench::modelOf(QStringLiteral("/runs/my net")), QStringLiteral("my-net"));
  EXPECT_EQ(ServerBench::modelOf(QStringLiteral("/runs/宽")), QStringLiteral("---")) << "each byte";
}

}  // namespace
}  // namespace nw::ui
