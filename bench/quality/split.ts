// Which transcripts of the corpus may be tuned on, and which are held out. Split by source repository. Nearly all long ones come from one
// repository (entireio/cli): that one is split by session, so its held-out half shares authors and code base with what was tuned on.
// Held out whole are all others with long or data-heavy sessions; what is left for tuning beside entireio/cli is short.

export type Side = 'held-out' | 'tuned-on';

interface Source {
  readonly repository: string;
  readonly side: Side;
  /** Paths inside the corpus. */
  readonly files: readonly string[];
}

export const SPLIT: readonly Source[] = [
  { repository: 'badlogic/pi-mono', side: 'held-out', files: ['pi/large-session.jsonl'] },
  {
    repository: 'microsoft/vscode-copilot-chat',
    side: 'held-out',
    files: [
      'claude-code/copilot-fixture-30530d66.jsonl',
      'claude-code/copilot-fixture-4c289ca8.jsonl',
      'openai-chat/copilot-chatreplay.json',
    ],
  },
  {
    repository: 'sierra-research/tau-bench',
    side: 'held-out',
    files: ['openai-chat/tau-airline-33.json', 'openai-chat/tau-airline-52.json', 'openai-chat/tau-airline-65.json'],
  },
  { repository: 'cline/cline', side: 'held-out', files: ['anthropic-messages/cline-session.messages.json'] },
  {
    repository: 'entireio/cli',
    side: 'held-out',
    files: [
      'claude-code/entire-c1-small.jsonl',
      'claude-code/entire-c1-tokens-logging.jsonl',
      'claude-code/entire-m-perf-hunt.jsonl',
      'claude-code/entire-s-go-bump.jsonl',
      'claude-code/entire-s-secrets-chat.jsonl',
      'gemini-cli/entire-gemini-b.json',
    ],
  },
  {
    repository: 'entireio/cli',
    side: 'tuned-on',
    files: [
      'claude-code/entire-c1-superpowers.jsonl',
      'claude-code/entire-c2-stacked.jsonl',
      'claude-code/entire-l-go-git-replace.jsonl',
      'claude-code/entire-m-goreleaser.jsonl',
      'claude-code/entire-m-mcp-linear.jsonl',
      'claude-code/entire-s-lint-fix.jsonl',
      'gemini-cli/entire-gemini-a.json',
      'gemini-cli/entire-gemini-c.json',
    ],
  },
  {
    repository: 'SWE-agent/SWE-agent',
    side: 'tuned-on',
    files: ['swe-agent/ctf-crypto-katy.traj', 'swe-agent/ctf-web-i-got-id.traj', 'swe-agent/marshmallow-1867-xml-cursors.traj'],
  },
  {
    repository: 'OpenHands/software-agent-sdk',
    side: 'tuned-on',
    files: ['openai-chat/openhands-claude-sonnet4.json', 'openai-chat/openhands-deepseek-nonfncall.json'],
  },
];

/** Paths of one side inside the corpus, in the order of the list. */
export function filesOf(side: Side): readonly string[] {
  return SPLIT.filter((source) => source.side === side).flatMap(({ files }) => files);
}
