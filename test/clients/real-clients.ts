// The clients: how each is started without a person, and pointed at a base URL.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Api } from '../../src/core/transcript/entry.ts';
import { installClient } from './install-client.ts';
import { type ProgramRun, runProgram } from './run-program.ts';

export interface Turn {
  /** Origin of the gateway, without /v1. */
  readonly url: string;
  readonly prompt: string;
  /** Empty before the first turn; the client keeps its own session in it. */
  readonly home: string;
  /** Goes on with the session of the turn before. */
  readonly isResumed?: boolean;
}

export interface RealClient {
  readonly name: string;
  readonly api: Api;
  run(turn: Turn): Promise<ProgramRun>;
}

/** Name of the model that the clients are told to use. */
export const MODEL = 'claude-sonnet-4-5';
const WINDOW_TOKENS = 200_000;

function write(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
}

function workFolder(home: string): string {
  const folder = path.join(home, 'work');
  mkdirSync(folder, { recursive: true });
  return folder;
}

const claudeCode: RealClient = {
  name: 'Claude Code',
  api: 'anthropic',
  run: ({ url, prompt, home, isResumed }) =>
    runProgram({
      command: path.join(installClient('claude-code'), 'node_modules/.bin/claude'),
      args: [
        '-p',
        prompt,
        '--model',
        MODEL,
        '--output-format',
        'json',
        '--allowedTools',
        'Bash(echo:*)',
        ...(isResumed ? ['--continue'] : []),
      ],
      cwd: workFolder(home),
      env: {
        HOME: home,
        CLAUDE_CONFIG_DIR: path.join(home, 'claude'),
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'sk-ant-dummy',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
};

const codex: RealClient = {
  name: 'Codex',
  api: 'openai-responses',
  run: ({ url, prompt, home, isResumed }) => {
    write(
      path.join(home, 'codex/config.toml'),
      `model = "gpt-5.1"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[analytics]
enabled = false
[model_providers.local]
name = "local"
base_url = "${url}/v1"
env_key = "LOCAL_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`,
    );
    const exec = isResumed ? ['exec', '--skip-git-repo-check', 'resume', '--last'] : ['exec', '--skip-git-repo-check'];
    return runProgram({
      command: process.execPath,
      args: [path.join(installClient('codex'), 'node_modules/@openai/codex/bin/codex.js'), ...exec, prompt],
      cwd: workFolder(home),
      env: { HOME: home, CODEX_HOME: path.join(home, 'codex'), LOCAL_KEY: 'dummy' },
    });
  },
};

/** One client that speaks all three. */
function opencode(api: Api, packageName: string): RealClient {
  return {
    name: `opencode (${api})`,
    api,
    run: ({ url, prompt, home, isResumed }) => {
      const cwd = workFolder(home);
      const model = { name: 'local', limit: { context: WINDOW_TOKENS, output: 8_000 }, tool_call: true };
      const provider = { npm: packageName, options: { baseURL: `${url}/v1`, apiKey: 'dummy' }, models: { [MODEL]: model } };
      write(path.join(cwd, 'opencode.json'), { provider: { local: provider }, share: 'disabled', autoupdate: false });
      return runProgram({
        command: path.join(installClient('opencode'), 'node_modules/.bin/opencode'),
        args: ['run', '--model', `local/${MODEL}`, ...(isResumed ? ['-c'] : []), prompt],
        cwd,
        env: { HOME: home, XDG_DATA_HOME: path.join(home, 'data'), OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      });
    },
  };
}

const PI_APIS = { anthropic: 'anthropic-messages', 'openai-chat': 'openai-completions', 'openai-responses': 'openai-responses' } as const;

export function pi(api: Api, folder = installClient('pi')): RealClient {
  return {
    name: `Pi (${api})`,
    api,
    run: ({ url, prompt, home, isResumed }) => {
      const models = [{ id: MODEL, contextWindow: WINDOW_TOKENS, maxTokens: 8_000 }];
      const baseUrl = api === 'anthropic' ? url : `${url}/v1`;
      write(path.join(home, 'pi/models.json'), { providers: { local: { baseUrl, api: PI_APIS[api], apiKey: 'dummy', models } } });
      return runProgram({
        command: process.execPath,
        args: [
          path.join(folder, 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js'),
          ...['--provider', 'local', '--model', MODEL, ...(isResumed ? ['-c'] : []), '-p', prompt],
        ],
        cwd: workFolder(home),
        env: { HOME: home, PI_CODING_AGENT_DIR: path.join(home, 'pi'), PI_OFFLINE: '1' },
      });
    },
  };
}

export function realClients(): readonly RealClient[] {
  return [
    claudeCode,
    codex,
    opencode('anthropic', '@ai-sdk/anthropic'),
    opencode('openai-chat', '@ai-sdk/openai-compatible'),
    opencode('openai-responses', '@ai-sdk/openai'),
    pi('anthropic'),
    pi('openai-chat'),
    pi('openai-responses'),
  ];
}
