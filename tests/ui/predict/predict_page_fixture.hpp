// SPDX-License-Identifier: GPL-3.0-or-later
// The Predict page alone, on a helper that answers as the test wants.
#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "tests/ui/predict/fake_helper.hpp"
#include "tests/ui/predict/hands.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

class PredictPageTest : public testing::Test {
 protected:
  PredictPageTest() : helper(fake_response) { HelperClient::setDefaultLauncher(helper.launcher()); }
  ~PredictPageTest() override { HelperClient::setDefaultLauncher({}); }
  void open() {
    session = std::make_unique<Session>();
    page = std::make_unique<PredictPage>(*session);
    page->resize(1400, 860);
    page->source().setWeights(QStringLiteral("/tmp/runs/2026-lenet5-a7"), QStringLiteral("best"));
    page->show();
    ASSERT_TRUE(eventually([&] { return page->source().view() != nullptr; }));
  }
  FakeHelper helper;
  std::unique_ptr<Session> session;
  std::unique_ptr<PredictPage> page;
};

}  // namespace nw::ui
