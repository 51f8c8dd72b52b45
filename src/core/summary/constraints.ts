// Finds what a user demands: sentences with a cue such as never, must, only. Six languages, verbatim, linear.
import { genuineText } from '../transcript/genuine.ts';

const word = (source: string): string => `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`;

const ENGLISH =
  "never|must(?:n['’]?t)?|only|instead|do not|don['’]?t|does not need to|always|without|at most|at least|(?:no|not) (?:more|less|fewer) than|" +
  "should(?: not|n['’]t)|may not|avoid|make sure|ensure|prefer|rather than|not allowed|forbidden|no longer|up to|exactly|except|unless|has to|have to|keep";
const SPANISH =
  'nunca|jamás|deb(?:e|es|en|emos|éis)|debería[sn]?|s[oó]lo|solamente|únicamente|en lugar de|en vez de|siempre|sin|como (?:máximo|mínimo)|al menos|' +
  'no más de|tienes? que|hay que|evita[rn]?|prohibido|no (?:uses|hagas|toques|borres|cambies|modifiques|elimines|añadas|agregues|pongas|subas|envíes|utilices|olvides|debes?|puedes?)';
const GERMAN =
  'nie(?:mals)?|muss|musst|müssen|nur|ausschließlich|statt(?:dessen)?|anstatt|anstelle|immer|ohne|höchstens|maximal|mindestens|bitte nicht|' +
  'auf keinen fall|keinesfalls|kein(?:e[nmrs]?)?|darfst|dürfen|darf|soll(?:en|st|te)?|vermeide|nicht (?:mehr als|ändern|anfassen|löschen|verwenden|benutzen|nutzen|pushen|committen)';
const FRENCH =
  "jamais|doi(?:t|s|vent)|dev(?:ez|ons|rait|rais)|il faut|seulement|uniquement|au lieu d(?:e|['’])|plutôt qu(?:e|['’])|toujours|sans|au (?:maximum|minimum|plus|moins)|" +
  "pas plus de|interdit(?:e|es|s)?|évite[rz]?|n(?:e |['’])[\\p{L}' ]{1,24} pas|assure[rz]?(?:-(?:toi|vous))?";
const RUSSIAN =
  'никогда|нельзя|долж(?:ен|на|но|ны)|только|лишь|вместо|всегда|без|не (?:более|больше|менее|меньше|надо|нужно)|максимум|минимум|обязательно|запрещено|избегай(?:те)?|' +
  'не \\p{L}{2,20}(?:ай|яй|уй|ей|ди|жи|ри|ши|пи|си|ти|ни|ли|ьте|йте|ите)';
const CHINESE =
  '不要|不能|不得|不准|不可|不许|禁止|必须|必須|务必|務必|一定要|只能|只用|只有|只改|仅|僅|始终|总是|永远|从不|绝不|而不是|代替|改用|至少|至多|最多|不超过|不超過|切勿|请勿|除非|避免';

const CUE = new RegExp(`${word([ENGLISH, SPANISH, GERMAN, FRENCH, RUSSIAN].join('|'))}|${CHINESE}`, 'iu');

/** A demand is short; what is longer is a paste, and only the beginning of its sentence is kept out of it. */
const LONGEST_SENTENCE_CHARS = 1_000;
const SENTENCE_END = /[.!?…](?=["'”’)\]]{0,2}(?:\s|$))|[。！？；]/g;
const LIST_MARK = /^(?:[-*+•>#]{1,6}|\d{1,3}[.)])\s+/;
const FENCE = /^\s{0,3}(?:```|~~~)/;

function sentencesOf(line: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const end of line.matchAll(SENTENCE_END)) {
    const stop = end.index + end[0].length;
    sentences.push(line.slice(start, stop));
    start = stop;
  }
  sentences.push(line.slice(start));
  return sentences;
}

/** Lines outside fenced code. */
function proseLines(text: string): readonly string[] {
  let isCode = false;
  return text.split(/\r?\n/).filter((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
}

/** Sentences of a user's text that state a constraint, verbatim, in order, each once. Fenced code and client blocks are not read. */
export function findConstraints(text: string): readonly string[] {
  const found = new Set<string>();
  for (const line of proseLines(genuineText(text))) {
    for (const sentence of sentencesOf(line)) {
      const clean = sentence.trim().replace(LIST_MARK, '').trim();
      if (clean.length <= LONGEST_SENTENCE_CHARS && CUE.test(clean)) found.add(clean);
    }
  }
  return [...found];
}
