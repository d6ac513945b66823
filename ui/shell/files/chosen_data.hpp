// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of data that the user opens, by whatever route: from the welcome page, by a drop, from the command line.
#pragma once
#include <QString>

class QWidget;

namespace nw {
struct DataChoice;
}  // namespace nw

namespace nw::ui {

class PhotoDialog;
class ProjectFiles;
class Session;

class ChosenData {
 public:
  ChosenData(Session& session, ProjectFiles& files, QWidget& window);
  /// A folder of photos: the user is asked what to do with it (PhotoDialog). MNIST and CIFAR while no project is open:
  /// a new project with the network that is usual for them. Any other data: the present project's. False: rejected,
  /// with the reason in Session::message(), or the user is being asked.
  bool open(const QString& path);

 private:
  void ask(const QString& folder);
  void answered(const PhotoDialog& dialog);
  bool use(const DataChoice& data, const QString& name);
  Session& session_;
  ProjectFiles& files_;
  QWidget& window_;
};

}  // namespace nw::ui
