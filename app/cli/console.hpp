// SPDX-License-Identifier: Apache-2.0
// A run as the terminal shows it: a progress bar where there is a terminal, one line an epoch where there is none.
#pragma once
#include <string>

#include "app/cli/cli.hpp"

namespace nw::cli {

class Console final : public EventSink {
 public:
  explicit Console(const TrainOutput&);
  void post(const Event&) override;   // one call at a time
  bool began() const { return began_; }   // the run got as far as its first step

 private:
  void show(const Started&);
  void show(const Steps&);
  void show(const EpochEnd&);
  void show(const Health&);
  void show(const Knob&);
  void show(const Saved&);
  void show(const Resumed&);
  void show(const Paused&);
  void show(const Continued&);
  void show(const Ended&);
  void show(const DeviceSample&) {}
  void say(const std::string& sentence);
  void clear_bar();

  const TrainOutput output_;
  const bool bar_, colour_;
  bool bar_shown_ = false, began_ = false;
  Started started_;
  double train_rate_ = 0;   // images per second, smoothed for the time left
};

}  // namespace nw::cli
