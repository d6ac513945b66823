// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_panel.hpp"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>

#include <algorithm>

#include "engine/design/data_facts.hpp"
#include "engine/design/data_source.hpp"
#include "kernels/nested_text.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/data/check_panel.hpp"
#include "ui/data/data_views.hpp"
#include "ui/data/finding.hpp"
#include "ui/data/path_field.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/shell/preferences/preferences.hpp"

namespace nw::ui {
namespace {

constexpr const char* inconsistent_file =
    "train-images-idx3-ubyte: the header promises 60000 images, the file holds 12";

class DataPanelTest : public testing::Test {
 protected:
  DataPanelTest()
      : helper([](const Message& request) {
          if (request.json["do"] == "open_data" && request.json["data"].value("path", "") == "/broken")
            return Message{Json{{"error", inconsistent_file}}, {}};
          return fake_response(request);
        }) {
    HelperClient::setDefaultLauncher(helper.launcher());
    session = std::make_unique<Session>();
    panel = std::make_unique<DataPanel>(*session);
  }
  ~DataPanelTest() override { HelperClient::setDefaultLauncher({}); }
  bool opened() {
    return eventually([&] { return dataOpener(*session).state() != DataOpener::State::opening; });
  }
  const DataChoice& choice() { return session->doc().data(); }
  FakeHelper helper;
  std::unique_ptr<Session> session;
  std::unique_ptr<DataPanel> panel;
};

TEST_F(DataPanelTest, TheAnswerOfTheHelperBecomesTheSessionsDataFacts) {
  ASSERT_TRUE(opened());
  EXPECT_EQ(
      session->dataFacts(),
      (DataFacts{.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 90, .validation = 10, .test = 20}));
  EXPECT_TRUE(panel->errorText().isEmpty());
}

TEST_F(DataPanelTest, DataThatCannotBeReadIsReportedInPlaceAndLeavesNoFacts) {
  ASSERT_TRUE(opened());
  DataChoice broken = choice();
  broken.kind = SourceKind::mnist;
  broken.path = "/broken";
  session->push({PutData{broken}}, QStringLiteral("break it"));
  ASSERT_TRUE(eventually([&] { return !panel->errorText().isEmpty(); }));
  EXPECT_EQ(panel->errorText(), QString::fromUtf8(inconsistent_file));
  EXPECT_FALSE(session->dataFacts().known());
  session->undoStack().undo();
  ASSERT_TRUE(eventually([&] { return session->dataFacts().known(); }));
  EXPECT_TRUE(panel->errorText().isEmpty());
}

TEST_F(DataPanelTest, EveryRowChangesTheDocumentAndUndoBringsItBack) {
  for (const DataRow& row : panel->rows()) {
    const DataChoice before = choice();
    QWidget* control = panel->control(row.id);
    if (auto* button = qobject_cast<QAbstractButton*>(control))
      button->toggle();
    else if (auto* box = qobject_cast<QComboBox*>(control))
      box->setCurrentIndex(box->currentIndex() == 0 ? 1 : 0);
    else if (auto* spin = qobject_cast<NumberSpin*>(control))
      spin->stepUp();
    else if (auto* field = qobject_cast<PathField*>(control))
      Q_EMIT field->pathChanged(QStringLiteral("/some/where"));
    else if (auto* line = qobject_cast<QLineEdit*>(control)) {
      line->setText(QStringLiteral("label"));
      Q_EMIT line->editingFinished();
    }
    EXPECT_NE(choice(), before) << row.id.toStdString();
    session->undoStack().undo();
    EXPECT_EQ(choice(), before) << row.id.toStdString();
    session->undoStack().push(new QUndoCommand);
  }
}

TEST_F(DataPanelTest, PathsShowOnlyForTheKindTheyBelongTo) {
  auto* kind = qobject_cast<QComboBox*>(panel->control(QStringLiteral("kind")));
  const auto choose = [&](SourceKind k) {
    const auto all = all_sources();
    const auto at = std::find(all.begin(), all.end(), find_source(k.name()));
    kind->setCurrentIndex(static_cast<int>(at - all.begin()));
  };
  choose(SourceKind::idx);
  EXPECT_TRUE(panel->isShown("images"));
  EXPECT_TRUE(panel->isShown("test_fraction"));
  EXPECT_FALSE(panel->isShown("folder"));
  choose(SourceKind::mnist);
  EXPECT_TRUE(panel->isShown("folder"));
  EXPECT_FALSE(panel->isShown("images"));
  EXPECT_FALSE(panel->isShown("test_fraction"));
  choose(SourceKind::csv);
  EXPECT_TRUE(panel->isShown("target_column"));
}

TEST_F(DataPanelTest, ManyChangesInARowOpenTheDataOnceWithTheNewest) {
  ASSERT_TRUE(opened());
  const auto before = helper.requests("open_data").size();
  auto* spin = qobject_cast<NumberSpin*>(panel->control(QStringLiteral("validation_fraction")));
  for (int i = 0; i < 6; ++i) spin->stepUp();
  EXPECT_NEAR(choice().validation_fraction, 0.4, 1e-9);
  ASSERT_TRUE(eventually([&] {
    return helper.requests("open_data").size() > before && dataOpener(*session).state() == DataOpener::State::open;
  }));
  EXPECT_EQ(helper.requests("open_data").size(), before + 1);
  EXPECT_NEAR(helper.requests("open_data").back()["data"]["validation_fraction"].get<double>(), 0.4, 1e-9);
  EXPECT_EQ(session->undoStack().count(), 1);
}

TEST_F(DataPanelTest, SamplesAreShownOnceThePanelIsVisible) {
  ASSERT_TRUE(opened());
  EXPECT_TRUE(helper.requests("samples").empty());
  panel->resize(312, 800);
  panel->setVisible(true);
  ASSERT_TRUE(eventually([&] { return panel->preview().loaded() == 18; }));
  EXPECT_EQ(helper.requests("samples")[0]["split"], "train");
  panel->preview().next();
  ASSERT_TRUE(eventually([&] { return helper.requests("samples").size() == 2 && panel->preview().loaded() == 18; }));
  EXPECT_EQ(helper.requests("samples")[1]["begin"], 18);
}

TEST(ChoiceForDrop, RecognisesWhatAFolderOrFileIs) {
  QDir folder(QDir::temp().filePath(QStringLiteral("nw-drop-test")));
  ASSERT_TRUE(folder.mkpath(QStringLiteral("mnist")) && folder.mkpath(QStringLiteral("cifar")) &&
              folder.mkpath(QStringLiteral("photos/cat")));
  const auto touch = [&](const char* name) {
    QFile f(folder.filePath(QLatin1String(name)));
    return f.open(QIODevice::WriteOnly);
  };
  ASSERT_TRUE(touch("mnist/train-images-idx3-ubyte.gz") && touch("mnist/train-labels-idx1-ubyte.gz") &&
              touch("cifar/data_batch_1.bin") && touch("table.csv"));
  const auto kind = [&](const char* name) { return choice_for(folder.filePath(QLatin1String(name)), {}).kind; };
  EXPECT_EQ(kind("mnist"), SourceKind::mnist);
  EXPECT_EQ(kind("cifar"), SourceKind::cifar);
  EXPECT_EQ(kind("photos"), SourceKind::image_folder);
  EXPECT_EQ(kind("table.csv"), SourceKind::csv);
  const DataChoice idx = choice_for(folder.filePath(QStringLiteral("mnist/train-images-idx3-ubyte.gz")), {});
  EXPECT_EQ(idx.kind, SourceKind::idx);
  EXPECT_EQ(idx.labels_path, folder.filePath(QStringLiteral("mnist/train-labels-idx1-ubyte.gz")).toStdString());
  folder.removeRecursively();
}

TEST_F(DataPanelTest, FindingsAreListedExcludedAndUndoneStepByStep) {
  ASSERT_TRUE(opened());
  CheckPanel& check = panel->check();
  check.start();
  ASSERT_TRUE(eventually([&] { return !check.busy(); }));
  const std::vector<Finding>& found = check.list().model().findings();
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[0].detail.contains(QStringLiteral("3/bad.jpg")) &&
              found[0].detail.contains(QStringLiteral("is cut off")));
  EXPECT_TRUE(found[1].serious) << "the test knows what was trained on";
  EXPECT_EQ(found[1].superfluous(), QStringList(QStringLiteral("train: 4"))) << "the test image stays";
  EXPECT_TRUE(found[3].title.contains(QStringLiteral("7")));
  QListView& view = check.list().view();
  view.setCurrentIndex(check.list().model().index(1));
  QKeyEvent x(QEvent::KeyPress, Qt::Key_X, Qt::NoModifier);
  QApplication::sendEvent(&view, &x);
  EXPECT_EQ(choice().excluded, std::vector<std::string>{"train: 4"});
  EXPECT_TRUE(check.list().model().settled(1));
  ASSERT_EQ(check.list().model().findings().size(), 4u)
      << "the list stays as long as the data comes from the same place";
  check.list().excludeAll();
  EXPECT_EQ(choice().excluded, (std::vector<std::string>{"train: 4", "train: 6"}));
  session->undoStack().undo();
  EXPECT_EQ(choice().excluded, std::vector<std::string>{"train: 4"});
  check.list().toggleChosen();
  EXPECT_TRUE(choice().excluded.empty());
  ASSERT_TRUE(eventually([&] {
    return !helper.requests("open_data").empty() &&
           helper.requests("open_data").back()["data"].contains("excluded") == false;
  }));
}

TEST_F(DataPanelTest, OtherDataRemovesTheFindings) {
  ASSERT_TRUE(opened());
  panel->check().start();
  ASSERT_TRUE(eventually([&] { return !panel->check().busy(); }));
  DataChoice other = choice();
  other.synthetic_train += 1;
  session->push({PutData{other}}, QStringLiteral("more"));
  EXPECT_TRUE(panel->check().list().model().findings().empty());
  EXPECT_TRUE(panel->check().summary().isEmpty());
}

TEST(Findings, InconsistentAnswersGiveNoFindings) {
  for (const Json& lie :
       {Json(), Json::array(), Json{{"defects", 3}}, Json{{"defects", {1, "x"}}, {"files", {nullptr}}},
        Json{{"label_issues", {{{"index", "a"}, {"label", nullptr}}}}}}) {
    for (const Finding& f : findings_from(lie, {})) EXPECT_TRUE(f.superfluous().isEmpty());
    for (const Finding& f : label_issues_from(lie, {})) EXPECT_TRUE(f.superfluous().isEmpty());
  }
}

TEST(DataPanelWidth, EveryControlFitsThePanelInBothLanguages) {
  FakeHelper helper(fake_response);
  HelperClient::setDefaultLauncher(helper.launcher());
  for (const char* language : {"en", "zh_CN"}) {
    setLanguage(QLatin1String(language));
    Session session;
    DataPanel panel(session);
    panel.resize(328, 900);
    static_cast<QWidget&>(panel).show();
    ASSERT_TRUE(eventually([&] { return dataOpener(session).state() == DataOpener::State::open; }));
    EXPECT_LE(panel.widget()->minimumSizeHint().width(), panel.viewport()->width()) << language;
  }
  setLanguage(QStringLiteral("en"));
  HelperClient::setDefaultLauncher({});
}

/// A nested message in the format that the helper sends.
Json cut_short(const char* file) {
  const Text why = text("{0}: this {1} file is cut short; copy or download it again", file, "PNG");
  return Json{{"source", "Left out: {0}"}, {"args", {nested(why)}}};
}

TEST(DataInChinese, SkippedFilesAreReportedEntirelyInChinese) {
  ASSERT_TRUE(setLanguage(QStringLiteral("zh_CN")));
  const DataInfo info =
      data_info_from(Json{{"description", "Synthetic digits"}, {"warnings", {cut_short("/d/3/7.png"), "as it is"}}});
  Json why{{"source", "{0}: this {1} file is cut short; copy or download it again"}, {"args", {"/d/3/7.png", "PNG"}}};
  const auto found = findings_from(
      Json{{"files", {{{"kind", "unreadable"}, {"file", "3/7.png"}, {"reason", "English"}, {"reason_text", why}}}}},
      {});
  setLanguage(QStringLiteral("en"));
  EXPECT_EQ(info.description, QStringLiteral("合成数字"));
  ASSERT_EQ(info.warnings.size(), 2);
  EXPECT_TRUE(info.warnings.contains(QStringLiteral("已略过：/d/3/7.png：此 PNG 文件被截断；请重新复制或下载")))
      << info.warnings.join(u'|').toStdString();
  EXPECT_TRUE(info.warnings.contains(QStringLiteral("as it is")));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].detail, QStringLiteral("3/7.png：此 PNG 文件被截断；请重新复制或下载"));
}

TEST(DataInChinese, MalformedMessagesAreRejected) {
  for (const Json& lie : {Json(), Json(7), Json::array(), Json{{"source", 7}, {"args", Json::array()}},
                          Json{{"source", "x"}}, Json{{"source", "x"}, {"args", 7}}})
    EXPECT_FALSE(text_in(lie)) << lie.dump();
  EXPECT_EQ(text_in(Json{{"source", "{0}"}, {"args", {7}}}), text("{0}", ""));
}

}  // namespace
}  // namespace nw::ui
