// SPDX-License-Identifier: GPL-3.0-or-later
// The tour "Train on your own photos".
#include <QCoreApplication>

#include "ui/data/check_panel.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/shell/window/tour.hpp"

namespace nw::ui {
namespace {

bool hasPhotos(const Now& n) { return n.hasNetwork() && n.session.doc().data().kind == SourceKind::image_folder; }

CheckPanel* checkOf(const Now& n) {
  auto* panel = n.window.findChild<DataPanel*>();
  return panel ? &panel->check() : nullptr;
}

bool isChecked(const Now& n) {
  const CheckPanel* check = checkOf(n);
  return check && (check->busy() || !check->summary().isEmpty());
}

const TourStep ownPhotosSteps[] = {
    {"welcome", QT_TRANSLATE_NOOP("Guide", "Choose your photos"),
     QT_TRANSLATE_NOOP("Guide",
                       "Press this button and choose a folder that holds one folder of photos for each class. You can "
                       "also drag the folder into the window. The photos are not changed."),
     [](const Now& n) { return n.of("useFolder"); },
     [](const Now& n) { return n.asks("photoDialog") || (hasPhotos(n) && n.session.version() != n.version); }},
    {"welcome", QT_TRANSLATE_NOOP("Guide", "Accept the proposal"),
     QT_TRANSLATE_NOOP("Guide",
                       "Netwright counts the photos and proposes an image size and a network. Press Create project; "
                       "nothing is trained yet."),
     [](const Now& n) { return n.asks("photoDialog") ? QRect() : n.of("useFolder"); },
     [](const Now& n) { return n.isOn("design") && hasPhotos(n); }},
    {"design", QT_TRANSLATE_NOOP("Guide", "Open the data"),
     QT_TRANSLATE_NOOP("Guide",
                       "Choose Data in the View menu, or its tab at the right. It shows the classes, the number of "
                       "photos, and which of them are kept for validation and test."),
     [](const Now& n) { return n.of("dataChip"); }, [](const Now& n) { return checkOf(n) && checkOf(n)->isVisible(); }},
    {"design", QT_TRANSLATE_NOOP("Guide", "Check the photos"),
     QT_TRANSLATE_NOOP("Guide",
                       "Press Check the data. Photos that lie twice in the folders, blank ones and damaged files are "
                       "listed; each can be left out."),
     [](const Now& n) { return n.of("checkData"); }, isChecked},
    steps::startTraining,
    steps::waitForTraining,
    steps::seePredictions,
    {"predict", QT_TRANSLATE_NOOP("Guide", "Look at the mistakes"),
     QT_TRANSLATE_NOOP("Guide",
                       "Rows are the true classes, columns the answers. Click a cell to see only its photos: those "
                       "beside the diagonal are mistakes, often of the labels."),
     [](const Now& n) { return n.of("confusionMatrix"); },
     [](const Now& n) { return n.isOn("predict") && n.predict().grid().cell().has_value(); }},
};

}  // namespace

const Tour ownPhotosTour{"tour-own-photos", ownPhotosSteps, QT_TRANSLATE_NOOP("Guide", "Your photos have a network"),
                         QT_TRANSLATE_NOOP("Guide",
                                           "Next: correct wrong labels with Label issues on the Predict page, add "
                                           "photos of classes that are mixed up, or start from a trained network. F1 "
                                           "opens the user guide.")};

}  // namespace nw::ui
