// SPDX-License-Identifier: GPL-3.0-or-later
// The inference server of the Deploy page: started, asked, watched and stopped by mouse.
#include <QCheckBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTableWidget>
#include <QTcpServer>

#include "tests/support/paths.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/deploy/serve_tab.hpp"

namespace nw::ui {
namespace {

using ServerState = InferenceServer::State;

class ServeJourney : public Journey {
 protected:
  void SetUp() override {
    Journey::SetUp();
    if (!QFile::exists(QString::fromStdString(test::programs_folder() + "/libnw_http.so")))
      GTEST_SKIP() << "built without libmicrohttpd";
  }
  DeployPage& page() { return *static_cast<DeployPage*>(window().page(QStringLiteral("deploy"))); }
  ServeTab& serve() { return *static_cast<ServeTab*>(page().tab(QStringLiteral("serve"))); }
  void trainAndServe() {
    openSmallProject(1, 300);
    startByButton();
    ASSERT_TRUE(isState(RunController::State::idle));
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
    showServe();
    child<QSpinBox>(QStringLiteral("servePort"))->setValue(InferenceServer::freePort());
  }
  void showServe() {
    window().showPage(QStringLiteral("deploy"));
    ASSERT_TRUE(test::wait_for([&] { return page().weights().step > 0; }));
    hand.click(&page().tabs(), page().tabs().tabRect(2).center());
    ASSERT_TRUE(serve().isVisible());
  }
  void pressStart() { hand.click(child<QPushButton>(QStringLiteral("serveStart"))); }
  bool becomes(ServerState state) {
    const bool is = test::wait_for([&] { return serve().server().state() == state; }, 60'000);
    EXPECT_TRUE(is) << serve().server().problem().toStdString();
    return is;
  }
  QByteArray ask(const QString& path, const QByteArray& body, int* status) {
    QNetworkAccessManager net;
    net.setProxy(QNetworkProxy::NoProxy);
    QNetworkRequest request(QUrl(serve().server().address() + path));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    QNetworkReply* reply = body.isEmpty() ? net.get(request) : net.post(request, body);
    EXPECT_TRUE(test::wait_for([&] { return reply->isFinished(); }, 20'000));
    *status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    return reply->readAll();
  }
  test::TemporaryFolder place;
  test::Variable stateFolder{"XDG_STATE_HOME", place.path()};
};

TEST_F(ServeJourney, AServerIsStartedAskedWatchedAndStopped) {
  trainAndServe();
  pressStart();
  ASSERT_TRUE(becomes(ServerState::running));
  EXPECT_TRUE(child<QLabel>(QStringLiteral("serveModels"))->text().contains(QStringLiteral("version")));
  int status = 0;
  const QByteArray page = ask(QString(), {}, &status);
  EXPECT_EQ(status, 200);
  EXPECT_TRUE(page.contains("<html") || page.contains("<!doctype"));
  QByteArray pixels = "0";
  for (int i = 1; i < 28 * 28; ++i) pixels += ",0";
  const QString name = QFileInfo(trained).fileName();
  const QByteArray answer =
      ask(QStringLiteral("v2/models/%1/infer").arg(name),
          R"({"inputs":[{"name":"images","datatype":"UINT8","shape":[1,1,28,28],"data":[)" + pixels + "]}]}", &status);
  EXPECT_EQ(status, 200) << answer.toStdString();
  EXPECT_TRUE(answer.contains("probabilities"));
  EXPECT_TRUE(test::wait_for([&] { return serve().figure(2).endsWith(QStringLiteral("ms")); }, 20'000))
      << "p99 of what was asked: " << serve().figure(2).toStdString();
  for (int i = 0; i < 3; ++i) ask(QStringLiteral("v2/models/none/infer"), "{}", &status);
  EXPECT_EQ(status, 404);
  EXPECT_TRUE(test::wait_for([&] { return serve().figure(3) == QStringLiteral("3"); }, 20'000))
      << "errors are counted: " << serve().figure(3).toStdString();
  EXPECT_TRUE(test::wait_for([&] {
    return child<QPlainTextEdit>(QStringLiteral("serveLog"))->toPlainText().contains(QStringLiteral("listening"));
  }));
  pressStart();
  ASSERT_TRUE(becomes(ServerState::stopped));
  EXPECT_TRUE(serve().server().problem().isEmpty());
}

TEST_F(ServeJourney, ARunningServerIsMeasuredBesideItsRun) {
  trainAndServe();
  pressStart();
  ASSERT_TRUE(becomes(ServerState::running));
  page().showTab(QStringLiteral("test"));
  hand.click(child<QPushButton>(QStringLiteral("testMeasure")));
  auto* table = child<QTableWidget>(QStringLiteral("testSpeeds"));
  ASSERT_TRUE(test::wait_for([&] { return table->rowCount() == 2 && table->item(1, 4)->text() != QStringLiteral("–"); },
                             60'000));
  EXPECT_TRUE(table->item(1, 0)->text().startsWith(QStringLiteral("Server: ")));
  for (int column = 2; column < 5; ++column) EXPECT_NE(table->item(1, column)->text(), QStringLiteral("–"));
}

TEST_F(ServeJourney, APortInUseIsToldWithWhatToDo) {
  trainAndServe();
  QTcpServer other;
  ASSERT_TRUE(other.listen(QHostAddress::LocalHost));
  child<QSpinBox>(QStringLiteral("servePort"))->setValue(other.serverPort());
  pressStart();
  auto* problem = child<QLabel>(QStringLiteral("serveProblem"));
  ASSERT_TRUE(test::wait_for([&] { return problem->isVisible(); }, 30'000));
  for (const QString& part : {QStringLiteral("cannot be listened on"), QStringLiteral("take another port")})
    EXPECT_TRUE(problem->text().contains(part)) << problem->text().toStdString();
  hand.click(child<QPushButton>(QStringLiteral("serveFreePort")));
  ASSERT_TRUE(becomes(ServerState::running));
}

TEST_F(ServeJourney, AServerEndsWithItsWindowUnlessItIsToGoOn) {
  trainAndServe();
  const QString run = trained;
  pressStart();
  ASSERT_TRUE(becomes(ServerState::running));
  int port = serve().server().choice().port;
  closeWindow();
  EXPECT_TRUE(test::wait_for([&] { return QTcpServer().listen(QHostAddress::LocalHost, static_cast<quint16>(port)); }))
      << "it goes on";

  openWindow();
  feed().follow(run);
  showServe();
  port = InferenceServer::freePort();
  child<QSpinBox>(QStringLiteral("servePort"))->setValue(port);
  hand.click(child<QCheckBox>(QStringLiteral("serveOutlives")));
  pressStart();
  ASSERT_TRUE(becomes(ServerState::running));
  openWindow();
  feed().follow(run);
  showServe();
  EXPECT_EQ(serve().server().state(), ServerState::running) << "the next window finds it";
  EXPECT_EQ(serve().server().choice().port, port);
  pressStart();
  ASSERT_TRUE(becomes(ServerState::stopped));
}

}  // namespace
}  // namespace nw::ui
