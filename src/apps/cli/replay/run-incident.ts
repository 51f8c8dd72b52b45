// The founding incidents by name.
import type { Colors } from '../terminal/colors.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { HIDDEN_TOKENS, RESTART_POLICY, RESTART_WINDOW } from './restart-setting.ts';

export const INCIDENTS = ['restart', '220'] as const;

export type IncidentName = (typeof INCIDENTS)[number];

export interface IncidentOptions {
  readonly terminal: Terminal;
  readonly progress: Progress;
  /** Keep the conversation there; default: a temporary file. */
  readonly db?: string;
}

export interface PlayedIncident {
  /** The document of `--json`. */
  readonly document: object;
  readonly render: (options: { readonly width: number; readonly colors: Colors }) => string[];
  /** Everything went as it must. */
  readonly isKept: boolean;
}

export async function runIncident(name: IncidentName, options: IncidentOptions): Promise<PlayedIncident> {
  return name === '220' ? run220(options) : runRestart(options);
}

async function runRestart(options: IncidentOptions): Promise<PlayedIncident> {
  const { playRestart } = await import('./incident-restart.ts');
  const { renderRestart } = await import('./restart-text.ts');
  const story = await playRestart(options);
  const isKept = story.promises.every((promise) => promise.isKept);
  const setting = { hiddenTokens: HIDDEN_TOKENS, windowTokens: RESTART_WINDOW, policy: RESTART_POLICY };
  const document = { incident: 'restart', isKept, ...setting, ...story };
  return { document, render: (textOptions) => renderRestart(story, textOptions), isKept };
}

async function run220(options: IncidentOptions): Promise<PlayedIncident> {
  const { play220, WINDOW_220 } = await import('./incident-220.ts');
  const { render220 } = await import('./incident-220-text.ts');
  const story = await play220(options);
  const isKept = story.promises.every((promise) => promise.isKept);
  const document = { incident: '220', isKept, windowTokens: WINDOW_220, ...story };
  return { document, render: (textOptions) => render220(story, textOptions), isKept };
}
