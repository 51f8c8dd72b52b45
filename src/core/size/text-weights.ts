// Fitted weights of the estimator, thousandths of a token. Written by: npx tsx scripts/fit-estimator.ts

/** By name of a step of the automaton; what is not listed costs nothing. */
export const STEP_WEIGHTS = `
other>lower = 418, other>upper = 801, other>accent = 378, other>underscore = 73, other>hyphen = 1000, other>slash = 154
other>comma = 241, other>colon = 1000, other>quote = 265, other>open = 69, other>close = 1000, other>operator = 1000
other>backslash = 622, other>symbol = 411, other>box = 400, other>wide-mark = 99, other>cyrillic = 895, other>greek = 419
other>hebrew = 694, other>arabic = 1579, other>indic = 1330, other>thai = 492, other>hiragana = 824, other>katakana = 563
other>han = 688, other>hangul = 499, other>other-script = 2918, other>rare-script = 1521, other>digit = 251, other>tab = 857
other>newline = 892, other>return = 353, other>control = 400, other>combining = 265, other>rare-han = 400, other>high = 2000
other>low = 1826, other>private = 3000, hump 1 upper = 799, lower accent = 301, word>underscore = 328, word>hyphen = 451, word>dot = 324
word>slash = 385, word>colon = 647, word>quote = 294, word>open = 155, word>close = 376, word>operator = 380, word>backslash = 150
word>symbol = 375, word>box = 400, word>wide-mark = 798, word>cyrillic = 500, word>greek = 500, word>hebrew = 500, word>arabic = 500
word>indic = 493, word>thai = 500, word>hiragana = 500, word>katakana = 500, word>han = 500, word>hangul = 512, word>other-script = 456
word>rare-script = 500, word>digit = 787, word>tab = 1000, word>newline = 654, word>control = 400, word>combining = 402
word>rare-han = 400, word>emoji-high = 414, word>high = 400, word>low = 400, word>private = 400, upper bare 1 lower = 10
upper bare 1 upper = 307, upper accent = 741, underscore>upper = 341, underscore>accent = 400, underscore>underscore = 936
underscore>hyphen = 400, underscore>dot = 441, underscore>slash = 494, underscore>comma = 531, underscore>colon = 287
underscore>quote = 249, underscore>open = 339, underscore>close = 412, underscore>operator = 295, underscore>backslash = 426
mark>symbol = 146, mark>box = 400, mark>wide-mark = 2495, mark>cyrillic = 956, mark>greek = 854, mark>hebrew = 492, mark>arabic = 1502
mark>indic = 1291, mark>thai = 287, mark>hiragana = 518, mark>katakana = 523, mark>han = 35, mark>hangul = 613, mark>other-script = 432
mark>rare-script = 71, underscore>digit = 414, underscore>space = 739, underscore>tab = 400, underscore>newline = 451, mark>control = 381
mark>combining = 2000, mark>rare-han = 400, mark>emoji-high = 2000, mark>high = 400, mark>low = 400, mark>private = 400
hyphen>upper = 250, hyphen>accent = 464, hyphen>underscore = 409, hyphen>hyphen = 19, hyphen>dot = 400, hyphen>slash = 223
hyphen>comma = 393, hyphen>colon = 473, hyphen>quote = 465, hyphen>open = 641, hyphen>close = 422, hyphen>operator = 983
hyphen>backslash = 645, hyphen>digit = 840, hyphen>space = 284, hyphen>tab = 467, hyphen>newline = 921, dot>upper = 156, dot>accent = 400
dot>underscore = 87, dot>hyphen = 388, dot>dot = 22, dot>comma = 400, dot>colon = 443, dot>quote = 318, dot>open = 451, dot>close = 358
dot>operator = 406, dot>backslash = 112, dot>digit = 1000, dot>tab = 400, slash>lower = 302, slash>upper = 99, slash>accent = 400
slash>underscore = 663, slash>hyphen = 742, slash>dot = 471, slash>slash = 114, slash>comma = 756, slash>colon = 385, slash>quote = 349
slash>open = 685, slash>close = 172, slash>operator = 360, slash>backslash = 546, slash>digit = 811, slash>space = 275, slash>tab = 400
comma>lower = 656, comma>upper = 532, comma>accent = 400, comma>underscore = 410, comma>hyphen = 419, comma>dot = 404, comma>slash = 428
comma>comma = 415, comma>colon = 400, comma>open = 291, comma>close = 763, comma>operator = 634, comma>backslash = 466, comma>digit = 722
comma>space = 738, comma>tab = 400, comma>newline = 535, colon>lower = 349, colon>upper = 502, colon>accent = 400, colon>underscore = 506
colon>hyphen = 671, colon>dot = 414, colon>comma = 400, colon>colon = 375, colon>open = 481, colon>close = 531, colon>operator = 226
colon>backslash = 599, colon>digit = 806, colon>space = 511, colon>tab = 1000, colon>newline = 29, quote>lower = 661, quote>upper = 706
quote>accent = 471, quote>underscore = 131, quote>hyphen = 413, quote>slash = 462, quote>comma = 83, quote>colon = 573, quote>quote = 174
quote>open = 147, quote>operator = 210, quote>backslash = 409, quote>digit = 729, quote>space = 864, quote>tab = 400, quote>newline = 369
open>lower = 54, open>upper = 384, open>accent = 400, open>underscore = 367, open>hyphen = 537, open>dot = 689, open>slash = 341
open>comma = 305, open>colon = 381, open>quote = 35, open>open = 75, open>operator = 271, open>backslash = 760, open>digit = 808
open>space = 286, open>tab = 400, close>lower = 853, close>upper = 478, close>accent = 400, close>underscore = 487, close>hyphen = 537
close>dot = 449, close>slash = 266, close>colon = 629, close>quote = 416, close>open = 753, close>close = 596, close>operator = 1000
close>backslash = 778, close>digit = 630, close>space = 895, close>tab = 400, close>newline = 317, operator>lower = 972
operator>upper = 1000, operator>accent = 400, operator>underscore = 277, operator>hyphen = 767, operator>dot = 179, operator>slash = 107
operator>comma = 371, operator>colon = 645, operator>quote = 74, operator>open = 537, operator>close = 473, operator>operator = 18
operator>backslash = 813, operator>digit = 548, operator>space = 604, operator>tab = 418, operator>newline = 666, backslash>lower = 419
backslash>upper = 424, backslash>accent = 400, backslash>underscore = 400, backslash>hyphen = 466, backslash>dot = 506
backslash>slash = 322, backslash>comma = 412, backslash>colon = 397, backslash>quote = 101, backslash>open = 511, backslash>close = 450
backslash>operator = 417, backslash>backslash = 638, backslash>digit = 631, backslash>space = 400, backslash>tab = 400
backslash>newline = 348, same>symbol = 783, same>box = 400, same>wide-mark = 581, hebrew 1 = 411, arabic 1 = 416, thai 1 = 679
hiragana 1 = 646, katakana 1 = 605, han 1 = 1212, hangul 1 = 832, other-script 1 = 684, rare-script 1 = 1486, digit>lower = 1000
digit>upper = 1000, digit>accent = 400, digit>underscore = 398, digit>hyphen = 833, digit>dot = 1000, digit>slash = 107
digit>comma = 1000, digit>colon = 1000, digit>quote = 540, digit>open = 575, digit>close = 801, digit>operator = 1000
digit>backslash = 360, digit>symbol = 1548, digit>box = 400, digit>wide-mark = 400, digit>cyrillic = 500, digit>greek = 500
digit>hebrew = 500, digit>arabic = 500, digit>indic = 500, digit>thai = 500, digit>hiragana = 500, digit>katakana = 500, digit>han = 500
digit>hangul = 501, digit>other-script = 500, digit>rare-script = 500, digit>digit = 597, digit>space = 798, digit>tab = 388
digit>newline = 1000, digit>return = 357, digit>control = 400, digit>combining = 400, digit>rare-han = 400, digit>emoji-high = 400
digit>high = 400, digit>low = 400, digit>private = 400, space>lower = 388, space>upper = 86, space>accent = 799, space>underscore = 802
space>hyphen = 950, space>dot = 681, space>slash = 923, space>comma = 433, space>colon = 175, space>quote = 518, space>open = 630
space>close = 134, space>operator = 305, space>backslash = 413, space>symbol = 1771, space>box = 400, space>wide-mark = 488
space>hebrew = 412, space>arabic = 156, space>thai = 440, space>hiragana = 481, space>katakana = 520, space>han = 1193
space>hangul = 737, space>other-script = 530, space>rare-script = 2600, space>digit = 1000, space>space = 1000, space>tab = 628
space>newline = 431, space>return = 306, space>control = 379, space>combining = 253, space>rare-han = 400, space>emoji-high = 537
space>high = 400, space>low = 400, space>private = 400, tab>lower = 107, tab>upper = 358, tab>accent = 400, tab>underscore = 484
tab>hyphen = 400, tab>dot = 501, tab>slash = 604, tab>comma = 400, tab>colon = 311, tab>quote = 1000, tab>open = 868, tab>close = 1000
tab>operator = 614, tab>backslash = 400, tab>symbol = 400, tab>box = 400, tab>wide-mark = 400, tab>cyrillic = 500, tab>greek = 500
tab>hebrew = 500, tab>arabic = 500, tab>indic = 500, tab>thai = 500, tab>hiragana = 500, tab>katakana = 500, tab>han = 500
tab>hangul = 500, tab>other-script = 500, tab>rare-script = 500, tab>digit = 948, tab>space = 399, tab>tab = 117, tab>newline = 400
tab>return = 400, tab>control = 400, tab>combining = 400, tab>rare-han = 400, tab>emoji-high = 400, tab>high = 400, tab>low = 400
tab>private = 400, newline>lower = 938, newline>upper = 1000, newline>accent = 1111, newline>underscore = 335, newline>hyphen = 720
newline>dot = 785, newline>slash = 130, newline>comma = 324, newline>colon = 400, newline>quote = 1000, newline>open = 967
newline>close = 319, newline>operator = 391, newline>backslash = 400, newline>symbol = 1117, newline>box = 400, newline>wide-mark = 400
newline>greek = 500, newline>hebrew = 500, newline>arabic = 500, newline>indic = 481, newline>thai = 500, newline>hiragana = 496
newline>katakana = 500, newline>han = 964, newline>hangul = 591, newline>other-script = 500, newline>rare-script = 500
newline>digit = 714, newline>space = 204, newline>tab = 896, newline>newline = 59, newline>control = 400, newline>combining = 400
newline>rare-han = 400, newline>emoji-high = 400, newline>high = 400, newline>low = 400, newline>private = 400, same>return = 400
same>control = 400, same>combining = 679, same>rare-han = 400, same>emoji-high = 400, same>high = 400, same>low = 400
same>private = 3000, hump 2 upper = 880, capital bare 2 lower = 86, capital accent = 1659, upper bare 2 lower = 1000
upper bare 2 upper = 359, lower mark 1 lower = 223, upper mark 1 lower = 200, upper mark 1 upper = 198, after underscore>lower = 596
after underscore>upper = 577, after underscore>accent = 400, after hyphen>lower = 861, after hyphen>upper = 631
after hyphen>accent = 400, after dot>lower = 791, after dot>upper = 612, after dot>accent = 400, after slash>lower = 794
after slash>upper = 505, after slash>accent = 400, after comma>lower = 1000, after comma>upper = 29, after comma>accent = 400
after colon>lower = 1000, after colon>upper = 618, after colon>accent = 400, after quote>lower = 944, after quote>upper = 654
after quote>accent = 607, after open>lower = 558, after open>upper = 477, after open>accent = 395, after close>lower = 1000
after close>upper = 205, after close>accent = 400, after operator>lower = 1000, after operator>upper = 388, after operator>accent = 400
after backslash>lower = 1000, after backslash>upper = 385, after backslash>accent = 404, after other>lower = 277, after other>upper = 398
after other>accent = 400, lower escape 1 lower = 251, escape>escape = 562, upper escape 1 lower = 12, greek 2 = 3, hebrew 2 = 416
thai 2 = 677, hiragana 2 = 640, katakana 2 = 597, han 2 = 923, hangul 2 = 652, other-script 2 = 452, rare-script 2 = 2247
digit-2>lower = 308, digit-2>upper = 872, digit-2>accent = 400, digit-2>underscore = 518, digit-2>hyphen = 944, digit-2>dot = 1000
digit-2>slash = 1000, digit-2>comma = 1000, digit-2>quote = 364, digit-2>open = 735, digit-2>backslash = 403, digit-2>digit = 55
digit-2>space = 593, digit-2>tab = 400, digit-2>newline = 961, lower space 1 lower = 148, upper space 1 lower = 385, space-2>lower = 404
space-2>upper = 331, space-2>accent = 400, space-2>underscore = 388, space-2>hyphen = 521, space-2>dot = 326, space-2>slash = 308
space-2>comma = 400, space-2>colon = 400, space-2>quote = 625, space-2>open = 319, space-2>close = 158, space-2>operator = 921
space-2>backslash = 404, space-2>digit = 1000, space-2>space = 136, space-2>tab = 1000, space-2>newline = 51, newline-2>lower = 277
newline-2>upper = 577, newline-2>accent = 400, newline-2>underscore = 447, newline-2>hyphen = 716, newline-2>dot = 441
newline-2>slash = 448, newline-2>comma = 400, newline-2>colon = 400, newline-2>quote = 713, newline-2>open = 216, newline-2>close = 621
newline-2>operator = 903, newline-2>backslash = 400, newline-2>digit = 818, newline-2>tab = 543, newline-2>newline = 492
lower bare 3 lower = 28, hump 3 upper = 520, capital bare 3 lower = 65, upper bare 3 lower = 939, lower mark 2 lower = 18
upper mark 2 lower = 393, capital escape 2 lower = 8, cyrillic 3 = 992, greek 3 = 651, hebrew 3 = 548, arabic 3 = 1084, indic 3 = 1567
thai 3 = 690, hiragana 3 = 593, katakana 3 = 563, han 3 = 728, hangul 3 = 606, other-script 3 = 396, rare-script 3 = 158
digit-3>lower = 463, digit-3>upper = 1000, digit-3>accent = 400, digit-3>underscore = 400, digit-3>hyphen = 541, digit-3>dot = 861
digit-3>slash = 438, digit-3>comma = 138, digit-3>colon = 1000, digit-3>quote = 261, digit-3>open = 418, digit-3>close = 96
digit-3>backslash = 431, digit-3>digit = 414, digit-3>space = 267, digit-3>tab = 400, digit-3>newline = 972, upper space 2 lower = 78
upper space 2 upper = 505, space-3>lower = 163, space-3>upper = 160, space-3>accent = 400, space-3>underscore = 329, space-3>hyphen = 672
space-3>dot = 479, space-3>slash = 347, space-3>comma = 322, space-3>colon = 282, space-3>quote = 234, space-3>open = 633
space-3>close = 124, space-3>operator = 243, space-3>backslash = 658, space-3>digit = 648, space-3>space = 12, space-3>tab = 563
space-3>newline = 265, hump 4 upper = 425, upper bare 4 lower = 427, upper bare 4 upper = 454, capital mark 3 lower = 122
upper mark 3 lower = 136, upper mark 3 upper = 119, capital escape 3 lower = 8, cyrillic 4 = 1186, greek 4 = 907, hebrew 4 = 675
arabic 4 = 360, indic 4 = 1536, thai 4 = 877, hiragana 4 = 559, katakana 4 = 536, han 4 = 557, hangul 4 = 555, other-script 4 = 314
upper space 3 upper = 104, upper bare 5 lower = 253, upper bare 5 upper = 294, upper mark 4 upper = 129, lower escape 4 lower = 119
capital escape 4 lower = 4, greek 5 = 787, hebrew 5 = 655, arabic 5 = 812, indic 5 = 824, thai 5 = 727, hiragana 5 = 551
katakana 5 = 535, han 5 = 515, hangul 5 = 493, other-script 5 = 407, lower space 4 lower = 2, upper bare 6 lower = 1000
upper bare 6 upper = 128, upper mark 5 upper = 148, lower escape 5 lower = 429, capital escape 5 lower = 4, cyrillic 6 = 265
greek 6 = 1185, hebrew 6 = 762, arabic 6 = 179, indic 6 = 350, thai 6 = 355, hiragana 6 = 582, katakana 6 = 265, han 6 = 831
hangul 6 = 944, other-script 6 = 651, upper space 5 lower = 231, lower bare 7 lower = 194, upper mark 6 lower = 138
upper mark 6 upper = 292, capital escape 6 lower = 4, lower space 6 lower = 12, lower mark 7 lower = 243, capital mark 7 lower = 214
capital escape 7 lower = 4, lower space 7 lower = 3, capital space 7 lower = 60, lower mark 8 lower = 42, capital mark 8 lower = 219
capital escape 8 lower = 4, capital space 8 lower = 20, capital bare 10 lower = 298, lower mark 9 lower = 155, lower bare 11 lower = 26
capital bare 11 lower = 359, lower mark 10 lower = 83, capital space 10 lower = 78, lower bare 12 lower = 130
capital bare 12 lower = 122, lower mark 11 lower = 44, lower space 11 lower = 149, lower mark 12 lower = 30, capital mark 12 lower = 78
capital space 12 lower = 29
`;

/** A letter (column, a to z) behind another: rows are no letter, a to z, a backslash. */
export const PAIR_WEIGHTS: readonly string[] = [
  '100 162 260 237 512 194 741 171 363 232 333 284 266 1 289 348 563 233 314 169 116 326 339 1000 189 1000',
  '0 33 0 249 623 308 284 441 1 838 573 125 0 0 315 115 310 97 281 93 429 187 361 473 188 1000',
  '90 302 295 165 0 118 201 172 257 240 131 12 225 567 366 158 253 355 471 0 60 0 56 140 373 91',
  '198 177 0 98 0 390 0 123 25 858 0 412 820 633 0 390 490 94 0 0 0 111 0 385 0 463',
  '67 0 119 4 0 160 375 387 162 0 207 452 528 813 36 349 474 331 212 16 102 427 0 249 311 2',
  '0 58 0 0 231 0 35 0 275 984 1000 262 149 118 0 175 0 22 0 51 334 0 247 0 116 667',
  '0 316 195 131 0 103 377 217 0 139 160 246 0 372 192 327 103 0 152 0 267 111 7 94 244 345',
  '412 704 420 313 0 82 64 0 30 381 342 0 847 176 438 0 264 0 0 353 282 641 190 155 0 520',
  '68 296 0 409 150 31 389 121 0 170 368 297 441 156 38 0 525 0 432 0 231 149 245 58 581 54',
  '28 0 77 0 0 0 0 313 323 625 689 187 123 0 0 161 29 584 100 0 769 0 35 254 599 17',
  '289 263 112 276 0 174 162 159 618 186 139 376 860 451 243 457 322 152 85 855 236 66 63 188 105 143',
  '254 194 87 202 0 187 107 0 0 97 164 777 0 315 1000 0 189 458 0 876 818 393 118 39 579 107',
  '0 14 274 40 50 0 273 352 228 860 16 155 490 236 37 311 139 0 61 0 0 359 145 151 32 391',
  '37 0 609 0 0 49 0 178 93 633 0 185 0 292 220 0 130 495 226 453 399 714 11 302 172 10',
  '228 330 0 0 348 340 0 0 355 254 0 0 0 74 413 120 328 178 0 114 272 79 91 500 668 314',
  '206 253 0 0 239 72 112 308 0 0 159 309 131 0 0 25 0 0 139 196 7 367 0 677 0 276',
  '15 199 0 0 0 58 39 288 339 239 115 0 437 745 123 265 68 0 74 55 131 352 223 344 154 598',
  '269 170 274 73 511 239 166 149 459 116 181 0 218 0 116 199 430 288 246 215 0 0 120 113 11 114',
  '97 270 153 0 55 0 103 397 0 0 167 186 20 0 0 206 0 0 88 0 165 0 59 272 43 724',
  '57 183 0 307 40 0 286 0 163 159 0 657 0 0 0 433 716 332 0 37 0 892 338 0 235 554',
  '67 0 180 296 112 0 459 0 0 16 531 146 54 488 209 44 36 0 0 62 24 745 0 119 0 0',
  '0 371 0 0 0 0 255 374 0 1000 418 0 90 247 382 154 0 0 237 0 373 265 313 464 0 766',
  '81 66 417 406 0 53 454 105 0 146 77 736 179 345 0 213 116 961 296 322 317 50 420 240 962 40',
  '0 81 185 316 169 43 73 42 240 158 65 0 0 106 0 0 113 92 39 0 61 14 222 403 1000 192',
  '0 272 95 88 0 215 106 83 0 169 0 0 0 139 567 0 0 442 174 30 298 123 215 402 84 607',
  '566 469 131 130 338 315 357 212 246 262 267 590 0 0 331 176 24 288 260 178 85 120 574 143 274 0',
  '545 261 668 182 369 85 393 230 1000 179 211 8 298 770 348 268 163 201 69 75 0 188 360 58 0 675',
  '0 187 0 380 0 0 0 0 0 0 0 0 0 228 0 0 0 0 823 0 69 0 48 61 0 0',
];
