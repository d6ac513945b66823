// SPDX-License-Identifier: Apache-2.0
// A libcublasLt.so.13, libcudnn.so.9 and libnvrtc.so.13 that do not start, as NVIDIA's own do on a fake driver. They
// report a version, refuse everything else and take no time to load.
#include <cstddef>

#define NW_REFUSES(function) \
  extern "C" int function() { return 1; }  // CUBLAS_STATUS_NOT_INITIALIZED; of cuDNN no success either

extern "C" std::size_t cublasLtGetVersion() { return 130001; }
extern "C" std::size_t cudnnGetVersion() { return 91400; }
NW_REFUSES(cublasLtCreate)
NW_REFUSES(cublasLtDestroy)
NW_REFUSES(cublasLtMatmulDescCreate)
NW_REFUSES(cublasLtMatmulDescDestroy)
NW_REFUSES(cublasLtMatmulDescSetAttribute)
NW_REFUSES(cublasLtMatrixLayoutCreate)
NW_REFUSES(cublasLtMatrixLayoutDestroy)
NW_REFUSES(cublasLtMatmulPreferenceCreate)
NW_REFUSES(cublasLtMatmulPreferenceDestroy)
NW_REFUSES(cublasLtMatmulPreferenceSetAttribute)
NW_REFUSES(cublasLtMatmulAlgoGetHeuristic)
NW_REFUSES(cublasLtMatmul)
NW_REFUSES(cudnnCreate)
NW_REFUSES(cudnnDestroy)
NW_REFUSES(cudnnSetStream)
NW_REFUSES(cudnnGetErrorString)
NW_REFUSES(cudnnGetLastErrorString)
NW_REFUSES(cudnnBackendCreateDescriptor)
NW_REFUSES(cudnnBackendDestroyDescriptor)
NW_REFUSES(cudnnBackendSetAttribute)
NW_REFUSES(cudnnBackendGetAttribute)
NW_REFUSES(cudnnBackendFinalize)
NW_REFUSES(cudnnBackendExecute)
