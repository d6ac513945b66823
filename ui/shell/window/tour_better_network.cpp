// SPDX-License-Identifier: GPL-3.0-or-later
// The tour "Find a better network".
#include <QCoreApplication>
#include <QTabBar>

#include "ui/runs/runs_page.hpp"
#include "ui/shell/window/tour.hpp"
#include "ui/study/studies_panel.hpp"
#include "ui/study/study_model.hpp"
#include "ui/study/study_snapshot.hpp"
#include "ui/study/study_view.hpp"

namespace nw::ui {
namespace {

/// The study that is shown; null: none.
const StudySnapshot* studyOf(const Now& n) { return n.runs().studies().study().model().data(); }

bool seesStudies(const Now& n) { return n.isOn("runs") && n.runs().tabs().currentIndex() == 1; }

QRect studiesTab(const Now& n) {
  const QTabBar& tabs = n.runs().tabs();
  const QRect at = tabs.tabRect(1);
  return tabs.isVisible() ? QRect(tabs.mapTo(&n.window, at.topLeft()), at.size()) : QRect();
}

/// The first step of this tour is done where a network is open already.
TourStep anyNetwork() {
  TourStep step = steps::openNetwork;
  step.done = [](const Now& n) { return n.hasNetwork(); };
  return step;
}

const TourStep betterNetworkSteps[] = {
    anyNetwork(),
    {"design", QT_TRANSLATE_NOOP("Guide", "Go to Runs"),
     QT_TRANSLATE_NOOP("Guide",
                       "A study trains the network many times with other settings and keeps what is best. Click Runs, "
                       "or press Ctrl+4."),
     [](const Now& n) { return n.segment(3); }, [](const Now& n) { return n.isOn("runs"); }, nullptr, true},
    {"runs", QT_TRANSLATE_NOOP("Guide", "Open the studies"),
     QT_TRANSLATE_NOOP("Guide", "Click Studies. All studies on this computer are listed here."), studiesTab,
     seesStudies, [](const Now& n) { n.runs().tabs().setCurrentIndex(1); }},
    {"runs", QT_TRANSLATE_NOOP("Guide", "Begin a search"),
     QT_TRANSLATE_NOOP("Guide",
                       "Press Search for settings. A list of all settings opens; those that usually matter are ticked "
                       "already, with a range for each."),
     [](const Now& n) { return n.of("newSearch"); },
     [](const Now& n) { return n.asks("searchDialog") || (studyOf(n) && studyOf(n)->running); }},
    {"runs", QT_TRANSLATE_NOOP("Guide", "Start it"),
     QT_TRANSLATE_NOOP(
         "Guide",
         "Choose how many trials and epochs you can wait for, and press Start the search. Trials that are clearly "
         "worse end early."),
     [](const Now& n) { return n.asks("searchDialog") ? QRect() : n.of("newSearch"); },
     [](const Now& n) { return studyOf(n) && !n.asks("searchDialog"); }},
    {"runs", QT_TRANSLATE_NOOP("Guide", "Watch the trials"),
     QT_TRANSLATE_NOOP("Guide",
                       "Each row is a trial with its settings and its result. The best one comes first. Wait until "
                       "the study has ended, or press Stop: what was found is kept."),
     [](const Now& n) { return n.of("stopStudy"); },
     [](const Now& n) { return studyOf(n) && !studyOf(n)->running && studyOf(n)->best >= 0; }},
    {"runs", QT_TRANSLATE_NOOP("Guide", "Take the best network"),
     QT_TRANSLATE_NOOP("Guide",
                       "Choose the first row and press Open network. It becomes a project of its own with the "
                       "settings that were found."),
     [](const Now& n) {
       const QRect open = n.of("openTrialNetwork");
       return open.isEmpty() ? n.of("trials") : open;
     },
     [](const Now& n) { return n.isOn("design") && n.session.version() != n.version; }},
};

}  // namespace

const Tour betterNetworkTour{
    "tour-better-network", betterNetworkSteps, QT_TRANSLATE_NOOP("Guide", "You have found better settings"),
    QT_TRANSLATE_NOOP("Guide",
                      "Next: train this network for more epochs, and repeat the best trial with other seeds to see "
                      "whether it is better by more than chance. F1 opens the user guide.")};

}  // namespace nw::ui
