// SPDX-License-Identifier: Apache-2.0
// Our declarations of NVIDIA's interfaces against the toolkit's headers and libraries, if installed.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "kernels/cuda/cudnn_names.hpp"
#include "kernels/cuda/libraries.hpp"

#if __has_include(<cudnn_graph.h>) && __has_include(<cublasLt.h>)
#include <cublasLt.h>
#include <cudnn_graph.h>

namespace nw::cuda {
namespace {

#define NW_SAME(ours, theirs) static_assert(static_cast<int>(dnn::ours) == static_cast<int>(theirs))
NW_SAME(pointwise, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
NW_SAME(convolution, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
NW_SAME(engine, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
NW_SAME(engine_config, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
NW_SAME(heuristics, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
NW_SAME(plan, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
NW_SAME(forward_op, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
NW_SAME(filter_op, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR);
NW_SAME(data_op, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR);
NW_SAME(pointwise_op, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
NW_SAME(stats_op, CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR);
NW_SAME(graph, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
NW_SAME(arguments, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
NW_SAME(tensor, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
NW_SAME(device_properties, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
NW_SAME(handle_type, CUDNN_TYPE_HANDLE);
NW_SAME(data_type, CUDNN_TYPE_DATA_TYPE);
NW_SAME(boolean_type, CUDNN_TYPE_BOOLEAN);
NW_SAME(int64_type, CUDNN_TYPE_INT64);
NW_SAME(float_type, CUDNN_TYPE_FLOAT);
NW_SAME(pointer_type, CUDNN_TYPE_VOID_PTR);
NW_SAME(convolution_mode_type, CUDNN_TYPE_CONVOLUTION_MODE);
NW_SAME(heuristic_mode_type, CUDNN_TYPE_HEUR_MODE);
NW_SAME(numerical_note_type, CUDNN_TYPE_NUMERICAL_NOTE);
NW_SAME(pointwise_mode_type, CUDNN_TYPE_POINTWISE_MODE);
NW_SAME(descriptor_type, CUDNN_TYPE_BACKEND_DESCRIPTOR);
NW_SAME(stats_mode_type, CUDNN_TYPE_GENSTATS_MODE);
NW_SAME(behavior_note_type, CUDNN_TYPE_BEHAVIOR_NOTE);
NW_SAME(char_type, CUDNN_TYPE_CHAR);
NW_SAME(pointwise_mode, CUDNN_ATTR_POINTWISE_MODE);
NW_SAME(pointwise_precision, CUDNN_ATTR_POINTWISE_MATH_PREC);
NW_SAME(convolution_compute, CUDNN_ATTR_CONVOLUTION_COMP_TYPE);
NW_SAME(convolution_mode, CUDNN_ATTR_CONVOLUTION_CONV_MODE);
NW_SAME(convolution_dilations, CUDNN_ATTR_CONVOLUTION_DILATIONS);
NW_SAME(convolution_strides, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
NW_SAME(convolution_padding_after, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
NW_SAME(convolution_padding_before, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
NW_SAME(convolution_dimensions, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS);
NW_SAME(heuristics_mode, CUDNN_ATTR_ENGINEHEUR_MODE);
NW_SAME(heuristics_graph, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
NW_SAME(heuristics_results, CUDNN_ATTR_ENGINEHEUR_RESULTS);
NW_SAME(heuristics_device, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP);
NW_SAME(config_engine, CUDNN_ATTR_ENGINECFG_ENGINE);
NW_SAME(plan_handle, 400);  // deprecated, but required by older releases of cuDNN 9
NW_SAME(plan_config, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
NW_SAME(plan_workspace, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE);
NW_SAME(plan_json, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION);
NW_SAME(plan_device, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP);
NW_SAME(forward_convolution, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC);
NW_SAME(forward_y, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y);
NW_SAME(data_convolution, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC);
NW_SAME(data_dy, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY);
NW_SAME(filter_convolution, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC);
NW_SAME(filter_dy, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY);
NW_SAME(op_pointwise, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
NW_SAME(stats_mode, CUDNN_ATTR_OPERATION_GENSTATS_MODE);
NW_SAME(stats_squares, CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC);
NW_SAME(graph_handle, 800);
NW_SAME(graph_ops, CUDNN_ATTR_OPERATIONGRAPH_OPS);
NW_SAME(tensor_alignment, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
NW_SAME(tensor_strides, CUDNN_ATTR_TENSOR_STRIDES);
NW_SAME(tensor_id, CUDNN_ATTR_TENSOR_UNIQUE_ID);
NW_SAME(tensor_virtual, CUDNN_ATTR_TENSOR_IS_VIRTUAL);
NW_SAME(arguments_ids, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
NW_SAME(arguments_pointers, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
NW_SAME(arguments_workspace, CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
NW_SAME(engine_index, CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
NW_SAME(engine_numerical_notes, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE);
NW_SAME(engine_behavior_notes, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE);
NW_SAME(device_json, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION);
NW_SAME(data_f32, CUDNN_DATA_FLOAT);
NW_SAME(data_f16, CUDNN_DATA_HALF);
NW_SAME(data_bf16, CUDNN_DATA_BFLOAT16);
NW_SAME(pointwise_add, CUDNN_POINTWISE_ADD);
NW_SAME(pointwise_relu, CUDNN_POINTWISE_RELU_FWD);
NW_SAME(cross_correlation, CUDNN_CROSS_CORRELATION);
NW_SAME(heuristic_fallback, CUDNN_HEUR_MODE_FALLBACK);
NW_SAME(heuristic_a, CUDNN_HEUR_MODE_A);
NW_SAME(stats_sum_and_squares, CUDNN_GENSTATS_SUM_SQSUM);
NW_SAME(note_tensor_core, CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
NW_SAME(note_down_converts, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS);
NW_SAME(note_random_order, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC);
NW_SAME(behavior_runtime_compiled, CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION);

static_assert(sizeof(MatmulAlgo) == sizeof(cublasLtMatmulAlgo_t) &&
              sizeof(MatmulChoice) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(MatmulChoice, workspace_bytes) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize) &&
              offsetof(MatmulChoice, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(CUBLASLT_MATMUL_DESC_TRANSA == 3 && CUBLASLT_MATMUL_DESC_TRANSB == 4 &&
              CUBLASLT_MATMUL_DESC_EPILOGUE == 7 && CUBLASLT_MATMUL_DESC_BIAS_POINTER == 8 &&
              CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE == 26);
static_assert(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES == 1 && CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK == 3 &&
              CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES == 5 && CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES == 8);
static_assert(CUBLASLT_EPILOGUE_DEFAULT == 1 && CUBLASLT_EPILOGUE_BIAS == 4 && CUBLASLT_EPILOGUE_RELU == 2 &&
              CUBLASLT_EPILOGUE_RELU_BIAS == 6 && CUBLASLT_EPILOGUE_BGRADB == 512);
static_assert(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE == 2 && CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE == 4);
static_assert(CUBLAS_COMPUTE_32F == 68 && CUBLAS_COMPUTE_32F_FAST_TF32 == 77 && CUDA_R_32F == 0 && CUDA_R_16F == 2 &&
              CUDA_R_16BF == 14);

}  // namespace
}  // namespace nw::cuda
#endif

namespace nw::cuda {
namespace {

TEST(CudaNames, TheInstalledLibrariesExportEveryFunctionThatIsCalled) {
  const Libraries l = open_libraries();
  if (!l.has_cublas_lt() && !l.has_cudnn()) GTEST_SKIP() << l.missing_cublas_lt.str() << "; " << l.missing_cudnn.str();
  EXPECT_EQ(l.missing_cublas_lt.str().find("too old"), std::string::npos) << l.missing_cublas_lt.str();
  EXPECT_EQ(l.missing_cudnn.str().find("too old"), std::string::npos) << l.missing_cudnn.str();
  if (l.has_cudnn()) { EXPECT_GE(l.cudnn.version(), 90000u); }
  if (l.has_cublas_lt()) { EXPECT_GE(l.cublas_lt.version(), 120000u); }
}

}  // namespace
}  // namespace nw::cuda
