// Where a pin stands in a request: in a summary, or at the end of one user message. Pure: the same input gives the same places.
import type { WireCodec } from '../core/codec.ts';
import type { View } from '../core/plan/view.ts';
import { isFramedSummary } from '../core/summary/frame.ts';
import type { PinRow } from '../ports/store.ts';
import type { Intake } from './intake.ts';
import type { PinPlace } from './stamp.ts';

export interface PinScene {
  readonly intake: Intake;
  readonly view?: View;
  readonly pins: readonly PinRow[];
}

/**
 * The places of all pins that no summary carries. One that was noted stays where it is; one that was not, or whose message is folded or not of
 * this chain, goes to the newest user message. Without any user message there is no place.
 */
export function placesOf(codec: WireCodec, scene: PinScene): readonly PinPlace[] {
  const pins = pinsOutside(codec, scene);
  if (pins.length === 0) return [];
  const positions = new Map(scene.intake.chain.map((chain, position) => [chain, position]));
  const isPlace = placeTest(codec, scene);
  let newest = scene.intake.heads.length - 1;
  while (newest >= 0 && !isPlace(newest)) newest--;
  return pins.flatMap(({ pinId, text, placedAt }) => {
    const noted = placedAt === undefined ? undefined : positions.get(placedAt);
    const position = noted !== undefined && isPlace(noted) ? noted : newest;
    return position < 0 ? [] : [{ pinId, text, position }];
  });
}

function pinsOutside(codec: WireCodec, { intake, view, pins }: PinScene): readonly PinRow[] {
  if (pins.length === 0) return [];
  const inSummary = new Set(view?.body.pinIds);
  const opening = view?.body.fold ? '' : framedOpening(codec, { intake, view });
  return pins.filter((pin) => !inSummary.has(pin.pinId) && !opening.includes(pin.text));
}

/** The summary that a continuation begins with; it carries the pins of the conversation before. */
function framedOpening(codec: WireCodec, { intake, view }: Pick<PinScene, 'intake' | 'view'>): string {
  const replaced = view?.body.replacements.find(({ position }) => position === 0);
  const first = replaced?.raw ?? intake.raws[0];
  if (!first?.includes('ullage-summary') || intake.heads[0]!.role !== 'user') return '';
  const texts = codec.decodeMessage(first).parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return texts.find(isFramedSummary) ?? '';
}

/** In Messages a list of results is a user's message, and text may stand behind them. */
function placeTest(codec: WireCodec, { intake, view }: PinScene): (position: number) => boolean {
  const fold = view?.body.fold;
  const left = new Set(view?.body.replacements.filter(({ raw }) => raw === '').map(({ position }) => position));
  return (position) => {
    if (fold && position <= fold.to) return position === fold.to && fold.raw !== undefined;
    const { role } = intake.heads[position]!;
    return !left.has(position) && (role === 'user' || (role === 'tool' && codec.api === 'anthropic'));
  };
}
