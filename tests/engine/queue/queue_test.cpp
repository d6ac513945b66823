// SPDX-License-Identifier: Apache-2.0
// The queue as a function of its records: order, devices, states, and records that contradict each other.
#include "engine/queue/queue.hpp"

#include <gtest/gtest.h>

#include "engine/queue/journal.hpp"

namespace nw::queue {
namespace {

class QueueTest : public testing::Test {
 protected:
  void add(const std::string& device = "cpu", std::int64_t priority = 0) {
    Item item{.number = queue_.next_number(), .command = "train", .arguments = {"a.netwright"}, .folder = "/"};
    item.device = *device_rule(device);
    item.priority = priority;
    take(Added{item});
  }
  void take(const Record& record) {
    const Status taken = queue_.take(record);
    ASSERT_TRUE(taken) << taken.error().str();
  }
  /// Lets everything start that can; returns "1:cpu 2:cuda:0".
  std::string start(const std::vector<std::string>& gpus = {}) {
    std::string started;
    while (const auto next = queue_.next(gpus)) {
      take(Began{next->item, "/run", next->devices, 1});
      started += fmt::format("{}{}:{}", started.empty() ? "" : " ", next->item, to_text(DeviceRule{next->devices, 0}));
    }
    return started;
  }
  Errc refusal(const Record& record) {
    const std::string before = all_lines();
    const Status taken = queue_.take(record);
    EXPECT_EQ(all_lines(), before) << "a refused record changes nothing";
    return taken ? Errc::other : taken.error().code;
  }
  std::string all_lines() const {
    std::string text = queue_.paused() ? "paused" : "";
    for (const Item& i : queue_.items())
      text += fmt::format("{} {} {} {};", i.number, name_of(i.state), i.runs, i.priority);
    for (const std::int64_t n : queue_.order()) text += fmt::format(" {}", n);
    return text;
  }
  const Item& item(std::int64_t n) const { return queue_.items()[static_cast<std::size_t>(n - 1)]; }
  Queue queue_;
};

TEST_F(QueueTest, StartsByPriorityThenInOrder) {
  add();
  add();
  add("cpu", 5);
  EXPECT_EQ(queue_.order(), (std::vector<std::int64_t>{3, 1, 2}));
  EXPECT_EQ(start(), "3:cpu") << "the processor trains one at a time";
  take(Ended{3, Ending::finished, "", 2});
  take(Moved{2, 1});
  EXPECT_EQ(start(), "2:cpu");
  take(Prioritized{1, -1});
  add();
  take(Ended{2, Ending::finished, "", 3});
  EXPECT_EQ(start(), "4:cpu");
  take(Moved{4, 0});
  EXPECT_EQ(queue_.order(), (std::vector<std::int64_t>{4, 1})) << "a place does not beat a priority";
}

TEST_F(QueueTest, ItemsGetTheDevicesOfTheirRules) {
  const std::vector<std::string> four = {"cuda:0", "cuda:1", "cuda:2", "cuda:3"};
  add("cuda:1");
  add("any:2");
  add("cpu:0,cpu:1");
  add("any");
  add("any");
  EXPECT_EQ(start(four), "1:cuda:1 2:cuda:0,cuda:2 3:cpu:0,cpu:1 4:cuda:3");
  take(Ended{2, Ending::finished, "", 2});
  EXPECT_EQ(start(four), "5:cuda:0");
}

TEST_F(QueueTest, VirtualDevicesAreTheOneProcessor) {
  add("cpu:0");
  add("cpu:1");
  add("cpu");
  EXPECT_EQ(start(), "1:cpu:0");
  take(Ended{1, Ending::finished, "", 2});
  EXPECT_EQ(start(), "2:cpu:1");
}

TEST_F(QueueTest, AnyIsTheProcessorWhereThereIsNoGpu) {
  add("any");
  add("any");
  EXPECT_EQ(start(), "1:cpu");
  add("any:2");
  EXPECT_TRUE(never_starts(item(3), {}));
  EXPECT_TRUE(never_starts(item(3), {"cuda:0"}));
  EXPECT_FALSE(never_starts(item(3), {"cuda:0", "cuda:1"}));
  EXPECT_FALSE(never_starts(item(1), {}));
  add("cuda:1");
  EXPECT_TRUE(never_starts(item(4), {"cuda:0"}));
  take(Ended{1, Ending::finished, "", 2});
  EXPECT_EQ(start(), "2:cpu") << "an item that never starts holds nobody up";
}

TEST_F(QueueTest, AnItemThatWaitsForDevicesIsNotOvertakenOnThem) {
  add("cuda:0");
  EXPECT_EQ(start({"cuda:0", "cuda:1"}), "1:cuda:0");
  add("any:2");
  add("cuda:1");
  add("cpu");
  EXPECT_EQ(start({"cuda:0", "cuda:1"}), "4:cpu") << "2 waits for both GPUs, 3 would keep it waiting";
  take(Ended{1, Ending::finished, "", 2});
  EXPECT_EQ(start({"cuda:0", "cuda:1"}), "2:cuda:0,cuda:1");
}

TEST_F(QueueTest, PausedItemsAndAPausedQueueDoNotStart) {
  add();
  add();
  take(Paused{1});
  EXPECT_EQ(start(), "2:cpu");
  take(Paused{2});
  EXPECT_TRUE(item(2).runs) << "its process has not ended yet";
  take(Ended{2, Ending::interrupted, "", 2});
  EXPECT_EQ(item(2).state, ItemState::paused);
  EXPECT_EQ(start(), "");
  take(Paused{0});
  take(Continued{1});
  EXPECT_EQ(start(), "");
  take(Continued{0});
  EXPECT_EQ(start(), "1:cpu");
  take(Paused{1});
  take(Ended{1, Ending::finished, "", 2});
  EXPECT_EQ(item(1).state, ItemState::finished) << "it ended before it could be stopped";
}

TEST_F(QueueTest, AnItemThatFailedOrWasStoppedCanGoOn) {
  add();
  add();
  EXPECT_EQ(start(), "1:cpu");
  take(Ended{1, Ending::failed, "no data", 2});
  EXPECT_EQ(item(1).message, "no data");
  EXPECT_EQ(start(), "2:cpu");
  take(Ended{2, Ending::stopped, "", 3});
  EXPECT_EQ(queue_.order(), std::vector<std::int64_t>());
  take(Continued{1});
  EXPECT_EQ(item(1).message, "");
  EXPECT_EQ(start(), "1:cpu");
  take(Ended{1, Ending::finished, "", 4});
  EXPECT_EQ(refusal(Continued{1}), Errc::usage);
  EXPECT_EQ(refusal(Paused{1}), Errc::usage);
}

TEST_F(QueueTest, ARemovedItemIsGoneOnceItsProcessHasEnded) {
  add();
  EXPECT_EQ(start(), "1:cpu");
  take(Removed{1});
  add();
  EXPECT_EQ(queue_.find(1), nullptr);
  EXPECT_EQ(start(), "") << "its process still uses the processor";
  take(Ended{1, Ending::interrupted, "", 2});
  EXPECT_EQ(start(), "2:cpu");
  for (const Record& r : {Record(Moved{1, 0}), Record(Paused{1}), Record(Continued{1}), Record(Removed{1}),
                          Record(Prioritized{1, 2}), Record(Moved{2, 1}), Record(Paused{9}), Record(Moved{-1, 0})})
    EXPECT_EQ(refusal(r), Errc::usage);
}

TEST_F(QueueTest, RecordsThatContradictAreRefused) {
  add();
  Item again = item(1);
  EXPECT_EQ(refusal(Added{again}), Errc::bad_input);
  EXPECT_EQ(refusal(Ended{1, Ending::finished, "", 1}), Errc::bad_input) << "it does not run";
  EXPECT_EQ(refusal(Ended{7, Ending::finished, "", 1}), Errc::bad_input);
  start();
  EXPECT_EQ(refusal(Began{1, "/run", {"cpu"}, 1}), Errc::bad_input) << "it runs already";
}

TEST(DeviceRules, AreReadAndWritten) {
  for (const std::string text : {"cpu", "cuda:1", "cuda:0,cuda:1", "cpu:0,cpu:1", "any", "any:2", "reference"}) {
    const auto rule = device_rule(text);
    ASSERT_TRUE(rule) << text;
    EXPECT_EQ(to_text(*rule), text);
  }
  EXPECT_EQ(to_text(*device_rule("cuda")), "cuda:0");
  for (const std::string text :
       {"", "gpu", "any:0", "any:65", "any:x", "any:2x", "cuda:", "cuda:a", "cpu,", ",cpu", "cuda:0 "})
    EXPECT_FALSE(device_rule(text)) << text;
}

}  // namespace
}  // namespace nw::queue
