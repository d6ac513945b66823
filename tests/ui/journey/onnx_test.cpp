// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX files in the whole window: a trained network leaves with its proof and comes back as the same project.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QSignalSpy>
#include <algorithm>
#include <cstdlib>

#include "tests/support/paths.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/session/command_process.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

class OnnxJourney : public Journey {
 protected:
  void TearDown() override {
    CommandProcess::setProgram({});
    Journey::TearDown();
  }
  QString said() { return window().banner().text(); }
  bool says(const char* part) {
    return test::wait_for([&] { return window().banner().isVisible() && said().contains(QLatin1String(part)); }, 60000);
  }
  void write(const QString& file, const QByteArray& bytes) {
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(bytes);
  }
  /// A program that answers nothing until it is killed.
  void useEndlessProgram() {
    const QString script = folder.filePath(QStringLiteral("endless.sh"));
    write(script, "#!/bin/sh\nexec sleep 600\n");
    QFile::setPermissions(script, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    CommandProcess::setProgram(script);
  }
  void openFile(const QString& file, const QString& project) {
    hand.answerFile(project, [&] { window().files().openPath(file); });
  }
  QString file = folder.filePath(QStringLiteral("digits.onnx")),
          project = folder.filePath(QStringLiteral("back.netwright"));
};

TEST_F(OnnxJourney, ATrainedNetworkLeavesWithItsProofAndComesBackAsTheSameProject) {
  const test::Variable python{"NETWRIGHT_PYTHON", "/bin/false"};  // one without onnxruntime
  openSmallProject(1, 500);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  hand.answerFile(file, [&] {
    pick(QStringLiteral("Network for other programs (ONNX)…"),
         [&] { hand.click(button(QStringLiteral("Export"), &predict().header())); });
  });
  ASSERT_TRUE(says("compute the same")) << said().toStdString();
  EXPECT_TRUE(said().contains(QStringLiteral("the class is the same for 64 of 64 images"))) << said().toStdString();
  ASSERT_TRUE(QFile::exists(file));

  // Without a program that reads int8 nothing is written, and the sentence says what is missing.
  const QString rounded = folder.filePath(QStringLiteral("digits-int8.onnx"));
  hand.answerFile(rounded, [&] {
    pick(QStringLiteral("Network for TensorRT (ONNX, int8)…"),
         [&] { hand.click(button(QStringLiteral("Export"), &predict().header())); });
  });
  ASSERT_TRUE(says("NETWRIGHT_PYTHON names a Python")) << said().toStdString();
  EXPECT_FALSE(QFile::exists(rounded));

  const std::size_t layers = graph().nodes.size();
  openFile(file, project);
  ASSERT_TRUE(says("was imported")) << said().toStdString();
  EXPECT_EQ(session().path(), project);
  EXPECT_EQ(graph().nodes.size(), layers);
  EXPECT_NE(find("conv1"), NodeId{0});
  EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("back.safetensors"))));
}

/// Source code of a network that was trained a moment ago, by the Export menu; the Python that would run it has no
/// PyTorch here.
TEST_F(OnnxJourney, ATrainedNetworkLeavesAsSourceCodeWithItsWeights) {
  const test::Variable python("NETWRIGHT_PYTHON", "");
  openSmallProject(1, 300);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  const QString source = folder.filePath(QStringLiteral("digits.py"));
  const auto save = [&](const QString& name) {
    hand.answerFile(name, [&] {
      pick(QStringLiteral("Source code for PyTorch…"),
           [&] { hand.click(button(QStringLiteral("Export"), &predict().header())); });
    });
  };
  save(source);
  ASSERT_TRUE(says("Exported to digits.py")) << said().toStdString();
  QFile text(source);
  ASSERT_TRUE(text.open(QIODevice::ReadOnly));
  EXPECT_TRUE(text.readAll().contains("self.conv1 = nn.Conv2d("));
  EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("digits.safetensors"))));

  // The weights of another file are not replaced by what the dialog did not ask about.
  write(folder.filePath(QStringLiteral("other.safetensors")), "mine");
  save(folder.filePath(QStringLiteral("other.py")));
  ASSERT_TRUE(says("other.safetensors exists already")) << said().toStdString();
  EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("other.py"))));
}

TEST_F(OnnxJourney, ATrainedNetworkLeavesAsAServer) {
  if (!QFile::exists(QString::fromStdString(test::programs_folder() + "/libnw_http.so")))
    GTEST_SKIP() << "built without libmicrohttpd";
  openSmallProject(1, 300);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  const QString place = folder.filePath(QStringLiteral("digits-server"));
  hand.answerFile(place, [&] {
    pick(QStringLiteral("Inference server (a folder)…"),
         [&] { hand.click(button(QStringLiteral("Export"), &predict().header())); });
  });
  ASSERT_TRUE(says("Exported to digits-server")) << said().toStdString();
  EXPECT_TRUE(said().contains(QStringLiteral("YAML for Kubernetes"))) << said().toStdString();
  for (const char* name : {"Containerfile", "kubernetes.yaml", "bin/netwright-cli", "model"})
    EXPECT_TRUE(QFile::exists(place + u'/' + QLatin1String(name))) << name;
}

/// As a C library and as a bundle, each in a folder of its own; the tool compiles and runs both.
TEST_F(OnnxJourney, ATrainedNetworkLeavesAsACLibraryAndAsABundle) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler is installed";
  openSmallProject(1, 300);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  const auto save = [&](const QString& row, const QString& name) {
    hand.answerFile(folder.filePath(name),
                    [&] { pick(row, [&] { hand.click(button(QStringLiteral("Export"), &predict().header())); }); });
  };
  save(QStringLiteral("C library…"), QStringLiteral("digits-c"));
  ASSERT_TRUE(says("C library cc") && says("compute the same")) << said().toStdString();
  EXPECT_FALSE(said().contains(QStringLiteral("Python"))) << said().toStdString();
  EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("digits-c/nw_model.h"))));
  save(QStringLiteral("Bundle of everything…"), QStringLiteral("digits-bundle"));
  ASSERT_TRUE(says("Exported to digits-bundle")) << said().toStdString();
  for (const char* name : {"PROOF.json", "model.onnx", "c/nw_model.c", "examples/example.c", "classes.json"})
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("digits-bundle/") + QLatin1String(name)))) << name;
}

TEST_F(OnnxJourney, AFileThatIsNoneIsRefusedInTheWindowsLanguageAndNothingIsWritten) {
  openSmallProject(1, 300);
  write(file, "this is no network");
  desk->setWindowLanguage(QStringLiteral("zh_CN"));
  openFile(file, project);
  ASSERT_TRUE(
      test::wait_for([&] { return said().contains(QStringLiteral("digits.onnx")) && !said().contains(u'…'); }, 30000));
  EXPECT_FALSE(said().contains(QStringLiteral("source"))) << "a sentence, not the form it travels in";
  const QString sentence = said();
  const auto isLatin = [](QChar c) { return c.isLetter() && c.unicode() < 0x250; };
  EXPECT_LT(std::count_if(sentence.begin(), sentence.end(), isLatin), 20) << sentence.toStdString();
  EXPECT_FALSE(QFile::exists(project));
  desk->setWindowLanguage(QStringLiteral("en"));
}

TEST_F(OnnxJourney, AFileThatRunsCodeIsRefusedWithTheScriptThatConvertsIt) {
  openSmallProject(1, 500);
  const QString weights = folder.filePath(QStringLiteral("model.pt"));
  write(weights, QByteArray("PK\x03\x04 and a pickle"));
  EXPECT_FALSE(window().files().openPath(weights));
  ASSERT_TRUE(says("is a file of PyTorch")) << said().toStdString();
  hand.click(button(QStringLiteral("Copy the script"), &window().banner()));
  EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("weights_only=True")));
}

TEST_F(OnnxJourney, StopEndsTheImportAtOnce) {
  openSmallProject(1, 300);
  useEndlessProgram();
  write(file, "whatever");
  openFile(file, project);
  ASSERT_TRUE(says("Importing digits.onnx"));
  hand.click(child<QWidget>(QStringLiteral("bannerAction")));
  EXPECT_TRUE(says("Importing was stopped; nothing was written."));
}

}  // namespace
}  // namespace nw::ui
