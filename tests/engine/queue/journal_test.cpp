// SPDX-License-Identifier: Apache-2.0
// A queue's journal: what is written is read again, what is damaged is refused with its line, two writers take turns.
#include "engine/queue/journal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/engine/runs/folder.hpp"

namespace nw::queue {
namespace {

Item some_item(std::int64_t number) {
  Item item{.number = number, .command = "train", .arguments = {"x.netwright", "--epochs", "3"}, .folder = "/home/me"};
  item.name = "名 \"x\"\n";
  item.device = {{"cuda:0", "cuda:1"}, 0};
  item.priority = -4;
  item.run = "/runs/a";
  item.added = 12.5;
  return item;
}

std::vector<Record> every_record() {
  return {Added{some_item(1)},
          Added{some_item(2)},
          Moved{2, 1},
          Prioritized{1, 7},
          Paused{1},
          Continued{1},
          Began{2, "/runs/b", {"cuda:0", "cuda:1"}, 20},
          Paused{0},
          Ended{2, Ending::failed, "why", 30},
          Continued{0},
          Removed{2}};
}

std::string text_of(const std::vector<Record>& records) {
  std::string text;
  for (const Record& record : records) text += record_line(record) + "\n";
  return text;
}

TEST(QueueJournal, WhatIsWrittenIsReadAgain) {
  const Folder place;
  auto writer = QueueWriter::open(place.path / "queue");
  ASSERT_TRUE(writer) << writer.error().str();
  for (const Record& record : every_record()) ASSERT_TRUE(writer->write(record));
  const auto read = read_queue(place.path / "queue");
  ASSERT_TRUE(read) << read.error().str();
  ASSERT_EQ(read->items().size(), 2U);
  const Item &one = read->items()[0], want = some_item(1);
  EXPECT_EQ(one.arguments, want.arguments);
  EXPECT_EQ(one.folder, want.folder);
  EXPECT_EQ(one.name, want.name);
  EXPECT_EQ(one.command, want.command);
  EXPECT_EQ(one.device, want.device);
  EXPECT_EQ(one.run, want.run);
  EXPECT_EQ(one.added, want.added);
  EXPECT_EQ(one.priority, 7);
  const Item& two = read->items()[1];
  EXPECT_EQ(two.state, ItemState::removed);
  EXPECT_EQ(two.message, "why");
  EXPECT_EQ(two.run, "/runs/b");
  EXPECT_EQ(two.began, 20);
  EXPECT_EQ(two.ended, 30);
  EXPECT_FALSE(read->paused());
}

TEST(QueueJournal, ALineWithoutItsNewlineDoesNotCount) {
  const std::string text = text_of(every_record());
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto queue = queue_from_text(text.substr(0, length), "j");
    ASSERT_TRUE(queue) << length << ": " << queue.error().str();
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    EXPECT_EQ(std::ssize(queue->items()), std::min<std::ptrdiff_t>(lines, 2)) << length << " bytes";
  }
}

TEST(QueueJournal, DamagedLinesAreRefusedByNumber) {
  const std::string good = record_line(Added{some_item(1)}) + "\n";
  for (const std::string bad :
       {"{", "[]", "{}", R"({"schema":1})", R"({"schema":1,"type":"moved","item":0,"before":0})",
        R"({"schema":1,"type":"moved","item":1,"before":5})", R"({"schema":1,"type":"ended","item":1,"how":"never"})",
        R"({"schema":1,"type":"ended","item":1,"how":"finished"})",
        R"({"schema":1,"type":"began","item":1,"run":"/","devices":[3]})",
        R"({"schema":1,"type":"began","item":1,"run":"/","devices":"cpu"})",
        R"({"schema":1,"type":"item","item":2,"command":"train","arguments":[],"folder":"/","device":"gpu"})",
        R"({"schema":1,"type":"priority","item":1,"priority":1e9})"}) {
    const auto queue = queue_from_text(good + bad + "\n" + good, "j");
    ASSERT_FALSE(queue) << bad;
    EXPECT_EQ(queue.error().code, Errc::bad_input) << bad;
    EXPECT_NE(queue.error().str().find("j, line 2"), std::string::npos) << queue.error().str();
  }
}

TEST(QueueJournal, RecordsOfANewerVersionAreLeftOut) {
  const auto queue =
      queue_from_text(record_line(Added{some_item(1)}) + "\n" + R"({"schema":1,"type":"renamed","item":1})" + "\n" +
                          R"({"schema":2,"type":"moved"})" + "\n",
                      "j");
  ASSERT_TRUE(queue) << queue.error().str();
  EXPECT_EQ(queue->items().size(), 1U);
}

TEST(QueueJournal, WritersTakeTurns) {
  const Folder place;
  const auto add = [&] {
    for (int i = 0; i < 20; ++i) {
      auto writer = QueueWriter::open(place.path / "queue");
      ASSERT_TRUE(writer) << writer.error().str();
      Item item = some_item(writer->queue().next_number());
      ASSERT_TRUE(writer->write(Added{item}));
    }
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
  EXPECT_EQ(read_queue(place.path / "queue")->items().size(), 40U);
}

}  // namespace
}  // namespace nw::queue
