// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/known_processors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/paths.hpp"

namespace nw::scaling {
namespace {

/// As docs/performance.md writes numbers: "150 046".
std::string grouped(double speed) {
  std::string digits = std::to_string(std::llround(speed));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}

TEST(KnownProcessors, EachFigureStandsInTheDocumentInARowOfItsNetwork) {
  const auto document = read_file(nw::test::source_folder() + "/docs/performance.md", 1 << 22);
  ASSERT_TRUE(document);
  const auto stands = [&](std::string_view network, double speed) {
    std::size_t at = 0;
    while ((at = document->find(fmt::format("| `{}`", network), at)) != std::string::npos) {
      const std::string row = document->substr(at, document->find('\n', at) - at);
      if (row.find("| " + grouped(speed) + " ") != std::string::npos) return true;
      ++at;
    }
    return false;
  };
  for (const KnownProcessor& known : known_processors())
    for (std::size_t n = 0; n < compared_networks.size(); ++n)
      for (const double speed : {known.fp32[n], known.sixteen_bits[n]})
        EXPECT_TRUE(speed == 0 || stands(compared_networks[n], speed))
            << known.name << ", " << known.date << ": " << compared_networks[n] << " " << grouped(speed);
}

TEST(KnownProcessors, ComparedNetworksAreTemplates) {
  for (const std::string_view net : compared_networks) EXPECT_TRUE(find_template(net)) << net;
}

}  // namespace
}  // namespace nw::scaling
