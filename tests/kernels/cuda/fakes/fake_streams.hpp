// SPDX-License-Identifier: Apache-2.0
// Streams, events, stream capture and graphs of the fake GPUs. What stream capture forbids gives the errors 900
// to 908 and spoils the capture, as the driver's reference manual says of cuStreamBeginCapture and
// cuThreadExchangeStreamCaptureMode. Between the parts of the fake.
#pragma once
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {

/// Errors of stream capture, by the driver's names without CUDA_ERROR_STREAM_CAPTURE_ or CUDA_ERROR_. 906 (IMPLICIT) is
/// not modelled: it is the error of work on the legacy stream (null), which is a misuse here at any time.
enum CaptureError : int {
  capture_unsupported = 900,
  capture_invalidated = 901,
  capture_merge = 902,
  capture_unmatched = 903,
  capture_unjoined = 904,
  capture_isolation = 905,
  captured_event = 907,
  capture_wrong_thread = 908,
};

int fake_stream_make(DriverStream*, unsigned flags);
int fake_stream_make_with_priority(DriverStream*, unsigned flags, int priority);
int fake_stream_drop(DriverStream);
int fake_stream_wait(DriverStream);
int fake_stream_ready(DriverStream);
int fake_stream_wait_event(DriverStream, DriverEvent, unsigned flags);
/// Of work that is enqueued: the time between events that are recorded before and after it.
void fake_take_time(double ms);
int fake_event_make(DriverEvent*, unsigned flags);
int fake_event_drop(DriverEvent);
int fake_event_record(DriverEvent, DriverStream);
int fake_event_wait(DriverEvent);
int fake_event_ms(float* ms, DriverEvent begin, DriverEvent end);
int fake_capture_begin(DriverStream, int mode);
int fake_capture_end(DriverStream, DriverGraph*);
int fake_graph_make(DriverGraphExec*, DriverGraph, unsigned long long flags);
int fake_graph_launch(DriverGraphExec, DriverStream);
int fake_graph_drop(DriverGraph);
int fake_graph_exec_drop(DriverGraphExec);

/// 0, or the error of a call that may wait for the device, on a thread that captures: it spoils the thread's captures.
int fake_unsafe_in_capture();

}  // namespace nw::cuda
