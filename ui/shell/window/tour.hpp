// SPDX-License-Identifier: GPL-3.0-or-later
// The tours of the window: each a table of steps that point at a real control and wait until people have really done
// it. GUI thread.
#pragma once
#include <QRect>
#include <QString>
#include <span>

#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {

class DeployPage;
class DesignPage;
class PredictPage;
class RunsPage;

/// The state that a step checks, and the session's version and number of edits when the step began. The version also
/// grows when the data have been opened.
struct Now {
  MainWindow& window;
  Session& session;
  quint64 version;
  int edits;
  bool isOn(const char* page) const { return window.currentPage() == QLatin1String(page); }
  DesignPage& design() const;
  PredictPage& predict() const;
  RunsPage& runs() const;
  DeployPage& deploy() const;
  /// Where the control is in the window; empty: it is not seen, or hidden by the edge of what scrolls.
  QRect of(const QWidget* control) const;
  QRect of(const char* name) const { return of(window.findChild<QWidget*>(QLatin1String(name))); }
  /// Whether the dialog with this object name is open.
  bool asks(const char* dialog) const;
  RunController::State run() const { return session.run().state(); }
  bool hasNetwork() const { return !session.doc().graph().nodes.empty(); }
  /// Where the bar's name of a page is: 0 Design … 4 Deploy.
  QRect segment(int page) const;
};

struct TourStep {
  const char *page, *title, *sentence;  // English, translated in the context "Guide"
  QRect (*place)(const Now&);
  bool (*done)(const Now&);
  void (*passOver)(const Now&) = nullptr;  // what the following steps need when this one is passed over
  bool everywhere = false;                 // the control is seen on every page
};

struct Tour {
  const char* action;  // id of the command that starts it
  std::span<const TourStep> steps;
  const char *endTitle, *endSentence;
};
extern const Tour firstNetworkTour, ownPhotosTour, betterNetworkTour, deployTour;
std::span<const Tour* const> allTours();

// Steps that several tours have.
namespace steps {
extern const TourStep openNetwork, startTraining, waitForTraining, seePredictions;
}

}  // namespace nw::ui
