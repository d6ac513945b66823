// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered of exports, read as a stranger's file; and what a card says of it.
#include "ui/predict/export_record.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/run_writer.hpp"
#include "ui/deploy/export_item.hpp"

namespace nw::ui {
namespace {

class ExportRecords : public testing::Test {
 protected:
  ExportRecord record(const char* format, const fs::path& file) const {
    ExportRecord r{.format = QLatin1String(format),
                   .file = QString::fromStdString(file.string()),
                   .checkpoint = QStringLiteral("best"),
                   .step = 12,
                   .at = 1000,
                   .stages = {{QStringLiteral("write"), 0.5}, {QStringLiteral("run"), 1.25}}};
    r.proof = {{"type", "proof"}, {"max_abs_diff", 2e-7}, {"top1_agreement", 1.0}, {"images", 64}};
    r.proof["readers"] = Json::array({{{"reader", "Netwright"}, {"version", "0.1"}, {"ms_per_image", 0.5}}});
    return r;
  }
  void put(const fs::path& file, const std::string& text) const { std::ofstream(file) << text; }
  test::TemporaryFolder place;
  fs::path file = place.path() / "net.onnx";
};

TEST_F(ExportRecords, AreKeptBesideTheRunOneForEachFormat) {
  put(file, "bytes");
  ExportRecord first = record("onnx", file);
  first.digests = *digestsOf(first);
  ASSERT_TRUE(saveExport(place.path(), first));
  ASSERT_TRUE(saveExport(place.path(), record("c", place.path() / "c")));
  ExportRecord newer = first;
  newer.step = 24;
  ASSERT_TRUE(saveExport(place.path(), newer));
  const QVector<ExportRecord> read = readExports(place.path());
  ASSERT_EQ(read.size(), 2);
  EXPECT_EQ(read[1], newer);
  EXPECT_DOUBLE_EQ(read[1].seconds(), 1.75);
}

TEST_F(ExportRecords, OfAStrangerAreLeftOutWhereTheyAreNotUnderstood) {
  const auto left = [&](const std::string& text) {
    put(place.path() / exports_file, text);
    return readExports(place.path()).size();
  };
  EXPECT_EQ(left("no json"), 0);
  EXPECT_EQ(left("[]"), 0);
  EXPECT_EQ(left(R"({"exports": 3})"), 0);
  EXPECT_EQ(left(R"({"exports": [1, {}, {"format": "onnx"}, {"format": "onnx", "file": "relative", "proof": {}}]})"),
            0);
  EXPECT_EQ(left(R"({"exports": [{"format": "onnx", "file": "/a", "proof": {}, "stages": [{"id": 3, "seconds": -1}, 4],
                     "files": {"../../etc/passwd": "x", "/etc/passwd": "x", "b": 1}}]})"),
            1);
  const ExportRecord kept = readExports(place.path()).front();
  EXPECT_TRUE(kept.stages.isEmpty());
  EXPECT_TRUE(kept.digests.isEmpty()) << "no file outside the export is read";
}

TEST_F(ExportRecords, AChangedAMissingAndALinkedFileAreTold) {
  put(file, "bytes");
  ExportRecord of = record("onnx", file);
  of.digests = *digestsOf(of);
  EXPECT_TRUE(changedFiles(of).isEmpty());
  put(file, "bytez");
  EXPECT_EQ(changedFiles(of), QStringList{QStringLiteral("net.onnx")});
  put(place.path() / "other", "bytes");
  fs::remove(file);
  EXPECT_EQ(changedFiles(of), QStringList{QStringLiteral("net.onnx")});
  fs::create_symlink(place.path() / "other", file);
  EXPECT_EQ(changedFiles(of), QStringList{QStringLiteral("net.onnx")}) << "a link to the same bytes is no such file";
}

TEST_F(ExportRecords, HaveTheStateThatTheirProofAndTheWeightsGive) {
  const NetworkFormat& onnx = networkFormats().front();
  ExportItem item{.format = &onnx};
  EXPECT_EQ(stateOf(item, 12), ExportState::none);
  item.record = record("onnx", file);
  EXPECT_EQ(stateOf(item, 12), ExportState::proved);
  EXPECT_EQ(stateOf(item, 13), ExportState::out_of_date);
  item.record->proof["not_run"] = "python3";
  EXPECT_EQ(stateOf(item, 12), ExportState::not_run);
  item.record->proof.erase("not_run");
  item.record->proof["readers"] = Json::array();
  EXPECT_EQ(stateOf(item, 12), ExportState::not_run) << "nobody has run it";
  item.changed = {QStringLiteral("net.onnx")};
  EXPECT_EQ(stateOf(item, 12), ExportState::changed);
  item.failure = QStringLiteral("no");
  EXPECT_EQ(stateOf(item, 12), ExportState::failed);
  item.running = true;
  EXPECT_EQ(stateOf(item, 12), ExportState::running);
}

TEST_F(ExportRecords, GiveTheFiguresOfTheProof) {
  ExportItem item{.format = &networkFormats().front(), .record = record("onnx", file)};
  const QVector<ExportFigure> all = figuresOf(item);
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0].value, QStringLiteral("2e-7"));
  EXPECT_EQ(all[1].value, QStringLiteral("64 of 64"));
  EXPECT_EQ(all[2].value, QStringLiteral("0.5 ms"));
  EXPECT_TRUE(readersLine(item).contains(QStringLiteral("Netwright 0.1")));
  item.record->proof = {{"type", 3}, {"readers", {1, "x", Json::array()}}, {"images", "many"}};
  EXPECT_EQ(figuresOf(item).size(), 3) << "a proof of a stranger breaks nothing";
  EXPECT_FALSE(proofAsText(item, {}).isEmpty());
}

TEST_F(ExportRecords, TellTheTimeLeftOnlyWhereAnEarlierExportToldIt) {
  ExportItem item{.format = &networkFormats().front(), .running = true, .elapsed = 4};
  EXPECT_TRUE(progressText(item).contains(QStringLiteral("so far")));
  item.expected = 10;
  EXPECT_TRUE(progressText(item).contains(QStringLiteral("6 s left"))) << progressText(item).toStdString();
  item.elapsed = 30;
  EXPECT_TRUE(progressText(item).contains(QStringLiteral("so far"))) << "late: nothing is promised";
}

}  // namespace
}  // namespace nw::ui
