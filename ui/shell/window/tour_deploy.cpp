// SPDX-License-Identifier: GPL-3.0-or-later
// The tour "Deploy a network".
#include <QCoreApplication>
#include <QTabBar>

#include "ui/deploy/deploy_page.hpp"
#include "ui/deploy/export_card.hpp"
#include "ui/deploy/export_tab.hpp"
#include "ui/deploy/serve_tab.hpp"
#include "ui/shell/window/tour.hpp"

namespace nw::ui {
namespace {

ExportTab& exportsOf(const Now& n) { return *static_cast<ExportTab*>(n.deploy().tab(QStringLiteral("export"))); }
const ExportCard& onnxOf(const Now& n) { return *exportsOf(n).card(QStringLiteral("onnx")); }
ServeTab& serverOf(const Now& n) { return *static_cast<ServeTab*>(n.deploy().tab(QStringLiteral("serve"))); }

QRect serveTabOf(const Now& n) {
  const QTabBar& tabs = n.deploy().tabs();
  const QRect at = tabs.tabRect(2);
  return tabs.isVisible() ? QRect(tabs.mapTo(&n.window, at.topLeft()), at.size()) : QRect();
}

const TourStep deploySteps[] = {
    {"train", QT_TRANSLATE_NOOP("Guide", "Go to Deploy"),
     QT_TRANSLATE_NOOP("Guide", "A trained network leaves here for other programs. Click Deploy, or press Ctrl+5."),
     [](const Now& n) { return n.segment(4); }, [](const Now& n) { return n.isOn("deploy"); },
     [](const Now& n) { n.window.showPage(QStringLiteral("deploy")); }, true},
    {"deploy", QT_TRANSLATE_NOOP("Guide", "Choose the weights"),
     QT_TRANSLATE_NOOP("Guide",
                       "The best weights of your newest run are chosen here; the menu lists all others. Where there "
                       "is no run yet, train one first: the tour waits."),
     [](const Now& n) { return n.of("deployWeights"); }, [](const Now& n) { return n.deploy().weights().step > 0; }},
    {"deploy", QT_TRANSLATE_NOOP("Guide", "Export it"),
     QT_TRANSLATE_NOOP("Guide",
                       "Press Export on the card ONNX and choose a file. Most programs that run networks read this "
                       "format."),
     [](const Now& n) { return n.of(onnxOf(n).findChild<QWidget*>(QStringLiteral("export"))); },
     [](const Now& n) {
       return onnxOf(n).state() == ExportState::proved || onnxOf(n).state() == ExportState::not_run;
     }},
    {"deploy", QT_TRANSLATE_NOOP("Guide", "Read the proof"),
     QT_TRANSLATE_NOOP("Guide",
                       "The file was read again and computed test images; the panel says by how much their outputs "
                       "differ from those of Netwright. Press Prove again to see it done once more."),
     [](const Now& n) { return n.of("proveAgain"); }, [](const Now& n) { return exportsOf(n).checks() > 0; }},
    {"deploy", QT_TRANSLATE_NOOP("Guide", "Open the server"),
     QT_TRANSLATE_NOOP("Guide", "A network can also answer over HTTP. Click Serve."), serveTabOf,
     [](const Now& n) { return n.deploy().tabs().currentIndex() == 2; },
     [](const Now& n) { n.deploy().showTab(QStringLiteral("serve")); }},
    {"deploy", QT_TRANSLATE_NOOP("Guide", "Serve it"),
     QT_TRANSLATE_NOOP("Guide",
                       "Press Start server. Its address appears beside; open it in a browser and drop an image "
                       "there. Only this computer reaches it."),
     [](const Now& n) { return n.of("serveStart"); },
     [](const Now& n) { return serverOf(n).server().state() == InferenceServer::State::running; }},
};

}  // namespace

const Tour deployTour{"tour-deploy", deploySteps, QT_TRANSLATE_NOOP("Guide", "Your network has left"),
                      QT_TRANSLATE_NOOP("Guide",
                                        "Next: make it smaller on the tab Compress, or compare classes and speed of "
                                        "all exports on the tab Test. Stop the server when you are done. F1 opens the "
                                        "user guide.")};

}  // namespace nw::ui
