// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_rows.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "kernels/optimizer.hpp"
#include "ui/session/session.hpp"

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

SettingRow integer(const char* id, QString section, QString label, QString help, std::int64_t S::*member,
                   const Number& n, Test applies = {}) {
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

SettingRow real(const char* id, QString section, QString label, QString help, double S::*member, const Number& n,
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
struct Option {
  E value;
  SettingChoice choice;
};

/// A value that is none of the options is shown as the first.
template <class E>
SettingRow choice(const char* id, QString section, QString label, QString help, E S::*member,
                  const std::vector<Option<E>>& options) {
  std::vector<SettingChoice> choices;
  std::vector<E> values;
  for (const Option<E>& o : options) choices.push_back(o.choice), values.push_back(o.value);
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
          [member, values](const S& s) {
            const auto at = std::find(values.begin(), values.end(), s.*member);
            return at == values.end() ? 0.0 : static_cast<double>(at - values.begin());
          },
          [member, values](S& s, double v) { s.*member = values[static_cast<std::size_t>(v)]; },
          {}};
}

const OptimizerField* fieldOf(const S& s, std::string_view field) {
  const Optimizer* chosen = find_optimizer(s.optimizer.name());
  return chosen != nullptr ? find_field(*chosen, field) : nullptr;
}
bool decaysItself(const S& s) { return fieldOf(s, "weight_decay") != nullptr; }
bool penalised(const S& s) { return decaysItself(s) ? s.optimizer.value("weight_decay") > 0 : s.l1 > 0 || s.l2 > 0; }

QString engineText(const char* english) { return translated(text(english)); }
QString plain(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

SettingRow::Kind kindOf(OptimizerField::Kind kind) {
  switch (kind) {
    case OptimizerField::Kind::real:
      return Kind::real;
    case OptimizerField::Kind::boolean:
      return Kind::toggle;
  }
  return Kind::real;
}

/// One row for a name, whichever optimizers have it.
SettingRow fieldRow(const OptimizerField& f, const QString& section) {
  const std::string name(f.name), only(f.only);
  return {plain(f.name),
          section,
          engineText(f.label),
          engineText(f.help),
          kindOf(f.kind),
          f.lo,
          f.hi,
          f.step,
          *f.zero != 0 ? engineText(f.zero) : QString(),
          plain(f.unit),
          {},
          {},
          [name](const S& s) { return s.optimizer.value(name); },
          [name](S& s, double v) { s.optimizer.set(name, v); },
          [name, only](const S& s) {
            return fieldOf(s, name) != nullptr && (only.empty() || s.optimizer.value(only) != 0);
          }};
}

/// Every name once, in an order that keeps that of each optimizer: an unknown name goes before the next known one.
std::vector<const OptimizerField*> optimizerFields() {
  std::vector<const OptimizerField*> all;
  const auto known = [&](const OptimizerField& f) {
    return std::find_if(all.begin(), all.end(), [&](const OptimizerField* k) { return k->name == f.name; });
  };
  for (const Optimizer& o : all_optimizers())
    for (std::size_t i = 0; i < o.fields.size(); ++i) {
      if (known(o.fields[i]) != all.end()) continue;
      auto before = all.end();
      for (std::size_t next = i + 1; before == all.end() && next < o.fields.size(); ++next)
        before = known(o.fields[next]);
      all.insert(before, &o.fields[i]);
    }
  return all;
}

SettingRow methodRow(const QString& section) {
  std::vector<SettingChoice> choices;
  for (const Optimizer& o : all_optimizers()) choices.push_back({plain(o.title), {}});
  const auto position = [](const S& s) {
    const Optimizer* chosen = find_optimizer(s.optimizer.name());
    return chosen != nullptr ? static_cast<double>(optimizer_index(*chosen)) : -1.0;
  };
  const auto choose = [](S& s, double v) {
    if (v >= 0) s.optimizer.choose(all_optimizers()[static_cast<std::size_t>(v)].name);
  };
  return {QStringLiteral("optimizer"),
          section,
          tr("Method"),
          tr("Update rule of the weights."),
          Kind::choice,
          0,
          1,
          1,
          {},
          {},
          {},
          std::move(choices),
          position,
          choose,
          {}};
}

bool on_gpu(const S& s) { return !s.devices.empty() && s.devices.front().rfind("cuda", 0) == 0; }

void add_optimizer(std::vector<SettingRow>& rows) {
  const QString section = tr("Optimizer");
  rows.push_back(methodRow(section));
  rows.push_back(real("learning_rate", section, tr("Learning rate"), tr("Size of a step along the gradient."),
                      &S::learning_rate, {1e-8, 100}));
  for (const OptimizerField* f : optimizerFields()) rows.push_back(fieldRow(*f, section));
}

Test follows(ScheduleKind kind) {
  return [kind](const S& s) { return s.schedule == kind; };
}

void add_cycle(std::vector<SettingRow>& rows, const QString& section) {
  const Test cycle = follows(ScheduleKind::one_cycle);
  rows.push_back(real("pct_start", section, tr("Rises for"), tr("Fraction of the run in which the rate rises."),
                      &S::pct_start, {0, 1, 0.05}, cycle));
  rows.push_back(real("div_factor", section, tr("Starts at 1/"), tr("The rate begins at the learning rate over this."),
                      &S::div_factor, {1, 1e6}, cycle));
  rows.push_back(real("final_div_factor", section, tr("Ends at 1/"), tr("The first rate over this ends the run."),
                      &S::final_div_factor, {1, 1e9}, cycle));
}

void add_restarts(std::vector<SettingRow>& rows, const QString& section) {
  const Test restarts = follows(ScheduleKind::cosine_restarts);
  rows.push_back(integer("restart_epochs", section, tr("First period"), tr("Epochs before the first restart."),
                         &S::restart_epochs, {1, 10000, 1, {}, tr("epochs"), tr("epoch")}, restarts));
  rows.push_back(integer("restart_factor", section, tr("Longer by"), tr("Each period is so many times as long."),
                         &S::restart_factor, {1, 100, 1, {}, tr("times")}, restarts));
}

void add_plateau(std::vector<SettingRow>& rows, const QString& section) {
  const Test plateau = follows(ScheduleKind::plateau);
  rows.push_back(integer("plateau_epochs", section, tr("Waits for"), tr("Epochs without improvement before a step."),
                         &S::plateau_epochs, {0, 10000, 1, {}, tr("epochs"), tr("epoch")}, plateau));
  rows.push_back(
      real("plateau_gamma", section, tr("Times"), tr("Factor at each step."), &S::plateau_gamma, {1e-6, 1}, plateau));
  rows.push_back(real("plateau_threshold", section, tr("Least gain"),
                      tr("A smaller relative change of the monitored figure is no improvement."), &S::plateau_threshold,
                      {0, 1, 0, tr("none")}, plateau));
}

void add_schedule(std::vector<SettingRow>& rows) {
  const QString section = tr("Learning rate schedule");
  rows.push_back(choice("schedule", section, tr("Shape"), tr("How the learning rate changes during training."),
                        &S::schedule,
                        {{ScheduleKind::constant, {tr("Constant"), {}}},
                         {ScheduleKind::step, {tr("Steps"), {}}},
                         {ScheduleKind::cosine, {tr("Cosine"), {}}},
                         {ScheduleKind::one_cycle, {tr("One cycle"), {}}},
                         {ScheduleKind::polynomial, {tr("Polynomial"), {}}},
                         {ScheduleKind::cosine_restarts, {tr("Cosine with restarts"), {}}},
                         {ScheduleKind::plateau, {tr("Plateau"), {}}}}));
  const Test step = [](const S& s) { return s.schedule == ScheduleKind::step; };
  rows.push_back(integer("step_epochs", section, tr("Every"), tr("Epochs between two steps."), &S::step_epochs,
                         {1, 10000, 1, {}, tr("epochs"), tr("epoch")}, step));
  rows.push_back(real("step_gamma", section, tr("Times"), tr("Factor at each step."), &S::step_gamma, {1e-6, 1}, step));
  add_cycle(rows, section);
  add_restarts(rows, section);
  add_plateau(rows, section);
  rows.push_back(real("polynomial_power", section, tr("Power"), tr("1: a straight line. More: steeper at first."),
                      &S::polynomial_power, {0, 10, 0.5}, follows(ScheduleKind::polynomial)));
  rows.push_back(real("min_learning_rate", section, tr("Ends at"), tr("The lowest learning rate of the schedule."),
                      &S::min_learning_rate, {0, 100}, [](const S& s) {
                        return s.schedule == ScheduleKind::cosine || s.schedule == ScheduleKind::polynomial ||
                               s.schedule == ScheduleKind::cosine_restarts || s.schedule == ScheduleKind::plateau;
                      }));
  rows.push_back(real("warmup_epochs", section, tr("Warm-up"), tr("Epochs in which the learning rate rises from 0."),
                      &S::warmup_epochs, {0, 1000, 0.5, tr("none"), tr("epochs"), tr("epoch")}));
}

void add_run(std::vector<SettingRow>& rows) {
  const QString section = tr("Run");
  rows.push_back(
      integer("epochs", section, tr("Epochs"), tr("Passes over the training images."), &S::epochs, {1, 100000, 1}));
  rows.push_back(integer("batch", section, tr("Batch"), tr("Images per step, over all devices."), &S::batch,
                         {1, 65536, 0, {}, tr("images"), tr("image")}));
  rows.push_back(integer("accumulate", section, tr("Accumulate"),
                         tr("Batches whose gradients are summed for one update, as of one large batch."),
                         &S::accumulate, {1, 4096, 1, {}, tr("batches"), tr("batch")}));
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
                         tr("Stops when the monitored figure has not improved for so long."), &S::early_stopping_epochs,
                         {0, 10000, 1, tr("off"), tr("epochs"), tr("epoch")}));
  rows.push_back(real("min_change", section, tr("Least change"),
                      tr("Early stopping: a smaller change is no improvement. Accuracies are from 0 to 1."),
                      &S::min_change, {0, 1000, 0, tr("none")},
                      [](const S& s) { return s.early_stopping_epochs > 0; }));
  rows.push_back(choice("monitor", section, tr("Monitor"),
                        tr("The figure that decides which epoch is the best, and when to stop."), &S::monitor,
                        {{MonitoredFigure::validation_accuracy, {tr("Validation accuracy"), {}}},
                         {MonitoredFigure::validation_loss, {tr("Validation loss"), {}}},
                         {MonitoredFigure::train_accuracy, {tr("Training accuracy"), {}}},
                         {MonitoredFigure::train_loss, {tr("Training loss"), {}}}}));
}

void add_regularization(std::vector<SettingRow>& rows) {
  const QString section = tr("Regularization");
  const Test coupled = [](const S& s) { return !decaysItself(s); };
  rows.push_back(real("l2", section, tr("L2"), tr("Penalty on squared weights, added to the gradient."), &S::l2,
                      {0, 10, 0, tr("off")}, coupled));
  rows.push_back(real("l1", section, tr("L1"), tr("Penalty on absolute weights, added to the gradient."), &S::l1,
                      {0, 10, 0, tr("off")}, coupled));
  rows.push_back(toggle("decay_bias_and_norm", section, tr("Also biases"),
                        tr("Off: biases and batch-norm weights are left out of the penalties."),
                        &S::decay_bias_and_norm, penalised));
  rows.push_back(real("ema_decay", section, tr("EMA of weights"),
                      tr("Decay of a moving average of the weights, which is evaluated and saved. Usual: 0.999."),
                      &S::ema_decay, {0, 0.999999, 0, tr("off")}));
  rows.push_back(integer("swa_start", section, tr("SWA weights"),
                         tr("The first epoch whose weights are averaged (SWA). The mean is evaluated and saved."),
                         &S::swa_start, {0, 100000, 1, tr("off")}));
  const Test averages = [](const S& s) { return s.swa_start > 0; };
  rows.push_back(real("swa_learning_rate", section, tr("Its rate"),
                      tr("Learning rate after that epoch. 0: the schedule goes on."), &S::swa_learning_rate,
                      {0, 100, 0, tr("as scheduled")}, averages));
  const Test has_own_rate = [](const S& s) { return s.swa_start > 0 && s.swa_learning_rate > 0; };
  rows.push_back(integer("swa_anneal_epochs", section, tr("Reached in"),
                         tr("Epochs in which the learning rate changes to it."), &S::swa_anneal_epochs,
                         {0, 10000, 1, tr("at once"), tr("epochs"), tr("epoch")}, has_own_rate));
  rows.push_back(toggle("swa_linear", section, tr("In equal parts"),
                        tr("Each of these epochs changes the rate by the same amount. Off: along a cosine."),
                        &S::swa_linear, has_own_rate));
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
  rows.push_back(real("augment_strength", section, tr("Strength"),
                      tr("Fraction of the training images that the transforms below change."), &S::augment_strength,
                      {0, 1, 0.05}, [](const S& s) { return !s.transforms.empty(); }));
}

void add_compute(std::vector<SettingRow>& rows) {
  const QString section = tr("Compute");
  rows.push_back(choice(
      "precision", section, tr("Precision"),
      tr("Number format of the operands of products. Automatic takes for each product the fastest format of "
         "the device that keeps the accuracy: bf16 or fp32; the run says which. bf16 keeps about three digits and "
         "accumulates in fp32."),
      &S::precision,
      {{std::nullopt, {tr("automatic"), {}}},
       {DType::f32, {tr("fp32"), {}}},
       {DType::bf16, {tr("bf16"), {}}},
       {DType::f16, {tr("fp16"), tr("fp16 needs a GPU and a scaled loss. Choose fp32 or bf16."), on_gpu}},
       {DType::tf32, {tr("tf32"), tr("tf32 is a format of GPUs. Choose fp32 or bf16."), on_gpu}}}));
  rows.push_back(toggle("sync_batch_norm", section, tr("Shared batch norm"),
                        tr("Several devices: batch norm uses the statistics of the whole batch. Off: each device uses "
                           "those of its own images, which is faster."),
                        &S::sync_batch_norm, [](const S& s) { return s.devices.size() > 1; }));
  rows.push_back(integer("threads", section, tr("Threads"),
                         tr("CPU threads. Automatic leaves one for the window when there are more than two."),
                         &S::threads, {0, 256, 1, tr("automatic")}));
}

void add_checkpoints(std::vector<SettingRow>& rows) {
  const QString section = tr("Checkpoints");
  rows.push_back(integer("checkpoint_epochs", section, tr("Save every"), tr("One is saved at the end in any case."),
                         &S::checkpoint_epochs, {1, 10000, 1, {}, tr("epochs"), tr("epoch")}));
  rows.push_back(integer("keep_checkpoints", section, tr("Keep"),
                         tr("Number of newest checkpoints kept in addition to the best."), &S::keep_checkpoints,
                         {1, 1000, 1}));
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
