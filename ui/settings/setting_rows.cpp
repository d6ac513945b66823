// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_rows.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/design/precision.hpp"

namespace nw::ui {
namespace {

using S = TrainSettings;
using Kind = SettingRow::Kind;
using Test = std::function<bool(const S&)>;

QString tr(const char* text) { return QCoreApplication::translate("nw::ui", text); }

struct Number {
  double lo = 0, hi = 1, step = 0;
  QString zero = {}, unit = {}, unitOne = {};
};

SettingRow integer(const char* id, QString section, QString label, QString help, std::int64_t S::*member, Number n,
                   Test applies = {}) {
  return {QLatin1String(id),
          std::move(section),
          std::move(label),
          std::move(help),
          Kind::integer,
          n.lo,
          n.hi,
          n.step,
          n.zero,
          n.unit,
          n.unitOne,
          {},
          [member](const S& s) { return static_cast<double>(s.*member); },
          [member](S& s, double v) { s.*member = static_cast<std::int64_t>(std::llround(v)); },
          std::move(applies)};
}

SettingRow real(const char* id, QString section, QString label, QString help, double S::*member, Number n,
                Test applies = {}) {
  return {QLatin1String(id),
          std::move(section),
          std::move(label),
          std::move(help),
          Kind::real,
          n.lo,
          n.hi,
          n.step,
          n.zero,
          n.unit,
          n.unitOne,
          {},
          [member](const S& s) { return s.*member; },
          [member](S& s, double v) { s.*member = v; },
          std::move(applies)};
}

SettingRow toggle(const char* id, QString section, QString label, QString help, bool S::*member, Test applies = {}) {
  return {QLatin1String(id),
          std::move(section),
          std::move(label),
          std::move(help),
          Kind::toggle,
          0,
          1,
          1,
          {},
          {},
          {},
          {},
          [member](const S& s) { return s.*member ? 1.0 : 0.0; },
          [member](S& s, double v) { s.*member = v != 0; },
          std::move(applies)};
}

template <class E>
SettingRow choice(const char* id, QString section, QString label, QString help, E S::*member,
                  std::vector<SettingChoice> choices) {
  return {QLatin1String(id),
          std::move(section),
          std::move(label),
          std::move(help),
          Kind::choice,
          0,
          1,
          1,
          {},
          {},
          {},
          std::move(choices),
          [member](const S& s) { return static_cast<double>(s.*member); },
          [member](S& s, double v) { s.*member = static_cast<E>(static_cast<int>(v)); },
          {}};
}

bool is_sgd(const S& s) { return s.optimizer == OptimizerKind::sgd; }
bool is_adamw(const S& s) { return s.optimizer == OptimizerKind::adamw; }
bool is_adam_like(const S& s) { return s.optimizer != OptimizerKind::sgd; }
bool penalised(const S& s) { return is_adamw(s) ? s.weight_decay > 0 : s.l1 > 0 || s.l2 > 0; }

bool on_gpu(const S& s) { return !s.devices.empty() && s.devices.front().rfind("cuda", 0) == 0; }
double position_of(DType precision) {
  const auto at = std::find_if(precision_names.begin(), precision_names.end(),
                               [&](const PrecisionName& p) { return p.type == precision; });
  return at == precision_names.end() ? 0 : static_cast<double>(at - precision_names.begin());
}

void add_optimizer(std::vector<SettingRow>& rows) {
  const QString section = tr("Optimiser");
  rows.push_back(choice("optimizer", section, tr("Method"), tr("How weights follow their gradients."), &S::optimizer,
                        {{tr("SGD"), {}}, {tr("Adam"), {}}, {tr("AdamW"), {}}}));
  rows.push_back(real("learning_rate", section, tr("Learning rate"), tr("Size of a step along the gradient."),
                      &S::learning_rate, {1e-8, 100}));
  rows.push_back(real("momentum", section, tr("Momentum"), tr("Share of the last step that is kept."), &S::momentum,
                      {0, 0.9999, 0.05, tr("none")}, is_sgd));
  rows.push_back(toggle("nesterov", section, tr("Nesterov"), tr("Looks ahead along the momentum."), &S::nesterov,
                        [](const S& s) { return is_sgd(s) && s.momentum > 0; }));
  rows.push_back(real("beta1", section, tr("Beta 1"), tr("Memory of the mean gradient."), &S::beta1, {0, 0.99999, 0.01},
                      is_adam_like));
  rows.push_back(real("beta2", section, tr("Beta 2"), tr("Memory of the squared gradient."), &S::beta2,
                      {0, 0.999999, 0.001}, is_adam_like));
  rows.push_back(real("epsilon", section, tr("Epsilon"), tr("Keeps the division finite."), &S::epsilon, {1e-12, 0.1},
                      is_adam_like));
}

void add_schedule(std::vector<SettingRow>& rows) {
  const QString section = tr("Learning rate schedule");
  rows.push_back(choice("schedule", section, tr("Shape"), tr("How the learning rate changes while training goes on."),
                        &S::schedule, {{tr("Constant"), {}}, {tr("Steps"), {}}, {tr("Cosine"), {}}}));
  const Test step = [](const S& s) { return s.schedule == ScheduleKind::step; };
  rows.push_back(integer("step_epochs", section, tr("Every"), tr("Epochs between two steps."), &S::step_epochs,
                         {1, 10000, 1, {}, tr("epochs"), tr("epoch")}, step));
  rows.push_back(real("step_gamma", section, tr("Times"), tr("Factor at each step."), &S::step_gamma, {1e-6, 1}, step));
  rows.push_back(real("min_learning_rate", section, tr("Ends at"), tr("Learning rate at the end of the cosine."),
                      &S::min_learning_rate, {0, 100}, [](const S& s) { return s.schedule == ScheduleKind::cosine; }));
  rows.push_back(real("warmup_epochs", section, tr("Warm-up"), tr("Epochs in which the learning rate rises from 0."),
                      &S::warmup_epochs, {0, 1000, 0.5, tr("none"), tr("epochs"), tr("epoch")}));
}

void add_run(std::vector<SettingRow>& rows) {
  const QString section = tr("Run");
  rows.push_back(
      integer("epochs", section, tr("Epochs"), tr("Passes over the training images."), &S::epochs, {1, 100000, 1}));
  rows.push_back(integer("batch", section, tr("Batch"), tr("Images per step, over all devices."), &S::batch,
                         {1, 65536, 0, {}, tr("images"), tr("image")}));
  SettingRow seed{QStringLiteral("seed"),
                  section,
                  tr("Seed"),
                  tr("Initial weights, order and augmentation follow from it."),
                  Kind::integer,
                  0,
                  2147483647,
                  1,
                  {},
                  {},
                  {},
                  {},
                  [](const S& s) { return static_cast<double>(s.seed); },
                  [](S& s, double v) { s.seed = static_cast<std::uint64_t>(std::llround(v)); },
                  {}};
  rows.push_back(std::move(seed));
  rows.push_back(integer("early_stopping_epochs", section, tr("Early stopping"),
                         tr("Stops when validation has not improved for so long."), &S::early_stopping_epochs,
                         {0, 10000, 1, tr("off"), tr("epochs"), tr("epoch")}));
}

void add_regularization(std::vector<SettingRow>& rows) {
  const QString section = tr("Regularisation");
  rows.push_back(real("weight_decay", section, tr("Weight decay"),
                      tr("Shrinks weights at each step, apart from the gradient."), &S::weight_decay,
                      {0, 10, 0, tr("off")}, is_adamw));
  const Test coupled = [](const S& s) { return !is_adamw(s); };
  rows.push_back(real("l2", section, tr("L2"), tr("Penalty on squared weights, added to the gradient."), &S::l2,
                      {0, 10, 0, tr("off")}, coupled));
  rows.push_back(real("l1", section, tr("L1"), tr("Penalty on absolute weights, added to the gradient."), &S::l1,
                      {0, 10, 0, tr("off")}, coupled));
  rows.push_back(toggle("decay_bias_and_norm", section, tr("Also biases"),
                        tr("Off: biases and batch-norm weights are left out of the penalties."),
                        &S::decay_bias_and_norm, penalised));
  rows.push_back(real("clip_norm", section, tr("Clip norm"), tr("Gradients longer than this are shortened."),
                      &S::clip_norm, {0, 1e6, 0, tr("off")}));
  rows.push_back(real("clip_value", section, tr("Clip value"), tr("Each gradient is kept within plus and minus this."),
                      &S::clip_value, {0, 1e6, 0, tr("off")}));
}

void add_augmentation(std::vector<SettingRow>& rows) {
  const QString section = tr("Augmentation");
  rows.push_back(toggle("random_crop", section, tr("Random crop"), tr("Shifts training images by a few pixels."),
                        &S::random_crop));
  rows.push_back(integer("crop_padding", section, tr("Crop padding"), tr("How far images may shift."), &S::crop_padding,
                         {1, 64, 1, {}, tr("px")}, [](const S& s) { return s.random_crop; }));
  rows.push_back(toggle("horizontal_flip", section, tr("Mirror"),
                        tr("Mirrors half of the training images left to right. Not for digits."), &S::horizontal_flip));
}

void add_compute(std::vector<SettingRow>& rows) {
  const QString section = tr("Compute");
  rows.push_back(choice("precision", section, tr("Precision"),
                        tr("Number format of what is multiplied. bf16 keeps about three digits of it and adds up in "
                           "fp32; a processor gains no speed from it."),
                        &S::precision,
                        {{tr("fp32"), {}},
                         {tr("bf16"), {}},
                         {tr("fp16"), tr("fp16 needs a GPU and a scaled loss. Choose fp32 or bf16."), on_gpu},
                         {tr("tf32"), tr("tf32 is a format of GPUs. Choose fp32 or bf16."), on_gpu}}));
  rows.back().get = [](const S& s) { return position_of(s.precision); };
  rows.back().set = [](S& s, double v) { s.precision = precision_names[static_cast<std::size_t>(v)].type; };
  rows.push_back(toggle("sync_batch_norm", section, tr("Shared batch norm"),
                        tr("Several devices: batch norm takes the mean of the whole batch. Off: each device takes that "
                           "of its own images, which is faster."),
                        &S::sync_batch_norm, [](const S& s) { return s.devices.size() > 1; }));
  rows.push_back(integer("threads", section, tr("Threads"),
                         tr("CPU threads. Automatic leaves one for the window when there are more than two."),
                         &S::threads, {0, 256, 1, tr("automatic")}));
}

void add_checkpoints(std::vector<SettingRow>& rows) {
  const QString section = tr("Checkpoints");
  rows.push_back(integer("checkpoint_epochs", section, tr("Save every"), tr("One is saved at the end in any case."),
                         &S::checkpoint_epochs, {1, 10000, 1, {}, tr("epochs"), tr("epoch")}));
  rows.push_back(integer("keep_checkpoints", section, tr("Keep"), tr("The newest ones, beside the best."),
                         &S::keep_checkpoints, {1, 1000, 1}));
}

}  // namespace

std::vector<SettingRow> settingRows() {
  std::vector<SettingRow> rows;
  for (const auto add :
       {add_run, add_optimizer, add_schedule, add_regularization, add_augmentation, add_compute, add_checkpoints})
    add(rows);
  return rows;
}

}  // namespace nw::ui
