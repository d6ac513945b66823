// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences › This computer: what the commands print is shown, can be stopped, and errors are said.
#include "ui/shell/preferences/computer_page.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>

#include "engine/core/files.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr auto processorLines = R"(
echo '{"name":"cpu","description":"Some processor, avx2","memory_bytes":8000000000}'
{
  echo '{"type":"processor","flops":5e10,"memory_bytes_per_s":9.5e9,"instruction_sets":['
  echo '{"name":"avx512","usable":false,"used":false},{"name":"avx2","usable":true,"used":true},'
  echo '{"name":"portable","usable":true,"used":false}]}'
} | tr -d '\n'
echo
)";

struct ComputerPageTest : testing::Test {
  ~ComputerPageTest() override { CommandProcess::setProgram({}); }
  /// A script in place of netwright-cli; `benchmark` runs for the command bench.
  void install(const QByteArray& benchmark) {
    QFile file(folder.filePath(QStringLiteral("cli")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("#!/bin/sh\necho \"$*\" >>" + folder.filePath(QStringLiteral("asked")).toUtf8() +
               "\ncase \"$1\" in devices)" + QByteArray(processorLines) + ";; *)\n" + benchmark + "\nesac\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    CommandProcess::setProgram(file.fileName());
  }
  QStringList asked() const {
    const auto text = read_file(folder.filePath(QStringLiteral("asked")).toStdString(), 1 << 16);
    return text ? QString::fromStdString(*text).split(u'\n', Qt::SkipEmptyParts) : QStringList();
  }
  ComputerPage& open() {
    page = std::make_unique<ComputerPage>(session);
    page->resize(680, 600);
    page->show();
    EXPECT_TRUE(eventually([&] { return measure().isEnabled(); }));
    return *page;
  }
  QPushButton& measure() const { return *page->findChild<QPushButton*>(QStringLiteral("measureComputer")); }
  QString note() const { return page->findChild<SeverityLabel*>()->sentence(); }
  QTableWidget& table(int which) const { return *page->findChildren<QTableWidget*>().at(which); }
  /// All texts of the page's labels.
  QString labels() const {
    QStringList texts;
    for (const QLabel* label : page->findChildren<QLabel*>()) texts << label->text();
    return texts.join(u'\n');
  }
  QTemporaryDir folder;
  Session session;
  std::unique_ptr<ComputerPage> page;
};

TEST_F(ComputerPageTest, ShowsTheProcessorWhenItIsOpened) {
  install("exit 1");
  open();
  for (const char* text : {"Some processor, avx2", "avx2 (in use)", "avx512 (not in this processor)", "portable",
                           "50 GFLOP/s in fp32, 9.5 GB/s"})
    EXPECT_TRUE(labels().contains(QLatin1String(text))) << text << "\n" << labels().toStdString();
  EXPECT_EQ(asked().size(), 1) << "nothing long is measured without being asked";
}

TEST_F(ComputerPageTest, ComparesMeasuredSpeedsWithKnownProcessors) {
  install(R"(case "$*" in
*--profile*)
  echo '{"type":"kernel","layer":"conv1","kernel":"conv2d","seconds":2e-5,"share":0.75,"flops":2.5e10}'
  echo '{"type":"step","net":"lenet5","step_s":1e-4,"kernels_s":3e-5,"peak_flops":5e10}';;
*"--precision fp32"*) echo '{"net":"mlp","images_per_s":1000}'; echo '{"net":"lenet5","images_per_s":500.4}';;
*) echo '{"net":"lenet5","images_per_s":700}'; echo '{"net":"unknown","images_per_s":7}'
  echo '{"net":"mlp","images_per_s":-1}';;
esac)");
  open();
  measure().click();
  EXPECT_EQ(measure().text(), QStringLiteral("Stop"));
  ASSERT_TRUE(eventually([&] { return !page->measured().isMeasuring(); }));
  EXPECT_EQ(page->measured().progress(), 3.0 / 8) << "of four networks in two formats";
  const QTableWidget& speeds = table(0);
  EXPECT_EQ(speeds.item(0, 2)->text(), QStringLiteral("500"));
  EXPECT_EQ(speeds.item(1, 2)->text(), QStringLiteral("700"));
  EXPECT_EQ(speeds.item(0, 3)->text(), grouped(1000));
  EXPECT_EQ(speeds.item(1, 3)->text(), QStringLiteral("–"));
  const auto known = scaling::known_processors();
  ASSERT_EQ(speeds.rowCount(), 2 + 2 * static_cast<int>(known.size()));
  EXPECT_EQ(speeds.item(3, 3)->text(), grouped(std::llround(known[0].sixteen_bits[1])));
  const QTableWidget& kernels = table(1);
  ASSERT_EQ(kernels.rowCount(), 1);
  EXPECT_EQ(kernels.item(0, 0)->text(), QStringLiteral("conv1 conv2d"));
  EXPECT_EQ(kernels.item(0, 2)->text(), QStringLiteral("20.0"));
  EXPECT_EQ(kernels.item(0, 4)->text(), QStringLiteral("50 %"));
  EXPECT_TRUE(asked().filter(QStringLiteral("--precision automatic")).size() == 2) << asked().join(u'\n').toStdString();
}

TEST_F(ComputerPageTest, StopEndsTheBenchmarkAtOnceAndKeepsWhatWasMeasured) {
  install(R"(echo '{"net":"lenet5","images_per_s":500}'; exec sleep 60)");
  open();
  measure().click();
  ASSERT_TRUE(eventually([&] { return page->measured().progress() > 0; }));
  EXPECT_TRUE(note().contains(QStringLiteral("left"))) << note().toStdString();
  measure().click();
  EXPECT_FALSE(page->measured().isMeasuring());
  EXPECT_EQ(measure().text(), QStringLiteral("Measure"));
  EXPECT_EQ(note(), QStringLiteral("Stopped."));
  EXPECT_EQ(table(0).item(0, 2)->text(), QStringLiteral("500"));
}

TEST_F(ComputerPageTest, AnErrorIsSaid) {
  install("echo 'Not enough memory is left' >&2; exit 5");
  open();
  measure().click();
  ASSERT_TRUE(eventually([&] { return !page->measured().isMeasuring(); }));
  EXPECT_TRUE(note().contains(QStringLiteral("Not enough memory"))) << note().toStdString();
}

}  // namespace
}  // namespace nw::ui
