// SPDX-License-Identifier: Apache-2.0
// The numbers of cuDNN 9's backend interface that we use, so that the host side compiles where no cuDNN is; a test compares them
// with NVIDIA's header where there is one.
#pragma once

namespace nw::cuda::dnn {

enum Kind : int {
  pointwise = 0, convolution = 1, engine = 2, engine_config = 3, heuristics = 4, plan = 5, forward_op = 10, filter_op = 11, data_op = 12,
  pointwise_op = 13, stats_op = 14, graph = 15, arguments = 16, tensor = 17,
  device_properties = 38,
};
enum Type : int {
  handle_type = 0, data_type = 1, boolean_type = 2, int64_type = 3, float_type = 4, pointer_type = 6, convolution_mode_type = 7, heuristic_mode_type = 8,
  numerical_note_type = 11, pointwise_mode_type = 14, descriptor_type = 15, stats_mode_type = 16,
  behavior_note_type = 19, char_type = 24,
};
enum Attribute : int {
  pointwise_mode = 0, pointwise_precision = 1,
  convolution_compute = 100, convolution_mode = 101, convolution_dilations = 102, convolution_strides = 103, convolution_padding_after = 104,
  convolution_padding_before = 105, convolution_dimensions = 106,
  heuristics_mode = 200, heuristics_graph = 201, heuristics_results = 202, heuristics_device = 204,
  config_engine = 300,
  plan_handle = 400, plan_config = 401, plan_workspace = 402, plan_json = 405, plan_device = 407,
  forward_alpha = 700, forward_beta = 701, forward_convolution = 702, forward_w = 703, forward_x = 704, forward_y = 705,
  data_alpha = 706, data_beta = 707, data_convolution = 708, data_w = 709, data_dx = 710, data_dy = 711,
  filter_alpha = 712, filter_beta = 713, filter_convolution = 714, filter_dw = 715, filter_x = 716, filter_dy = 717,
  op_pointwise = 750, op_pointwise_x = 751, op_pointwise_b = 752, op_pointwise_y = 753,
  stats_mode = 770, stats_precision = 771, stats_x = 772, stats_sum = 773, stats_squares = 774,
  graph_handle = 800, graph_ops = 801,
  tensor_alignment = 900, tensor_type = 901, tensor_sizes = 902, tensor_strides = 903, tensor_id = 906, tensor_virtual = 907,
  arguments_ids = 1000, arguments_pointers = 1001, arguments_workspace = 1003,
  engine_index = 1301, engine_numerical_notes = 1303, engine_behavior_notes = 1305,
  device_json = 2702,
};
enum DataType : int { data_f32 = 0, data_f16 = 2, data_bf16 = 9 };
enum Pointwise : int { pointwise_add = 0, pointwise_relu = 100 };
enum Mode : int { cross_correlation = 1, heuristic_fallback = 2, heuristic_a = 3, stats_sum_and_squares = 0 };
enum Note : int {
  note_tensor_core = 0, note_down_converts = 1, note_random_order = 4, numerical_notes = 10,
  behavior_runtime_compiled = 0, behavior_notes = 5,
};

}  // namespace nw::cuda::dnn
