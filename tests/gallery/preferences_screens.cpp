// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/preferences_screens.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QKeyEvent>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>

#include "ui/session/command_process.hpp"
#include "ui/shell/preferences/computer_page.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"
#include "ui/shell/preferences/shortcuts_page.hpp"

namespace nw::ui {
namespace {

constexpr auto measuredComputer = R"sh(#!/bin/sh
speed() { echo "{\"net\":\"$1\",\"images_per_s\":$2}"; }
kernel() { echo "{\"type\":\"kernel\",\"layer\":\"$1\",\"kernel\":\"$2\",\"seconds\":$3,\"share\":$4,\"flops\":$5}"; }
case "$*" in
  devices*)
    echo '{"name":"cpu","description":"AMD EPYC, avx512bf16","memory_bytes":25276510208}'
    echo '{"type":"processor","flops":274800000000,"memory_bytes_per_s":49460000000,"instruction_sets":[
{"name":"amx","usable":false,"used":false},{"name":"avx512bf16","usable":true,"used":true},
{"name":"avx512","usable":true,"used":false},{"name":"avx2","usable":true,"used":false},
{"name":"portable","usable":true,"used":false}]}' | tr -d '\n'; echo ;;
  *--profile*)
    kernel images 'input to lanes' 5.4e-6 0.02 0
    kernel conv1 conv2d_relu_max_pool2d 5.2e-5 0.26 151000000000
    kernel conv2 conv2d_relu_max_pool2d 4.9e-5 0.24 201000000000
    kernel fc1 linear_relu 1.4e-5 0.07 190000000000
    kernel conv2 conv2d_grad_weight 8.1e-5 0.41 166000000000
    echo '{"type":"step","step_s":0.00031,"kernels_s":0.0002014,"peak_flops":274800000000}' ;;
  *fp32*) speed lenet5 148201.5; speed mlp 551007.1; speed resnet18-cifar 194.2; speed vgg13-cifar 511.8 ;;
  *) speed lenet5 196114.9; speed mlp 889320; speed resnet18-cifar 219.7; speed vgg13-cifar 530.4 ;;
esac
)sh";

PreferencesDialog* shown(Stage& s) {
  auto* made = new PreferencesDialog(s.work.session);
  s.extra.reset(made);
  made->setVisible(true);
  return made;
}

}  // namespace

QWidget* preferencesScreen(Stage& s) { return shown(s); }

QWidget* preferencesKeyboard(Stage& s) {
  QWidget* dialog = shown(s);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
  dialog->findChild<ShortcutsPage*>()->choose(QStringLiteral("command-palette"));
  QKeyEvent press(QEvent::KeyPress, Qt::Key_S, Qt::ControlModifier);
  QCoreApplication::sendEvent(dialog->findChild<KeyField*>(), &press);
  return dialog;
}

QWidget* preferencesComputer(Stage& s) {
  static QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("cli")));
  if (file.open(QIODevice::WriteOnly | QIODevice::Truncate)) file.write(measuredComputer);
  file.close();
  file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
  CommandProcess::setProgram(file.fileName());
  QWidget* dialog = shown(s);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(2);
  return dialog;
}

bool computerMeasured(Stage& s) {
  auto& page = *s.extra->findChild<ComputerPage*>();
  auto& measure = *page.findChild<QPushButton*>(QStringLiteral("measureComputer"));
  ComputerSpeed& speed = page.measured();
  if (!measure.isEnabled() || speed.isMeasuring()) return false;
  if (speed.kernels().isEmpty()) {
    measure.click();
    return false;
  }
  CommandProcess::setProgram({});
  return true;
}

}  // namespace nw::ui
