// Where lines go that a person may read. No bodies, no credentials, ever.

/** How urgent a line is. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Takes lines; must not throw. */
export interface Log {
  write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}
