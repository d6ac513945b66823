// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer with a fake helper that has a million samples and counts the requests.
#include "ui/data/explorer.hpp"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>
#include <cstring>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/session/exclusion.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

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

Message packed(Json json, const std::vector<std::int32_t>& numbers) {
  Message m{std::move(json), {}};
  m.payload.resize(numbers.size() * 4);
  std::memcpy(m.payload.data(), numbers.data(), m.payload.size());
  return m;
}
/// A ranking that reverses the order of the samples.
Message backwards(int count) {
  std::vector<std::int32_t> places;
  for (int i = count; i-- > 0;) places.push_back(i);
  return packed(Json{{"ok", true}, {"count", count}}, places);
}
/// At most `most` samples per response: brightness falls with the index, contrast is largest in the middle.
Message tones_of(int begin, int total, int most = 300000) {
  const int count = std::min(most, total - begin);
  std::vector<std::int32_t> values;
  for (int i = begin; i < begin + count; ++i) values.push_back(255000 - i / 8);
  for (int i = begin; i < begin + count; ++i) values.push_back(total - std::abs(2 * i - total));
  return packed(Json{{"ok", true}, {"count", count}, {"total", total}}, values);
}

class ExplorerTest : public testing::Test {
 protected:
  ExplorerTest()
      : helper([](const Message& request) {
          const std::string what = request.json["do"];
          if (what == "labels") return labels_of(request.json["split"] == "train" ? million : 20000);
          if (what == "losses")
            return request.json["split"] == "train" ? tones_of(0, million, million)
                                                    : Message{Json{{"error", "they have no predictions"}}, {}};
          if (what == "order_by_name") return backwards(request.json["split"] == "train" ? million : 20000);
          if (what == "tones")
            return tones_of(request.json["begin"], request.json["split"] == "train" ? million : 20000);
          if (what != "images") return fake_response(request);
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

TEST_F(ExplorerTest, OfAMillionImagesOnlyVisibleOnesAreRequested) {
  ASSERT_TRUE(filled());
  EXPECT_EQ(explorer->model().count(), million);
  const int visible = explorer->grid().inView().second;
  EXPECT_LT(visible, 200);
  EXPECT_EQ(explorer->pictures().askedFor(), visible);
  // fast scrolling: thumbnails in between are not needed
  for (int i = 0; i < 50; ++i)
    explorer->grid().verticalScrollBar()->setValue(explorer->grid().verticalScrollBar()->maximum() * i / 60);
  ASSERT_TRUE(filled());
  EXPECT_LE(explorer->pictures().askedFor(), 2 * visible + explorer->grid().columns() * 2)
      << "what was flown over was not asked for";
}

TEST_F(ExplorerTest, VisibleImagesAreDrawn) {
  ASSERT_TRUE(filled());
  const auto [first, count] = explorer->grid().inView();
  const auto drawn = [&] {  // a thumbnail is painted in every corner of the view
    const QImage seen = explorer->grid().viewport()->grab().toImage();
    const int columns = explorer->grid().columns(), lines = (explorer->grid().viewport()->height() - 50) / 100;
    for (const int x : {0, columns - 1})
      for (const int y : {0, lines - 1})
        if (seen.pixelColor(14 + 82 * x + 36, 14 + 100 * y + 36) == theme().sunken) return false;
    return true;
  };
  EXPECT_TRUE(eventually(drawn)) << first << " " << count;
}

TEST_F(ExplorerTest, AJumpCancelsRequestsForHiddenImages) {
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

TEST_F(ExplorerTest, NamesAndBrightnessSortAMillionImages) {
  ASSERT_TRUE(filled());
  const auto sort = [&](ExplorerModel::Order order) {
    explorer->orders().setCurrentIndex(static_cast<int>(order));
    return eventually([&] { return explorer->settled() && explorer->model().hasRanking(order); });
  };
  ASSERT_TRUE(sort(ExplorerModel::Order::name));
  EXPECT_EQ(explorer->model().index(0), million - 1);
  ASSERT_TRUE(sort(ExplorerModel::Order::brightest));
  EXPECT_EQ(helper.requests("tones").size(), 4u);
  EXPECT_EQ(explorer->model().index(0), 0);
  EXPECT_EQ(explorer->model().index(3), 3) << "what is equally bright stays as it lies";
  ASSERT_TRUE(sort(ExplorerModel::Order::darkest));
  EXPECT_EQ(explorer->model().index(0), million - 8);
  ASSERT_TRUE(sort(ExplorerModel::Order::starkest));
  EXPECT_EQ(explorer->model().index(0), million / 2);
  ASSERT_TRUE(sort(ExplorerModel::Order::flattest));
  EXPECT_EQ(explorer->model().index(0), 0);
  EXPECT_EQ(explorer->model().index(million - 1), million / 2);
  EXPECT_EQ(helper.requests("tones").size(), 4u) << "measured once";
  explorer->classes().setCurrentIndex(1 + 3);
  EXPECT_EQ(explorer->model().count(), 99000);
  EXPECT_EQ(explorer->model().label(98999), 3);
  explorer->setSplit(2);  // other samples: the order stays selected, its ranking is requested again
  ASSERT_TRUE(
      eventually([&] { return explorer->settled() && explorer->model().hasRanking(ExplorerModel::Order::flattest); }));
  EXPECT_EQ(explorer->model().total(), 20000);
  EXPECT_EQ(helper.requests("tones").size(), 5u);
}

TEST_F(ExplorerTest, PredictionsSortTheImagesOrTheirAbsenceIsReported) {
  ASSERT_TRUE(filled());
  const auto settled = [&] { return eventually([&] { return explorer->settled(); }); };
  explorer->orders().setCurrentIndex(static_cast<int>(ExplorerModel::Order::loss));
  ASSERT_TRUE(settled());
  EXPECT_EQ(explorer->model().index(0), 0);
  EXPECT_EQ(explorer->model().index(million - 8), million - 8) << "the smallest last, equal ones as they lie";
  explorer->orders().setCurrentIndex(static_cast<int>(ExplorerModel::Order::unsure));
  ASSERT_TRUE(settled());
  EXPECT_EQ(explorer->model().index(million - 1), million / 2);
  explorer->setSplit(2);
  const auto shown = [&] {
    for (const QLabel* label : explorer->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(QStringLiteral("they have no predictions"))) return true;
    return false;
  };
  ASSERT_TRUE(eventually(shown));
  EXPECT_EQ(explorer->model().index(5), 5) << "as they lie";
  explorer->orders().setCurrentIndex(0);
  EXPECT_FALSE(shown());
}

TEST_F(ExplorerTest, ChoosingAnotherOrderCancelsTheMeasurement) {
  ASSERT_TRUE(filled());
  explorer->orders().setCurrentIndex(static_cast<int>(ExplorerModel::Order::darkest));
  EXPECT_TRUE(explorer->statusText().contains(QStringLiteral("Measuring"))) << explorer->statusText().toStdString();
  explorer->orders().setCurrentIndex(0);
  EXPECT_FALSE(explorer->statusText().contains(QStringLiteral("Measuring")));
  ASSERT_TRUE(filled());
  EXPECT_FALSE(explorer->model().hasRanking(ExplorerModel::Order::darkest));
}

TEST_F(ExplorerTest, KeysMoveThroughAMillionImagesAndSelect) {
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

TEST_F(ExplorerTest, AnExcludedImageStaysInItsPlaceAndCanBeIncludedAgain) {
  ASSERT_TRUE(filled());
  explorer->grid().setCurrent(3);
  ASSERT_TRUE(explorer->excludeButton().isEnabled());
  explorer->excludeButton().click();
  EXPECT_TRUE(isExcluded(*session, QStringLiteral("train: 3")));
  ASSERT_TRUE(eventually([&] { return dataOpener(*session).state() != DataOpener::State::opening; }));
  EXPECT_EQ(explorer->grid().current(), 3) << "the list does not jump";
  EXPECT_EQ(explorer->model().count(), million);
  explorer->excludeButton().click();
  EXPECT_FALSE(isExcluded(*session, QStringLiteral("train: 3")));
}

}  // namespace
}  // namespace nw::ui
