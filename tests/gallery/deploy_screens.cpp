// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/deploy_screens.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QListWidget>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QPainter>
#include <QPushButton>

#include "tests/support/run_writer.hpp"
#include "ui/data/path_field.hpp"
#include "ui/deploy/compress/compress_tab.hpp"
#include "ui/deploy/compress/plan_panel.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/deploy/export_card.hpp"
#include "ui/deploy/export_tab.hpp"
#include "ui/deploy/golden_strip.hpp"
#include "ui/deploy/inference_server.hpp"
#include "ui/deploy/proof_panel.hpp"
#include "ui/session/run_feed.hpp"

namespace nw::ui {
namespace {

DeployPage& deployPage(Stage& s) { return *static_cast<DeployPage*>(s.window->page(QStringLiteral("deploy"))); }
ExportTab& exportTab(Stage& s) { return *static_cast<ExportTab*>(deployPage(s).tab(QStringLiteral("export"))); }

/// Lives until the program ends.
test::TemporaryFolder& written() {
  static test::TemporaryFolder place;
  return place;
}

/// Exports once for all screens what the cards show; a file of the C library is changed then.
void exportEach(const DeployWeights& weights) {
  static bool done = false;
  if (std::exchange(done, true)) return;
  ExportJobs jobs;
  const QString base = QString::fromStdString((written().path() / "lenet5").string());
  for (const NetworkFormat& format : networkFormats()) {
    const QString id = QLatin1String(format.id);
    if (id == QLatin1String("keras") || id == QLatin1String("tensorrt-int8")) continue;
    DeployWeights of = weights;
    jobs.start(format, base + QLatin1String(format.ending), of);
    waitFor([&] { return !jobs.isBusy(id); }, 120'000);
  }
  QFile changed(base + QStringLiteral("-c/nw_model.h"));
  if (changed.open(QIODevice::Append)) changed.write("\n");
}

}  // namespace

QWidget* deployExport(Stage& s) {
  s.open("lenet5");
  if (!s.run.isEmpty()) s.work.session.feed().follow(s.run);
  QWidget* shown = s.show(QStringLiteral("deploy"));
  if (!s.run.isEmpty() && waitFor([&] { return deployPage(s).weights().step > 0; }, 20'000)) {
    exportEach(deployPage(s).weights());
    exportTab(s).setWatching(true);
    exportTab(s).choose(QStringLiteral("bundle"));
  }
  return shown;
}

bool exportsProved(Stage& s) {
  const bool there = s.run.isEmpty() || (exportTab(s).card(QStringLiteral("weights"))->state() == ExportState::proved &&
                                         exportTab(s).card(QStringLiteral("c"))->state() != ExportState::proved);
  if (!there || !analysed(s))
    s.calm.invalidate();
  else if (!s.calm.isValid())
    s.calm.start();
  return there && analysed(s) && s.calm.elapsed() > 300;
}

/// A run that was pruned and computed in 8 bits of a copy of the gallery's, once for all screens; it is shown with the
/// plan of a further step.
static QString compressedRun(const QString& run) {
  static QString made;
  if (!made.isEmpty()) return made;
  const fs::path copy = written().path() / "compressed" / fs::path(run.toStdString()).filename();
  fs::create_directories(copy.parent_path());
  fs::copy(run.toStdString(), copy, fs::copy_options::recursive);
  made = QString::fromStdString(copy.string());
  StepMaker maker;
  QObject::connect(&maker, &StepMaker::made, [](const CompressionRecord& record, bool) { made = record.run; });
  const auto make = [&](const QMap<QString, double>& removed) {
    CompressPlan plan;
    plan.removed = removed;
    maker.start({made, QStringLiteral("best"), QString::fromStdString(copy.string()), QStringLiteral("best"),
                 QStringLiteral("lenet5")},
                plan, {&stepKinds().front()});
    waitFor([&] { return !maker.isOn(); }, 300'000);
  };
  make({{QStringLiteral("fc1"), 0.5}});
  make({{QStringLiteral("conv2"), 0.5}, {QStringLiteral("fc2"), 0.4}});
  return made;
}

static CompressTab& compressTab(Stage& s) {
  return *static_cast<CompressTab*>(deployPage(s).tab(QStringLiteral("compress")));
}

QWidget* deployCompress(Stage& s) {
  s.open("lenet5");
  const QString made = s.run.isEmpty() ? QString() : compressedRun(s.run);
  if (!made.isEmpty()) {
    qputenv("NETWRIGHT_RUNS", QFileInfo(made).path().toUtf8());
    s.work.session.feed().follow(made);
  }
  QWidget* shown = s.show(QStringLiteral("deploy"));
  deployPage(s).showTab(QStringLiteral("compress"));
  return shown;
}

bool compressed(Stage& s) {
  if (s.run.isEmpty()) return analysed(s);
  CompressTab& tab = compressTab(s);
  ChannelRow* row = tab.planPanel().row(QStringLiteral("fc1"));
  if (tab.busy() || !tab.planPanel().hasSensitivity() || !row || !analysed(s)) return s.calm.invalidate(), false;
  if (row->removed() == 0) row->setRemoved(0.25);
  if (!s.calm.isValid()) s.calm.start();
  return s.calm.elapsed() > 2000;
}

/// A server that really runs; it ends with the stage's session.
QWidget* deployServe(Stage& s) {
  s.open("lenet5");
  if (!s.run.isEmpty()) s.work.session.feed().follow(s.run);
  QWidget* shown = s.show(QStringLiteral("deploy"));
  deployPage(s).showTab(QStringLiteral("serve"));
  if (!s.run.isEmpty()) inferenceServer(s.work.session).start({.runs = {s.run}, .port = InferenceServer::freePort()});
  return shown;
}

/// A folder of pictures of digits, all of which are predicted; and the speed of the run.
QWidget* deployTest(Stage& s) {
  s.open("lenet5");
  if (!s.run.isEmpty()) s.work.session.feed().follow(s.run);
  QWidget* shown = s.show(QStringLiteral("deploy"));
  deployPage(s).showTab(QStringLiteral("test"));
  if (s.run.isEmpty() || !waitFor([&] { return deployPage(s).weights().step > 0; }, 20'000)) return shown;
  const fs::path folder = written().path() / "digits";
  fs::create_directories(folder);
  for (int i = 0; i < 40; ++i) {
    QImage picture(28, 28, QImage::Format_Grayscale8);
    picture.fill(0);
    QPainter p(&picture);
    p.setPen(Qt::white);
    p.setFont(QFont(QStringLiteral("sans"), 18));
    p.drawText(picture.rect(), Qt::AlignCenter, QString::number(i % 10));
    p.end();
    picture.save(QString::fromStdString((folder / (std::to_string(i) + ".png")).string()));
  }
  shown->findChild<PathField*>(QStringLiteral("testFolder"))->setPath(QString::fromStdString(folder.string()));
  action(QStringLiteral("deploy-watch"))->trigger();
  action(QStringLiteral("deploy-measure"))->trigger();
  return shown;
}

bool watchedAll(Stage& s) {
  return analysed(s) &&
         (s.run.isEmpty() || (s.window->findChild<QListWidget*>(QStringLiteral("testWall"))->count() == 40 &&
                              s.window->findChild<QPushButton*>(QStringLiteral("testMeasure"))->text() !=
                                  QCoreApplication::translate("nw::ui::TestTab", "Stop")));
}

/// Clients ask a few times.
static void askServer(const InferenceServer& server, const QString& run) {
  static QNetworkAccessManager net;
  net.setProxy(QNetworkProxy::NoProxy);
  QByteArray pixels = "0";
  for (int i = 1; i < 28 * 28; ++i) pixels += ",0";
  QNetworkRequest request(QUrl(server.address() + QStringLiteral("v2/models/%1/infer").arg(QFileInfo(run).fileName())));
  request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
  const QByteArray body =
      R"({"inputs":[{"name":"images","datatype":"UINT8","shape":[1,1,28,28],"data":[)" + pixels + "]}]}";
  QNetworkReply* reply = net.post(request, body);
  QObject::connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
}

bool served(Stage& s) {
  InferenceServer& server = inferenceServer(s.work.session);
  if (!s.run.isEmpty() && server.state() == InferenceServer::State::running) askServer(server, s.run);
  return analysed(s) && (s.run.isEmpty() || server.rates().size() > 6);
}

/// ~Stage() restores the usual runs.
QWidget* deployEmpty(Stage& s) {
  const fs::path none = written().path() / "none";
  fs::create_directories(none);
  s.open("lenet5");
  qputenv("NETWRIGHT_RUNS", none.c_str());
  return s.show(QStringLiteral("deploy"));
}

}  // namespace nw::ui
