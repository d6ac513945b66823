# SPDX-License-Identifier: Apache-2.0
"""The order of samples in an epoch: Philox 4x32-10 (Salmon et al., SC 2011) with seed and epoch as its key and counter, words
made numbers below n by Lemire's method (2019), and a Fisher-Yates shuffle from the end."""
WORD = 0xFFFFFFFF
SHUFFLE = 2  # the number of this use of random numbers, RandomOp::shuffle


def philox(counter, key):
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & WORD, (a >> 32) ^ c3 ^ k1, a & WORD
        k0, k1 = (k0 + 0x9E3779B9) & WORD, (k1 + 0xBB67AE85) & WORD
    return c0, c1, c2, c3


def words(seed, op, epoch):
    key = (seed & WORD) ^ (op * 0x9E3779B9 & WORD), (seed >> 32 & WORD) ^ op
    block = 0
    while True:
        yield from philox((block, 0, op << 16 & WORD, epoch), key)
        block += 1


def below(n, source):
    while True:
        product = next(source) * n
        if product & WORD >= (2 ** 32 - n) % n:
            return product >> 32


def order(samples, seed, epoch):
    source, places = words(seed, SHUFFLE, epoch), list(range(samples))
    for i in range(samples, 1, -1):
        j = below(i, source)
        places[i - 1], places[j] = places[j], places[i - 1]
    return places
