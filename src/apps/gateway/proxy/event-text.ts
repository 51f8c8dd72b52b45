// One event of a text/event-stream.

/** `name` undefined: data alone. */
export function eventText(name: string | undefined, data: unknown): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
