// Fitted weights of the estimator, thousandths of a token. Written by: npx tsx scripts/fit-estimator.ts

/** By name of a step of the automaton; what is not listed costs nothing. */
export const STEP_WEIGHTS = `
other>lower = 279, other>upper = 646, other>accent = 366, other>underscore = 232, other>hyphen = 521, other>slash = 5, other>colon = 2473
other>open = 724, other>close = 577, other>operator = 988, other>backslash = 709, other>box = 400, other>wide-mark = 56
other>cyrillic = 6576, other>hebrew = 775, other>arabic = 2735, other>indic = 2076, other>thai = 1119, other>hiragana = 1326
other>katakana = 452, other>han = 638, other>hangul = 471, other>other-script = 3267, other>digit = 153, other>tab = 213
other>return = 434, other>control = 400, other>combining = 2552, other>rare-han = 400, other>high = 4992, other>low = 1182
other>private = 2684, hump 1 upper = 312, lower accent = 343, word>underscore = 481, word>dot = 495, word>slash = 210, word>comma = 724
word>colon = 752, word>quote = 310, word>open = 341, word>close = 622, word>operator = 432, word>backslash = 199, word>symbol = 617
word>box = 400, word>wide-mark = 550, word>cyrillic = 400, word>greek = 400, word>hebrew = 400, word>arabic = 400, word>indic = 540
word>thai = 400, word>hiragana = 400, word>katakana = 400, word>han = 403, word>hangul = 394, word>digit = 667, word>space = 78
word>tab = 740, word>newline = 720, word>return = 346, word>control = 400, word>combining = 398, word>rare-han = 400
word>emoji-high = 423, word>high = 400, word>low = 400, word>private = 400, upper bare 1 lower = 155, upper bare 1 upper = 276
upper accent = 802, underscore>lower = 216, underscore>upper = 513, underscore>accent = 400, underscore>underscore = 973
underscore>hyphen = 400, underscore>dot = 414, underscore>slash = 505, underscore>comma = 560, underscore>colon = 340
underscore>quote = 277, underscore>open = 237, underscore>close = 306, underscore>operator = 389, underscore>backslash = 401
mark>box = 400, mark>wide-mark = 996, mark>cyrillic = 4419, mark>greek = 3260, mark>hebrew = 393, mark>arabic = 4566, mark>indic = 3545
mark>hiragana = 471, mark>katakana = 504, mark>hangul = 800, underscore>digit = 475, underscore>space = 649, underscore>tab = 400
underscore>newline = 376, mark>return = 71, mark>control = 448, mark>combining = 1424, mark>rare-han = 400, mark>emoji-high = 2015
mark>high = 400, mark>low = 400, mark>private = 400, hyphen>lower = 648, hyphen>upper = 750, hyphen>accent = 511, hyphen>underscore = 413
hyphen>hyphen = 19, hyphen>dot = 400, hyphen>slash = 445, hyphen>comma = 395, hyphen>colon = 428, hyphen>quote = 450, hyphen>open = 676
hyphen>close = 569, hyphen>operator = 999, hyphen>backslash = 598, hyphen>digit = 1203, hyphen>space = 355, hyphen>tab = 611
hyphen>newline = 688, dot>upper = 309, dot>accent = 400, dot>underscore = 102, dot>hyphen = 403, dot>dot = 21, dot>slash = 263
dot>comma = 498, dot>colon = 396, dot>quote = 74, dot>open = 432, dot>close = 276, dot>operator = 401, dot>backslash = 238
dot>digit = 821, dot>tab = 400, slash>lower = 985, slash>upper = 206, slash>accent = 400, slash>underscore = 650, slash>hyphen = 507
slash>dot = 258, slash>slash = 8, slash>comma = 888, slash>colon = 402, slash>quote = 487, slash>open = 598, slash>close = 96
slash>operator = 475, slash>backslash = 643, slash>digit = 893, slash>space = 386, slash>tab = 400, comma>lower = 91, comma>upper = 443
comma>accent = 400, comma>underscore = 393, comma>hyphen = 430, comma>dot = 386, comma>slash = 431, comma>comma = 402, comma>colon = 400
comma>close = 560, comma>operator = 564, comma>backslash = 133, comma>digit = 178, comma>tab = 400, colon>lower = 602, colon>upper = 369
colon>accent = 400, colon>underscore = 398, colon>hyphen = 542, colon>dot = 402, colon>slash = 93, colon>comma = 400, colon>colon = 299
colon>close = 391, colon>operator = 154, colon>backslash = 540, colon>space = 467, colon>tab = 1472, quote>lower = 639, quote>upper = 604
quote>accent = 515, quote>underscore = 326, quote>hyphen = 341, quote>slash = 686, quote>comma = 332, quote>colon = 305, quote>quote = 83
quote>operator = 82, quote>backslash = 304, quote>digit = 540, quote>space = 450, quote>tab = 400, quote>newline = 44, open>lower = 130
open>upper = 280, open>accent = 400, open>underscore = 357, open>hyphen = 588, open>dot = 826, open>slash = 317, open>comma = 384
open>colon = 493, open>quote = 243, open>open = 60, open>close = 51, open>operator = 569, open>backslash = 672, open>digit = 658
open>space = 491, open>tab = 400, open>newline = 192, close>lower = 897, close>upper = 369, close>accent = 400, close>underscore = 476
close>hyphen = 543, close>dot = 324, close>slash = 194, close>comma = 331, close>colon = 507, close>quote = 363, close>open = 541
close>close = 570, close>operator = 1222, close>backslash = 795, close>digit = 461, close>space = 621, close>tab = 400
close>newline = 213, operator>lower = 999, operator>upper = 1018, operator>accent = 400, operator>underscore = 377, operator>hyphen = 735
operator>dot = 375, operator>slash = 83, operator>comma = 422, operator>colon = 549, operator>quote = 474, operator>open = 281
operator>close = 628, operator>operator = 18, operator>backslash = 691, operator>digit = 367, operator>space = 714, operator>tab = 416
operator>newline = 570, backslash>lower = 812, backslash>upper = 418, backslash>accent = 400, backslash>underscore = 400
backslash>hyphen = 416, backslash>dot = 436, backslash>slash = 344, backslash>comma = 415, backslash>colon = 388, backslash>quote = 223
backslash>open = 640, backslash>close = 539, backslash>operator = 344, backslash>backslash = 597, backslash>digit = 627
backslash>space = 400, backslash>tab = 400, backslash>newline = 395, same>symbol = 874, same>box = 400, same>wide-mark = 572
hebrew 1 = 736, thai 1 = 3317, hiragana 1 = 369, katakana 1 = 687, han 1 = 676, hangul 1 = 1310, other-script 1 = 118, digit>lower = 1377
digit>upper = 1849, digit>accent = 400, digit>underscore = 351, digit>hyphen = 941, digit>dot = 1332, digit>slash = 545
digit>comma = 2246, digit>colon = 2146, digit>quote = 505, digit>open = 567, digit>close = 796, digit>operator = 936
digit>backslash = 388, digit>symbol = 1883, digit>box = 400, digit>wide-mark = 400, digit>cyrillic = 400, digit>greek = 400
digit>hebrew = 400, digit>arabic = 400, digit>indic = 400, digit>thai = 400, digit>hiragana = 400, digit>katakana = 400, digit>han = 400
digit>hangul = 404, digit>other-script = 400, digit>digit = 420, digit>space = 467, digit>tab = 382, digit>newline = 737
digit>return = 451, digit>control = 400, digit>combining = 400, digit>rare-han = 400, digit>emoji-high = 400, digit>high = 400
digit>low = 400, digit>private = 400, space>lower = 565, space>upper = 507, space>accent = 918, space>underscore = 910
space>hyphen = 669, space>dot = 897, space>slash = 744, space>comma = 417, space>colon = 388, space>quote = 740, space>open = 535
space>close = 207, space>operator = 223, space>backslash = 370, space>symbol = 1548, space>box = 400, space>wide-mark = 478
space>hebrew = 365, space>hiragana = 728, space>katakana = 725, space>han = 3327, space>hangul = 643, space>other-script = 4071
space>digit = 1391, space>space = 979, space>tab = 566, space>newline = 507, space>return = 436, space>control = 426
space>combining = 995, space>rare-han = 400, space>emoji-high = 1639, space>high = 400, space>low = 400, space>private = 400
tab>lower = 509, tab>upper = 1020, tab>accent = 400, tab>underscore = 476, tab>hyphen = 400, tab>dot = 515, tab>slash = 910
tab>comma = 400, tab>colon = 345, tab>quote = 1441, tab>open = 1016, tab>close = 1617, tab>operator = 673, tab>backslash = 400
tab>symbol = 400, tab>box = 400, tab>wide-mark = 400, tab>cyrillic = 400, tab>greek = 400, tab>hebrew = 400, tab>arabic = 400
tab>indic = 400, tab>thai = 400, tab>hiragana = 400, tab>katakana = 400, tab>han = 400, tab>hangul = 400, tab>other-script = 400
tab>digit = 654, tab>space = 423, tab>tab = 127, tab>newline = 400, tab>return = 400, tab>control = 400, tab>combining = 400
tab>rare-han = 400, tab>emoji-high = 400, tab>high = 400, tab>low = 400, tab>private = 400, newline>lower = 825, newline>upper = 1616
newline>accent = 1047, newline>underscore = 358, newline>hyphen = 671, newline>dot = 652, newline>slash = 586, newline>comma = 372
newline>colon = 400, newline>quote = 1739, newline>open = 1035, newline>close = 504, newline>operator = 473, newline>backslash = 400
newline>symbol = 911, newline>box = 400, newline>wide-mark = 400, newline>greek = 400, newline>hebrew = 400, newline>arabic = 400
newline>indic = 230, newline>thai = 400, newline>hiragana = 311, newline>katakana = 712, newline>han = 1524, newline>hangul = 1112
newline>other-script = 400, newline>digit = 88, newline>space = 376, newline>tab = 706, newline>newline = 164, newline>return = 345
newline>control = 400, newline>combining = 400, newline>rare-han = 400, newline>emoji-high = 400, newline>high = 400, newline>low = 400
newline>private = 400, same>return = 400, same>control = 400, same>combining = 706, same>rare-han = 400, same>emoji-high = 400
same>high = 400, same>low = 400, same>private = 825, lower bare 2 lower = 15, hump 2 upper = 774, capital bare 2 lower = 35
capital accent = 1701, upper bare 2 lower = 1545, upper bare 2 upper = 276, lower mark 1 lower = 152, upper mark 1 lower = 79
upper mark 1 upper = 206, after underscore>lower = 620, after underscore>upper = 695, after underscore>accent = 400
after hyphen>lower = 1116, after hyphen>upper = 695, after hyphen>accent = 400, after dot>lower = 723, after dot>upper = 436
after dot>accent = 400, after slash>lower = 560, after slash>upper = 398, after slash>accent = 400, after comma>lower = 639
after comma>accent = 400, after colon>lower = 958, after colon>upper = 602, after colon>accent = 400, after quote>lower = 1072
after quote>upper = 841, after quote>accent = 835, after open>lower = 715, after open>upper = 528, after open>accent = 379
after close>lower = 988, after close>upper = 88, after close>accent = 400, after operator>lower = 974, after operator>upper = 618
after operator>accent = 400, after backslash>lower = 1210, after backslash>upper = 455, after backslash>accent = 422
after other>lower = 422, after other>upper = 338, after other>accent = 400, lower escape 1 lower = 13, escape>escape = 185
upper escape 1 lower = 66, thai 2 = 390, hiragana 2 = 787, katakana 2 = 739, han 2 = 1596, hangul 2 = 243, other-script 2 = 466
digit-2>lower = 698, digit-2>upper = 1149, digit-2>accent = 400, digit-2>underscore = 529, digit-2>hyphen = 1140, digit-2>dot = 2370
digit-2>slash = 740, digit-2>quote = 545, digit-2>open = 473, digit-2>close = 390, digit-2>operator = 35, digit-2>backslash = 366
digit-2>digit = 103, digit-2>space = 898, digit-2>tab = 400, digit-2>newline = 667, lower space 1 lower = 8, upper space 1 upper = 43
space-2>lower = 366, space-2>upper = 421, space-2>accent = 400, space-2>underscore = 394, space-2>hyphen = 320, space-2>dot = 398
space-2>slash = 312, space-2>comma = 400, space-2>colon = 400, space-2>quote = 434, space-2>open = 108, space-2>close = 217
space-2>operator = 473, space-2>backslash = 415, space-2>digit = 1300, space-2>space = 183, space-2>tab = 1174, space-2>newline = 275
newline-2>lower = 323, newline-2>upper = 582, newline-2>accent = 400, newline-2>underscore = 378, newline-2>hyphen = 388
newline-2>dot = 414, newline-2>slash = 504, newline-2>comma = 400, newline-2>colon = 400, newline-2>quote = 619, newline-2>open = 297
newline-2>close = 517, newline-2>operator = 414, newline-2>backslash = 400, newline-2>digit = 716, newline-2>tab = 386
newline-2>newline = 330, lower bare 3 lower = 15, hump 3 upper = 389, upper bare 3 lower = 482, lower mark 2 lower = 19
upper mark 2 lower = 212, upper mark 2 upper = 7, capital escape 2 lower = 44, cyrillic 3 = 646, hebrew 3 = 447, arabic 3 = 1806
indic 3 = 960, hiragana 3 = 378, katakana 3 = 525, han 3 = 955, hangul 3 = 384, digit-3>lower = 968, digit-3>upper = 973
digit-3>accent = 400, digit-3>underscore = 400, digit-3>hyphen = 537, digit-3>dot = 748, digit-3>slash = 430, digit-3>comma = 561
digit-3>colon = 1121, digit-3>quote = 416, digit-3>open = 407, digit-3>close = 512, digit-3>operator = 309, digit-3>backslash = 398
digit-3>digit = 385, digit-3>space = 147, digit-3>tab = 400, digit-3>newline = 1108, upper space 2 upper = 11, space-3>lower = 112
space-3>upper = 360, space-3>accent = 400, space-3>underscore = 315, space-3>hyphen = 423, space-3>dot = 221, space-3>slash = 315
space-3>comma = 395, space-3>colon = 139, space-3>quote = 224, space-3>open = 401, space-3>close = 215, space-3>operator = 14
space-3>backslash = 129, space-3>digit = 700, space-3>space = 8, space-3>tab = 500, space-3>newline = 305, lower bare 4 lower = 43
hump 4 upper = 347, upper bare 4 lower = 403, upper bare 4 upper = 503, capital mark 3 lower = 42, upper mark 3 lower = 84
upper mark 3 upper = 103, capital escape 3 lower = 44, cyrillic 4 = 1542, greek 4 = 2205, hebrew 4 = 1027, indic 4 = 2848, thai 4 = 1707
hiragana 4 = 429, katakana 4 = 552, hangul 4 = 449, upper bare 5 lower = 165, upper bare 5 upper = 228, upper mark 4 lower = 2
lower escape 4 lower = 38, capital escape 4 lower = 22, greek 5 = 785, hebrew 5 = 670, arabic 5 = 1389, indic 5 = 509, hiragana 5 = 553
katakana 5 = 374, han 5 = 248, hangul 5 = 78, lower space 4 lower = 38, upper bare 6 lower = 1032, upper bare 6 upper = 128
upper mark 5 upper = 106, lower escape 5 lower = 323, capital escape 5 lower = 22, cyrillic 6 = 227, greek 6 = 924, hebrew 6 = 708
indic 6 = 50, thai 6 = 291, hiragana 6 = 706, katakana 6 = 257, han 6 = 907, hangul 6 = 1000, upper space 5 lower = 174
lower bare 7 lower = 300, upper mark 6 lower = 139, upper mark 6 upper = 256, capital escape 6 lower = 22, capital bare 8 lower = 24
capital mark 7 lower = 208, capital escape 7 lower = 22, lower space 7 lower = 15, capital space 7 lower = 112, lower mark 8 lower = 81
capital mark 8 lower = 314, capital escape 8 lower = 22, capital bare 10 lower = 309, lower mark 9 lower = 261
capital bare 11 lower = 248, lower space 10 lower = 49, capital space 10 lower = 103, lower bare 12 lower = 130
capital bare 12 lower = 14, lower mark 11 lower = 77, lower space 11 lower = 74, lower mark 12 lower = 19, capital mark 12 lower = 152
lower space 12 lower = 147, capital space 12 lower = 17
`;

/** A letter (column, a to z) behind another: rows are no letter, a to z, a backslash. */
export const PAIR_WEIGHTS: readonly string[] = [
  '0 43 25 64 275 0 578 67 157 103 199 74 108 0 68 233 223 107 113 7 0 4 141 599 0 999',
  '0 114 0 223 538 444 196 365 196 738 721 33 0 0 247 151 422 119 217 14 320 607 322 413 94 892',
  '58 345 162 260 2 25 200 178 167 296 93 57 131 482 156 204 132 375 252 0 154 0 0 69 430 63',
  '230 223 0 136 0 485 0 114 0 644 7 322 512 693 0 197 508 202 4 0 0 118 0 228 0 163',
  '173 0 104 95 12 265 158 160 180 0 64 271 409 627 8 114 373 352 16 59 336 325 70 275 310 0',
  '43 162 0 30 225 0 99 0 229 866 1101 230 106 134 27 394 281 0 0 63 344 239 267 0 93 471',
  '0 243 209 135 0 306 314 183 0 130 162 260 0 306 188 412 34 0 283 0 247 57 29 49 262 263',
  '427 523 615 306 33 84 98 129 0 451 336 72 857 145 297 7 226 0 0 258 295 189 192 137 0 350',
  '69 259 0 373 229 194 347 99 0 124 264 355 463 142 179 0 475 0 447 0 0 63 158 54 549 1',
  '0 0 108 0 0 0 62 422 292 522 693 176 172 0 0 135 0 494 66 0 703 0 0 251 503 0',
  '259 261 41 165 0 252 89 129 872 130 167 272 658 425 171 341 352 0 5 724 348 7 0 164 12 102',
  '330 190 203 179 0 114 37 0 58 67 127 631 0 113 906 0 109 394 0 786 666 220 0 0 418 85',
  '66 0 213 68 140 0 265 288 243 587 3 225 597 337 160 239 120 0 131 0 60 206 68 119 0 263',
  '35 0 523 0 65 0 0 110 134 821 139 209 0 60 112 0 35 416 223 559 332 225 0 168 471 11',
  '175 213 0 0 233 471 0 0 388 289 0 0 0 17 355 255 289 274 0 97 206 65 126 328 498 118',
  '226 275 0 117 337 99 0 157 36 78 179 421 262 0 0 124 0 0 154 279 206 313 31 834 0 478',
  '78 81 0 0 0 27 1 0 222 200 152 0 221 558 117 191 96 0 73 22 46 0 177 367 0 586',
  '315 43 282 124 431 164 132 109 393 92 131 108 169 0 32 105 243 214 172 170 0 0 61 76 0 101',
  '0 108 123 65 32 0 255 392 0 7 205 132 0 0 0 203 0 30 0 63 232 0 365 216 189 565',
  '77 104 137 365 54 0 182 26 239 201 54 483 0 0 13 399 676 536 0 149 47 620 247 0 186 654',
  '91 99 219 203 89 69 602 0 0 0 605 143 118 645 171 108 15 0 0 67 13 281 0 142 0 251',
  '0 456 0 196 0 0 119 352 0 862 68 64 91 212 372 81 0 0 128 0 322 36 241 576 0 607',
  '237 69 447 281 0 0 252 78 0 69 22 657 138 183 62 96 98 831 0 315 454 0 246 163 929 0',
  '90 13 271 297 159 17 7 69 261 37 103 0 0 0 0 0 75 274 30 0 0 1 66 347 987 220',
  '0 103 0 75 0 42 96 46 265 99 0 0 0 116 616 0 0 567 94 73 190 77 186 330 2 380',
  '704 453 279 0 292 111 225 163 341 152 272 602 0 0 182 250 13 243 214 296 60 66 664 78 309 115',
  '228 169 578 178 320 50 257 218 1254 121 103 0 243 625 472 394 117 185 75 0 0 58 228 74 0 525',
  '0 125 0 324 0 0 0 0 0 0 0 0 0 69 0 0 0 8 700 0 0 0 44 41 0 0',
];
