// Fitted weights of the estimator, thousandths of a token. Written by: npx tsx scripts/fit-estimator.ts

/** By name of a step of the automaton; what is not listed costs nothing. */
export const STEP_WEIGHTS = `
other>lower = 442, other>upper = 726, other>accent = 342, other>underscore = 195, other>hyphen = 4655, other>colon = 466
other>close = 541, other>operator = 790, other>backslash = 705, other>symbol = 667, other>box = 400, other>wide-mark = 66
other>cyrillic = 5857, other>hebrew = 695, other>arabic = 4832, other>indic = 3586, other>thai = 187, other>hiragana = 1328
other>katakana = 513, other>han = 682, other>hangul = 424, other>other-script = 5242, other>tab = 267, other>return = 457
other>control = 400, other>rare-han = 400, other>high = 4410, other>low = 1363, other>private = 2716, hump 1 upper = 405
lower accent = 320, word>underscore = 346, word>dot = 420, word>slash = 69, word>comma = 374, word>colon = 608, word>quote = 268
word>open = 115, word>close = 539, word>operator = 287, word>backslash = 180, word>symbol = 318, word>box = 400, word>wide-mark = 456
word>cyrillic = 400, word>greek = 400, word>hebrew = 400, word>arabic = 400, word>indic = 179, word>thai = 400, word>hiragana = 400
word>katakana = 400, word>han = 402, word>hangul = 487, word>rare-script = 400, word>digit = 536, word>space = 171, word>tab = 817
word>newline = 578, word>return = 296, word>control = 400, word>combining = 411, word>rare-han = 400, word>emoji-high = 434
word>high = 400, word>low = 400, word>private = 400, upper bare 1 lower = 128, upper bare 1 upper = 311, upper accent = 661
underscore>lower = 178, underscore>upper = 533, underscore>accent = 400, underscore>underscore = 1046, underscore>hyphen = 400
underscore>dot = 433, underscore>slash = 499, underscore>comma = 587, underscore>colon = 164, underscore>quote = 294
underscore>open = 250, underscore>close = 388, underscore>operator = 365, underscore>backslash = 429, mark>symbol = 98, mark>box = 400
mark>wide-mark = 1267, mark>cyrillic = 3232, mark>greek = 3102, mark>hebrew = 292, mark>arabic = 5739, mark>indic = 4273
mark>hiragana = 481, mark>katakana = 502, mark>hangul = 1204, underscore>digit = 560, underscore>space = 802, underscore>tab = 400
underscore>newline = 327, mark>control = 437, mark>combining = 2732, mark>rare-han = 400, mark>emoji-high = 3473, mark>high = 400
mark>low = 400, mark>private = 400, hyphen>lower = 643, hyphen>upper = 608, hyphen>accent = 517, hyphen>underscore = 411
hyphen>hyphen = 13, hyphen>dot = 400, hyphen>slash = 353, hyphen>comma = 396, hyphen>colon = 464, hyphen>quote = 527, hyphen>open = 648
hyphen>close = 511, hyphen>operator = 983, hyphen>backslash = 680, hyphen>digit = 1119, hyphen>space = 292, hyphen>tab = 581
hyphen>newline = 924, dot>upper = 334, dot>accent = 400, dot>underscore = 139, dot>hyphen = 400, dot>dot = 21, dot>slash = 123
dot>comma = 472, dot>colon = 385, dot>quote = 240, dot>open = 382, dot>close = 337, dot>operator = 399, dot>backslash = 183
dot>digit = 829, dot>space = 168, dot>tab = 400, slash>lower = 778, slash>upper = 527, slash>accent = 400, slash>underscore = 728
slash>hyphen = 753, slash>dot = 490, slash>slash = 123, slash>comma = 759, slash>colon = 391, slash>quote = 421, slash>open = 586
slash>close = 261, slash>operator = 555, slash>backslash = 579, slash>digit = 1062, slash>space = 551, slash>tab = 400, comma>lower = 401
comma>upper = 472, comma>accent = 400, comma>underscore = 385, comma>hyphen = 443, comma>dot = 385, comma>slash = 413, comma>comma = 395
comma>colon = 400, comma>open = 17, comma>close = 593, comma>operator = 505, comma>backslash = 244, comma>digit = 278, comma>space = 402
comma>tab = 400, comma>newline = 95, colon>lower = 587, colon>upper = 431, colon>accent = 400, colon>underscore = 348, colon>hyphen = 690
colon>dot = 401, colon>slash = 289, colon>comma = 400, colon>colon = 296, colon>close = 504, colon>operator = 168, colon>backslash = 500
colon>digit = 579, colon>space = 715, colon>tab = 1330, quote>lower = 682, quote>upper = 718, quote>accent = 513, quote>underscore = 199
quote>hyphen = 563, quote>slash = 569, quote>comma = 286, quote>colon = 357, quote>quote = 186, quote>operator = 94
quote>backslash = 332, quote>digit = 461, quote>space = 792, quote>tab = 400, quote>newline = 170, open>lower = 321, open>upper = 529
open>accent = 400, open>underscore = 384, open>hyphen = 542, open>dot = 747, open>slash = 483, open>comma = 365, open>colon = 407
open>quote = 309, open>open = 125, open>close = 137, open>operator = 450, open>backslash = 676, open>digit = 674, open>space = 573
open>tab = 400, open>newline = 36, close>lower = 889, close>upper = 394, close>accent = 400, close>underscore = 464, close>hyphen = 506
close>dot = 411, close>slash = 244, close>comma = 206, close>colon = 470, close>quote = 346, close>open = 430, close>close = 681
close>operator = 1271, close>backslash = 698, close>digit = 446, close>space = 774, close>tab = 400, close>newline = 152
operator>lower = 1160, operator>upper = 1011, operator>accent = 400, operator>underscore = 320, operator>hyphen = 609, operator>dot = 340
operator>comma = 371, operator>colon = 636, operator>quote = 290, operator>open = 321, operator>close = 694, operator>operator = 18
operator>backslash = 759, operator>digit = 172, operator>space = 835, operator>tab = 414, operator>newline = 524, backslash>lower = 725
backslash>upper = 406, backslash>accent = 400, backslash>underscore = 400, backslash>hyphen = 465, backslash>dot = 476
backslash>slash = 264, backslash>comma = 414, backslash>colon = 388, backslash>quote = 186, backslash>open = 550, backslash>close = 400
backslash>operator = 314, backslash>backslash = 633, backslash>digit = 586, backslash>space = 400, backslash>tab = 400
backslash>newline = 383, same>symbol = 968, same>box = 400, same>wide-mark = 561, hebrew 1 = 716, thai 1 = 229, hiragana 1 = 354
katakana 1 = 720, han 1 = 696, hangul 1 = 1429, digit>lower = 1438, digit>upper = 1979, digit>accent = 400, digit>underscore = 375
digit>hyphen = 659, digit>dot = 1333, digit>comma = 2158, digit>colon = 1878, digit>quote = 554, digit>open = 586, digit>close = 874
digit>operator = 943, digit>backslash = 470, digit>symbol = 1548, digit>box = 400, digit>wide-mark = 400, digit>cyrillic = 400
digit>greek = 400, digit>hebrew = 400, digit>arabic = 400, digit>indic = 400, digit>thai = 400, digit>hiragana = 400
digit>katakana = 400, digit>han = 400, digit>hangul = 387, digit>other-script = 400, digit>rare-script = 400, digit>digit = 577
digit>space = 468, digit>tab = 380, digit>newline = 711, digit>return = 441, digit>control = 400, digit>combining = 400
digit>rare-han = 400, digit>emoji-high = 400, digit>high = 400, digit>low = 400, digit>private = 400, space>lower = 481
space>upper = 189, space>accent = 826, space>underscore = 823, space>hyphen = 887, space>dot = 642, space>slash = 694, space>comma = 420
space>colon = 56, space>quote = 519, space>open = 389, space>close = 105, space>operator = 120, space>backslash = 78, space>symbol = 1660
space>box = 400, space>wide-mark = 444, space>hebrew = 359, space>hiragana = 576, space>katakana = 725, space>han = 3314
space>hangul = 555, space>other-script = 1918, space>rare-script = 4145, space>digit = 1306, space>space = 983, space>tab = 550
space>newline = 454, space>return = 433, space>control = 421, space>combining = 143, space>rare-han = 400, space>emoji-high = 2420
space>high = 400, space>low = 400, space>private = 400, tab>lower = 616, tab>upper = 881, tab>accent = 400, tab>underscore = 526
tab>hyphen = 400, tab>dot = 523, tab>slash = 854, tab>comma = 400, tab>colon = 351, tab>quote = 1534, tab>open = 975, tab>close = 1653
tab>operator = 651, tab>backslash = 400, tab>symbol = 400, tab>box = 400, tab>wide-mark = 400, tab>cyrillic = 400, tab>greek = 400
tab>hebrew = 400, tab>arabic = 400, tab>indic = 400, tab>thai = 400, tab>hiragana = 400, tab>katakana = 400, tab>han = 400
tab>hangul = 400, tab>other-script = 400, tab>rare-script = 400, tab>digit = 710, tab>space = 411, tab>tab = 123, tab>newline = 400
tab>return = 400, tab>control = 400, tab>combining = 400, tab>rare-han = 400, tab>emoji-high = 400, tab>high = 400, tab>low = 400
tab>private = 400, newline>lower = 975, newline>upper = 1627, newline>accent = 1128, newline>underscore = 315, newline>hyphen = 804
newline>dot = 522, newline>slash = 125, newline>comma = 359, newline>colon = 400, newline>quote = 1522, newline>open = 888
newline>close = 663, newline>operator = 625, newline>backslash = 400, newline>symbol = 1019, newline>box = 400, newline>wide-mark = 400
newline>greek = 400, newline>hebrew = 400, newline>arabic = 400, newline>indic = 160, newline>thai = 400, newline>hiragana = 313
newline>katakana = 666, newline>han = 1534, newline>hangul = 1086, newline>other-script = 400, newline>rare-script = 400
newline>digit = 165, newline>space = 525, newline>tab = 709, newline>newline = 209, newline>return = 272, newline>control = 400
newline>combining = 400, newline>rare-han = 400, newline>emoji-high = 400, newline>high = 400, newline>low = 400, newline>private = 400
same>return = 400, same>control = 400, same>combining = 740, same>rare-han = 400, same>emoji-high = 400, same>high = 400, same>low = 400
same>private = 1265, lower bare 2 lower = 146, hump 2 upper = 740, capital bare 2 lower = 109, capital accent = 1700
upper bare 2 lower = 1375, upper bare 2 upper = 292, lower mark 1 lower = 193, upper mark 1 lower = 74, upper mark 1 upper = 207
after underscore>lower = 601, after underscore>upper = 724, after underscore>accent = 400, after hyphen>lower = 853
after hyphen>upper = 631, after hyphen>accent = 400, after dot>lower = 679, after dot>upper = 550, after dot>accent = 400
after slash>lower = 794, after slash>upper = 666, after slash>accent = 400, after comma>lower = 792, after comma>upper = 1
after comma>accent = 400, after colon>lower = 1254, after colon>upper = 638, after colon>accent = 400, after quote>lower = 949
after quote>upper = 766, after quote>accent = 746, after open>lower = 711, after open>upper = 657, after open>accent = 393
after close>lower = 974, after close>upper = 72, after close>accent = 400, after operator>lower = 1064, after operator>upper = 461
after operator>accent = 400, after backslash>lower = 1227, after backslash>upper = 414, after backslash>accent = 417
after other>lower = 255, after other>upper = 359, after other>accent = 400, lower escape 1 lower = 91, escape>escape = 272
upper escape 1 lower = 51, thai 2 = 249, hiragana 2 = 786, katakana 2 = 735, han 2 = 1567, hangul 2 = 197, other-script 2 = 190
rare-script 2 = 2667, digit-2>lower = 631, digit-2>upper = 1039, digit-2>accent = 400, digit-2>underscore = 547, digit-2>hyphen = 973
digit-2>dot = 2231, digit-2>slash = 1351, digit-2>comma = 49, digit-2>quote = 512, digit-2>open = 858, digit-2>close = 131
digit-2>backslash = 373, digit-2>digit = 50, digit-2>space = 523, digit-2>tab = 400, digit-2>newline = 601, lower space 1 lower = 5
upper space 1 lower = 217, space-2>lower = 373, space-2>upper = 337, space-2>accent = 400, space-2>underscore = 428, space-2>hyphen = 441
space-2>dot = 304, space-2>slash = 112, space-2>comma = 400, space-2>colon = 400, space-2>quote = 538, space-2>open = 195
space-2>close = 98, space-2>operator = 602, space-2>backslash = 415, space-2>digit = 1426, space-2>space = 119, space-2>tab = 1228
space-2>newline = 77, newline-2>lower = 265, newline-2>upper = 603, newline-2>accent = 400, newline-2>underscore = 340
newline-2>hyphen = 872, newline-2>dot = 433, newline-2>slash = 442, newline-2>comma = 400, newline-2>colon = 400, newline-2>quote = 637
newline-2>open = 187, newline-2>close = 553, newline-2>operator = 347, newline-2>backslash = 400, newline-2>digit = 804
newline-2>tab = 366, newline-2>newline = 635, lower bare 3 lower = 1, hump 3 upper = 356, capital bare 3 lower = 12
upper bare 3 lower = 410, upper mark 2 lower = 310, capital escape 2 lower = 34, cyrillic 3 = 550, hebrew 3 = 393, arabic 3 = 1791
indic 3 = 986, thai 3 = 652, hiragana 3 = 344, katakana 3 = 544, han 3 = 760, hangul 3 = 359, digit-3>lower = 880, digit-3>upper = 902
digit-3>accent = 400, digit-3>underscore = 400, digit-3>hyphen = 429, digit-3>dot = 998, digit-3>slash = 449, digit-3>comma = 144
digit-3>colon = 1176, digit-3>quote = 373, digit-3>open = 432, digit-3>close = 180, digit-3>operator = 12, digit-3>backslash = 391
digit-3>digit = 324, digit-3>space = 176, digit-3>tab = 400, digit-3>newline = 944, upper space 2 lower = 22, upper space 2 upper = 345
space-3>lower = 204, space-3>upper = 236, space-3>accent = 400, space-3>underscore = 330, space-3>hyphen = 616, space-3>dot = 314
space-3>slash = 160, space-3>comma = 370, space-3>colon = 103, space-3>quote = 162, space-3>open = 471, space-3>close = 169
space-3>operator = 10, space-3>backslash = 93, space-3>digit = 809, space-3>space = 7, space-3>tab = 524, space-3>newline = 219
hump 4 upper = 329, upper bare 4 lower = 410, upper bare 4 upper = 414, capital mark 3 lower = 110, upper mark 3 lower = 109
upper mark 3 upper = 69, capital escape 3 lower = 34, cyrillic 4 = 1586, greek 4 = 2251, hebrew 4 = 1021, indic 4 = 2738, thai 4 = 2214
hiragana 4 = 389, katakana 4 = 451, hangul 4 = 388, upper space 3 upper = 5, upper bare 5 lower = 194, upper bare 5 upper = 170
upper mark 4 upper = 135, lower escape 4 lower = 46, capital escape 4 lower = 17, greek 5 = 721, hebrew 5 = 799, arabic 5 = 1341
indic 5 = 320, thai 5 = 1057, hiragana 5 = 522, katakana 5 = 292, han 5 = 397, upper bare 6 lower = 1100, upper bare 6 upper = 128
upper mark 5 upper = 91, lower escape 5 lower = 391, capital escape 5 lower = 17, cyrillic 6 = 244, greek 6 = 904, hebrew 6 = 698
indic 6 = 158, thai 6 = 343, hiragana 6 = 681, katakana 6 = 257, han 6 = 914, hangul 6 = 1000, other-script 6 = 924
upper space 5 lower = 161, lower bare 7 lower = 261, upper mark 6 lower = 145, upper mark 6 upper = 267, capital escape 6 lower = 17
lower space 6 lower = 1, lower mark 7 lower = 237, capital mark 7 lower = 154, capital escape 7 lower = 17, capital space 7 lower = 149
lower mark 8 lower = 71, capital mark 8 lower = 263, capital escape 8 lower = 17, capital space 8 lower = 29, capital bare 10 lower = 180
lower mark 9 lower = 146, lower space 9 lower = 16, lower bare 11 lower = 78, capital bare 11 lower = 205, lower mark 10 lower = 11
capital space 10 lower = 133, lower bare 12 lower = 131, capital bare 12 lower = 85, lower space 11 lower = 13, lower mark 12 lower = 82
capital mark 12 lower = 45, lower space 12 lower = 40, capital space 12 lower = 5
`;

/** A letter (column, a to z) behind another: rows are no letter, a to z, a backslash. */
export const PAIR_WEIGHTS: readonly string[] = [
  '0 21 84 81 364 73 631 21 210 78 166 111 121 0 103 213 419 124 176 11 0 126 191 728 0 967',
  '0 68 0 290 586 296 202 498 37 907 688 112 0 0 242 164 408 133 256 93 417 299 322 460 124 1103',
  '124 379 371 301 0 112 317 105 165 295 92 70 155 514 310 122 177 411 391 0 151 0 0 95 329 58',
  '257 197 0 86 0 457 0 137 0 787 0 419 695 703 18 62 556 162 2 0 0 76 0 290 0 461',
  '103 0 174 99 0 300 293 260 197 0 52 379 707 920 39 452 393 354 116 0 111 403 0 273 299 36',
  '28 122 0 5 213 0 74 0 126 1119 1151 280 149 142 0 211 0 40 0 74 405 0 233 0 86 706',
  '0 335 247 127 0 108 336 200 0 124 174 329 0 347 185 312 59 0 259 0 273 34 0 42 178 285',
  '388 861 277 269 0 117 21 0 103 424 377 0 834 196 506 0 215 0 0 298 369 490 168 120 0 406',
  '113 297 0 397 211 215 331 96 0 136 314 288 516 112 95 0 485 0 436 0 111 46 128 40 563 0',
  '29 0 43 0 0 0 20 373 350 551 712 182 117 0 0 132 0 597 90 0 894 0 31 149 617 0',
  '369 266 44 242 0 222 94 102 551 129 108 346 781 456 306 389 468 42 71 805 299 46 0 135 14 106',
  '349 127 87 121 0 297 79 0 48 82 114 719 0 371 936 0 70 344 0 984 877 284 105 0 673 114',
  '33 0 263 29 54 0 259 285 244 853 144 146 647 248 80 166 132 52 81 0 0 285 100 115 46 294',
  '43 0 657 71 0 0 0 122 97 691 0 0 0 87 190 17 51 464 248 520 372 619 0 283 389 0',
  '172 361 0 0 251 353 0 0 360 65 0 15 0 129 306 242 257 165 0 142 199 42 57 407 591 245',
  '168 335 0 20 213 156 157 249 0 0 129 409 137 0 0 74 0 0 68 211 65 333 0 763 0 344',
  '28 112 0 0 0 0 0 109 284 195 158 0 330 726 129 194 79 0 173 74 102 193 213 398 149 583',
  '349 33 290 99 468 172 134 104 403 70 116 0 186 0 56 104 296 258 170 170 0 0 59 60 0 112',
  '47 32 140 0 19 0 159 253 8 11 134 171 17 0 0 157 0 0 55 41 172 36 247 254 17 659',
  '81 134 0 396 19 0 174 19 212 145 80 539 0 0 0 424 732 342 0 71 60 732 365 0 177 667',
  '57 41 130 294 100 0 497 0 0 0 617 189 136 535 203 78 15 0 0 61 0 604 0 207 0 0',
  '0 394 0 28 0 0 182 356 0 850 439 0 22 213 360 109 0 0 264 0 359 157 279 539 0 584',
  '114 69 429 324 0 7 491 62 0 123 6 655 133 241 0 130 77 944 155 319 338 0 388 183 1020 0',
  '21 21 226 350 130 73 59 3 334 62 40 0 0 116 0 0 70 169 8 0 0 0 285 419 1167 170',
  '0 106 17 68 0 70 75 37 0 132 0 94 0 93 550 0 0 596 146 75 227 54 161 441 16 592',
  '706 380 180 92 382 199 168 184 234 186 287 500 0 0 356 219 0 323 223 301 85 62 528 66 342 23',
  '341 183 705 161 405 56 290 195 1056 124 146 0 184 713 282 162 121 175 91 12 0 63 138 43 0 601',
  '0 205 0 369 0 0 0 0 0 0 0 0 0 136 0 0 0 0 670 0 0 0 35 30 0 0',
];
