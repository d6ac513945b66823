// SPDX-License-Identifier: Apache-2.0
// A library that is not a plug-in.
extern "C" int something_else() { return 1; }
