// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer over a helper that has a million samples and counts what is asked of it.
#include "ui/data/explorer.hpp"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>
#include <cstring>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/data/data_probe.hpp"
#include "ui/data/exclusion.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int million = 1'000'000;

/// Sample i has index i and class i % 10, but the last ten thousand are all nines.
Message labels_of(int count) {
  std::vector<std::int32_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  for (int i = 0; i < count; ++i) numbers.push_back(i >= count - 10000 ? 9 : i % 10);
  Message m{Json{{"ok", true}, {"count", count}, {"test_set", false}}, {}};
  m.payload.resize(numbers.size() * 4);
  std::memcpy(m.payload.data(), numbers.data(), m.payload.size());
  return m;
}

class ExplorerTest : public testing::Test {
 protected:
  ExplorerTest() : helper([](const Message& request) {
    const std::string what = request.json["do"];
    if (what == "labels") return labels_of(request.json["split"] == "train" ? million : 20000);
    if (what != "images") return fake_answer(request);
    Message m = fake_images(static_cast<int>(request.json["samples"].size()), request.json["size"]);
    for (const Json& s : request.json["samples"]) m.json["names"].push_back("train: " + s["index"].dump());
    return m;
  }) {
    HelperClient::setDefaultLauncher(helper.launcher());
    session = std::make_unique<Session>();
    explorer = std::make_unique<Explorer>(*session);
    explorer->resize(1000, 700);
    explorer->show();
  }
  ~ExplorerTest() override {
    explorer.reset();
    session.reset();
    HelperClient::setDefaultLauncher({});
  }
  bool filled() {
    return eventually([&] {
      const auto [first, count] = explorer->grid().inView();
      if (count == 0 || !explorer->pictures().idle()) return false;
      for (int row = first; row < first + count; ++row)
        if (!explorer->pictures().picture(explorer->model().index(row))) return false;
      return true;
    });
  }
  FakeHelper helper;
  std::unique_ptr<Session> session;
  std::unique_ptr<Explorer> explorer;
};

TEST_F(ExplorerTest, OfAMillionOnlyThoseInViewAreAskedFor) {
  ASSERT_TRUE(filled());
  EXPECT_EQ(explorer->model().count(), million);
  const int visible = explorer->grid().inView().second;
  EXPECT_LT(visible, 200);
  EXPECT_EQ(explorer->pictures().askedFor(), visible);
  for (int i = 0; i < 50; ++i) explorer->grid().verticalScrollBar()->setValue(explorer->grid().verticalScrollBar()->maximum() * i / 60);   // a fling: nobody sees what lies between
  ASSERT_TRUE(filled());
  EXPECT_LE(explorer->pictures().askedFor(), 2 * visible + explorer->grid().columns() * 2) << "what was flown over was not asked for";
}

TEST_F(ExplorerTest, AJumpAwayGivesUpWhatIsNoLongerInView) {
  ASSERT_TRUE(filled());
  const auto before = helper.requests("images").size();
  QScrollBar& bar = *explorer->grid().verticalScrollBar();
  bar.setValue(bar.maximum() / 2);
  ASSERT_TRUE(eventually([&] { return !explorer->pictures().idle(); }));
  bar.setValue(bar.maximum());
  ASSERT_TRUE(filled());
  EXPECT_GT(helper.requests("images").size(), before);
  const Json last = helper.requests("images").back();
  EXPECT_GT(last["samples"].back()["index"].get<int>(), million - 400) << "the last request is for the end of the list";
}

TEST_F(ExplorerTest, AClassFiltersAndAnOrderSorts) {
  ASSERT_TRUE(filled());
  explorer->classes().setCurrentIndex(1 + 9);
  EXPECT_EQ(explorer->model().count(), 99000 + 10000);
  for (const int row : {0, 50000, 108999}) EXPECT_EQ(explorer->model().label(row), 9);
  explorer->classes().setCurrentIndex(0);
  explorer->orders().setCurrentIndex(static_cast<int>(ExplorerModel::Order::label));
  EXPECT_EQ(explorer->model().label(0), 0);
  EXPECT_EQ(explorer->model().label(million - 1), 9);
  explorer->orders().setCurrentIndex(static_cast<int>(ExplorerModel::Order::scattered));
  EXPECT_EQ(explorer->model().count(), million);
  std::set<qint64> seen;
  for (int row = 0; row < 1000; ++row) seen.insert(explorer->model().index(row));
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT_NEAR(explorer->model().imbalance(), 109000.0 / 99000.0, 1e-9);
}

TEST_F(ExplorerTest, KeysMoveThroughAMillionAndChoose) {
  ASSERT_TRUE(filled());
  ExplorerGrid& grid = explorer->grid();
  QTest::keyClick(&grid, Qt::Key_End);
  EXPECT_EQ(grid.current(), 0) << "the first key only takes hold";
  QTest::keyClick(&grid, Qt::Key_End);
  EXPECT_EQ(grid.current(), million - 1);
  const auto [first, count] = grid.inView();
  EXPECT_EQ(first + count, million);
  QTest::keyClick(&grid, Qt::Key_Up);
  EXPECT_EQ(grid.current(), million - 1 - grid.columns());
  QTest::keyClick(&grid, Qt::Key_Left, Qt::ShiftModifier);
  EXPECT_EQ(grid.chosen().size(), 2u);
  QTest::keyClick(&grid, Qt::Key_Home, Qt::ShiftModifier);
  EXPECT_LE(grid.chosen().size(), 4097u) << "what is chosen stays bounded";
}

TEST_F(ExplorerTest, WhatIsExcludedStaysInItsPlaceAndComesBack) {
  ASSERT_TRUE(filled());
  explorer->grid().setCurrent(3);
  ASSERT_TRUE(explorer->excludeButton().isEnabled());
  explorer->excludeButton().click();
  EXPECT_TRUE(isExcluded(*session, QStringLiteral("train: 3")));
  ASSERT_TRUE(eventually([&] { return dataProbe(*session).state() != DataProbe::State::opening; }));
  EXPECT_EQ(explorer->grid().current(), 3) << "the list does not jump";
  EXPECT_EQ(explorer->model().count(), million);
  explorer->excludeButton().click();
  EXPECT_FALSE(isExcluded(*session, QStringLiteral("train: 3")));
}

}  // namespace
}  // namespace nw::ui
