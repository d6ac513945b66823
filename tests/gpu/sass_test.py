#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of sass.py on a listing as cuobjdump prints it."""
import unittest

import sass

LISTING = """
		Function : nw_one
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   LDG.E.U16 R4, desc[UR4][R4.64] ;
        /*0020*/              @!P0 STG.E.U8 desc[UR4][R4.64], R5 ;
        /*0030*/                   LDG.E.128 R8, desc[UR4][R8.64] ;
        /*0040*/                   F2F.F64.F32 R2, R4 ;
        /*0050*/                   DFMA R2, R2, R2, R6 ;
        /*0060*/                   I2F.U64.RP R7, R10 ;
        /*0070*/                   I2F.RP R7, R10 ;
		Function : nw_two
        /*0000*/                   STL.64 [R1+0x8], R4 ;
        /*0010*/                   @P1 LDL R4, [R5] ;
"""


class Sass(unittest.TestCase):
    def test_each_kind_is_counted_in_its_kernel(self):
        found = sass.counts(LISTING)
        self.assertEqual({k: dict(c) for k, c in found.items()}, {"nw_one": {"narrow": 2, "double": 2, "division": 1}, "nw_two": {"local": 2}})

    def test_only_more_than_the_limit_is_a_complaint(self):
        found = sass.counts(LISTING)
        exact = {k: {kind: c[kind] for kind in sass.KINDS} for k, c in found.items()}
        self.assertEqual(sass.complaints(found, exact), [])
        self.assertEqual(sass.complaints(found, {**exact, "nw_two": {**exact["nw_two"], "local": 1}}), ["nw_two: local 2, at most 1"])
        self.assertEqual(len(sass.complaints(found, {"nw_one": exact["nw_one"], "nw_three": exact["nw_two"]})), 2)


if __name__ == "__main__":
    unittest.main()
