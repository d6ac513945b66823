// SPDX-License-Identifier: GPL-3.0-or-later
// The weights that a loss gives its targets: none, balanced, or a list of numbers that is typed. A text that is refused
// stays where it was typed, with the reason.
#pragma once
#include <QWidget>

#include "kernels/result.hpp"

class QComboBox;

namespace nw::ui {

class RefusalNote;

class WeightsField : public QWidget {
  Q_OBJECT
 public:
  using Refusal = Text (*)(const std::string&);
  explicit WeightsField(Refusal refusal, QWidget* parent = nullptr);
  /// Shows the document's value, unless a refused text is in the field.
  void follow(const QString& written);
  QComboBox* box() const { return box_; }

 Q_SIGNALS:
  /// As the project file has it: "", "balanced" or "1, 2.5".
  void edited(const QString& written);

 private:
  QString written() const;
  bool refuses();
  void take();
  Refusal refusal_;
  QComboBox* box_;
  RefusalNote* note_;
  QString shown_;
};

}  // namespace nw::ui
