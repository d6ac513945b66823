// SPDX-License-Identifier: GPL-3.0-or-later
// The whole Deploy page by mouse on real MNIST: a network leaves with its proof, becomes smaller, is served and tested.
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <algorithm>
#include <map>

#include "engine/core/json.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/data/path_field.hpp"
#include "ui/deploy/compress/compress_tab.hpp"
#include "ui/deploy/compress/plan_panel.hpp"
#include "ui/deploy/compress/step_strip.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/deploy/export_card.hpp"
#include "ui/deploy/export_tab.hpp"
#include "ui/deploy/serve_tab.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int pictures = 12, right_at_least = 10;  // LeNet-5 after an epoch is right about 97 of 100 times

class DeployOnMnist : public Journey {
 protected:
  void SetUp() override {
    if (!QFileInfo(qEnvironmentVariable("NETWRIGHT_DATA") + QStringLiteral("/mnist")).isDir())
      GTEST_SKIP() << "NETWRIGHT_DATA names no folder with MNIST";
    if (!QFileInfo::exists(QString::fromStdString(test::programs_folder() + "/libnw_http.so")))
      GTEST_SKIP() << "built without libmicrohttpd";
    Journey::SetUp();
  }
  DeployPage& page() { return *static_cast<DeployPage*>(window().page(QStringLiteral("deploy"))); }
  void showTab(int index) { hand.click(&page().tabs(), page().tabs().tabRect(index).center()); }

  void train() {
    GraphDoc doc = find_template("lenet5")->make();
    TrainSettings s = doc.settings();
    s.epochs = 1;
    ASSERT_TRUE(doc.apply({PutSettings{s}}));
    const QString project = folder.filePath(QStringLiteral("digits.netwright"));
    ASSERT_TRUE(ProjectFile::save(doc, project.toStdString()));
    openWindow({project, {}});
    startByButton();
    ASSERT_TRUE(isState(RunController::State::idle));
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }, 300'000));
    hand.click(&window().topBar().pages(), window().topBar().pages().segmentRect(4).center().toPoint());
    ASSERT_TRUE(test::wait_for([&] { return page().weights().step > 0; }));
  }
  void exportWithProof() {
    const test::Variable python("NETWRIGHT_PYTHON", "");
    auto& card = *static_cast<ExportTab*>(page().tab(QStringLiteral("export")))->card(QStringLiteral("onnx"));
    hand.answerFile(folder.filePath(QStringLiteral("digits.onnx")),
                    [&] { hand.click(card.findChild<QPushButton*>(QStringLiteral("export"))); });
    EXPECT_TRUE(test::wait_for([&] { return card.state() == ExportState::proved; }, 120'000))
        << card.accessibleDescription().toStdString();
  }
  void makeSmaller() {
    showTab(1);
    auto& tab = *static_cast<CompressTab*>(page().tab(QStringLiteral("compress")));
    const auto calm = [&](std::size_t steps) {
      return test::wait_for(
          [&] { return !tab.busy() && tab.chain().size() == steps && tab.planPanel().hasSensitivity(); }, 300'000);
    };
    ASSERT_TRUE(calm(1));
    SensitivitySlider* slider = tab.planPanel().row(QStringLiteral("fc1"))->slider();
    hand.drag(slider, {8, 42}, slider, {8 + static_cast<int>(0.5 * (slider->width() - 16)), 42});
    hand.click(child<QPushButton>(QStringLiteral("compressApply")));
    ASSERT_TRUE(calm(2));
    EXPECT_LT(tab.chain()[1].multiplyAdds, tab.chain()[0].multiplyAdds);
    EXPECT_GT(accuracyOf(tab.chain()[1]), 0.95);
  }
  /// Test images as PNG files; the labels by name.
  std::map<QString, int> writePictures(const QString& to) {
    QDir().mkpath(to);
    const auto data = open_data(session().doc().data(), {}, true);
    EXPECT_TRUE(data) << data.error().str();
    std::map<QString, int> labels;
    for (int i = 0; i < pictures; ++i) {
      QImage picture(28, 28, QImage::Format_Grayscale8);
      std::vector<std::uint8_t> bytes(28 * 28);
      EXPECT_TRUE(data->test->pixels(i, bytes));
      for (int y = 0; y < 28; ++y) std::copy_n(bytes.data() + 28 * y, 28, picture.scanLine(y));
      const QString name = QStringLiteral("%1.png").arg(i);
      EXPECT_TRUE(picture.save(to + u'/' + name));
      labels[name] = static_cast<int>(data->test->label(i));
    }
    return labels;
  }
  int classOf(const QString& server, const QString& file) {
    QFile in(file);
    EXPECT_TRUE(in.open(QIODevice::ReadOnly));
    QNetworkAccessManager net;
    net.setProxy(QNetworkProxy::NoProxy);
    QNetworkRequest request(
        QUrl(server + QStringLiteral("v2/models/%1/infer").arg(QFileInfo(page().weights().run).fileName())));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("image/png"));
    QNetworkReply* reply = net.post(request, in.readAll());
    EXPECT_TRUE(test::wait_for([&] { return reply->isFinished(); }, 20'000));
    const QByteArray text = reply->readAll();
    const Json answer = Json::parse(text.begin(), text.end(), nullptr, false);
    for (const Json& output : answer.value("outputs", Json::array()))
      if (output["name"] == "probabilities") {
        const auto& p = output["data"];
        return static_cast<int>(std::max_element(p.begin(), p.end()) - p.begin());
      }
    ADD_FAILURE() << text.toStdString();
    return -1;
  }
  void serveAndAsk(const QString& from, const std::map<QString, int>& labels) {
    showTab(2);
    auto& serve = *static_cast<ServeTab*>(page().tab(QStringLiteral("serve")));
    child<QSpinBox>(QStringLiteral("servePort"))->setValue(InferenceServer::freePort());
    hand.click(child<QPushButton>(QStringLiteral("serveStart")));
    ASSERT_TRUE(test::wait_for([&] { return serve.server().state() == InferenceServer::State::running; }, 60'000))
        << serve.server().problem().toStdString();
    int right = 0;
    for (const auto& [name, label] : labels)
      right += classOf(serve.server().address(), from + u'/' + name) == label ? 1 : 0;
    EXPECT_GE(right, right_at_least);
    hand.click(child<QPushButton>(QStringLiteral("serveStart")));
    EXPECT_TRUE(test::wait_for([&] { return serve.server().state() == InferenceServer::State::stopped; }, 60'000));
  }
  void watch(const QString& from, const std::map<QString, int>& labels) {
    showTab(3);
    hand.fill(child<PathField>(QStringLiteral("testFolder"))->findChild<QLineEdit*>(), from);
    hand.key(Qt::Key_Return);
    hand.click(child<QPushButton>(QStringLiteral("testStart")));
    auto& wall = *child<QListWidget>(QStringLiteral("testWall"));
    ASSERT_TRUE(test::wait_for([&] { return wall.count() == pictures; }, 60'000));
    int right = 0;
    for (int i = 0; i < wall.count(); ++i)
      right += wall.item(i)->text().startsWith(QString::number(labels.at(wall.item(i)->toolTip()))) ? 1 : 0;
    EXPECT_GE(right, right_at_least);
    hand.click(child<QPushButton>(QStringLiteral("testStart")));
  }
  test::TemporaryFolder place;
  test::Variable stateFolder{"XDG_STATE_HOME", place.path()};
};

TEST_F(DeployOnMnist, ANetworkIsExportedWithProofMadeSmallerServedAndTested) {
  train();
  ASSERT_FALSE(HasFailure());
  exportWithProof();
  makeSmaller();
  ASSERT_FALSE(HasFailure());
  const QString from = folder.filePath(QStringLiteral("pictures"));
  const auto labels = writePictures(from);
  serveAndAsk(from, labels);
  watch(from, labels);
}

}  // namespace
}  // namespace nw::ui
