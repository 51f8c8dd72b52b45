// Stamps: which bytes stood before an answer when it was produced. A provider binds reasoning to them, so it is sent only in front of the same.

/** A pin in a live message. */
export interface PinPlace {
  readonly pinId: string;
  readonly text: string;
  /** The entry at whose message it stands; the last folded one: at the end of the summary. */
  readonly position: number;
}

/** Stamp of an answer of which nobody knows what stood before it. Equal to that of no request. */
export const UNKNOWN_STAMP = '?';

/** The view, and the pins that stand in live messages before a position. '' = everything as it came. */
export function stampOf(viewId: string, pins: readonly PinPlace[], before: number): string {
  const standing = pins.filter((pin) => pin.position < before).map(({ pinId, position }) => `+${pinId}@${position}`);
  return standing.length === 0 ? viewId : viewId + standing.sort().join('');
}
