// The shape of `ullage.config.json`. Strict: a key that is not known is refused by name. Secrets are never in it, only the names of variables.
import { z } from 'zod';

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** The name of an environment variable. A value that is none may be the secret itself: it is not repeated. */
const variable = z.string().regex(VARIABLE_NAME, 'must be the name of an environment variable, not its value');

const shareOrTokens = z.number().positive();
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const timeoutMs = z.number().int().min(100).max(3_600_000);

const deadlines = {
  /** Of a call. */
  timeoutMs: timeoutMs.default(60_000),
  /** From its start to the list of its tools. */
  startTimeoutMs: timeoutMs.default(60_000),
};

const processServer = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** Variables of this process that the server is given, by name. */
  env: z.array(variable).default([]),
  cwd: z.string().min(1).optional(),
  ...deadlines,
});

const remoteServer = z.strictObject({
  url,
  /** Header name → name of the variable that holds its value. */
  headers: z.record(z.string(), variable).default({}),
  ...deadlines,
});

const endpoint = {
  api: z.enum(['openai-chat', 'openai-responses', 'anthropic']),
  /** Base URL, such as https://api.openai.com/v1. Default: the provider's own. */
  url: url.optional(),
  /** Variable with the API key. None for endpoints that ask for none. */
  keyEnv: variable.optional(),
  model: z.string().min(1),
  maxOutputTokens: z.number().int().positive().optional(),
};

const summarizer = z.strictObject({
  ...endpoint,
  api: endpoint.api.optional(),
  window: z.number().int().positive().optional(),
});

const webhook = z.strictObject({
  /** Where Telegram reaches it; its path is what is listened on. */
  url,
  port: z.number().int().min(0).max(65_535).default(8_443),
  host: z.string().min(1).default('127.0.0.1'),
  /** Variable with the secret that Telegram sends along. */
  secretEnv: variable,
});

const telegram = z.strictObject({
  tokenEnv: variable.default('TELEGRAM_BOT_TOKEN'),
  apiRoot: url.optional(),
  /** Default: long polling. */
  webhook: webhook.optional(),
  /** Least time between two edits of one message, milliseconds. */
  editEveryMs: z.number().int().min(0).max(60_000).default(1_500),
  /** Sessions that are answered at the same time. */
  parallel: z.number().int().min(1).max(1_000).default(16),
});

const id = z.number().int();

const profile = z.strictObject({
  ...endpoint,
  /** The model's context length, tokens. Default: what is known of the model. */
  window: z.number().int().positive().optional(),
  threshold: shareOrTokens.optional(),
  target: shareOrTokens.optional(),
  tailTokens: shareOrTokens.optional(),
  messageLimit: z.number().int().min(4).optional(),
  /** Anthropic: let the provider cache the prompt. Other APIs do so by themselves. */
  promptCache: z.boolean().default(true),
  system: z.string().default('You are a helpful assistant.'),
  summarizer: summarizer.optional(),
  mcpServers: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,32}$/), z.union([processServer, remoteServer])).default({}),
  /** Model calls of one turn. */
  maxSteps: z.number().int().min(1).max(1_000).default(50),
  /** False for a model that takes no pictures. */
  images: z.boolean().default(true),
  /** A longer conversation, with its pictures as base64, goes on in a continuation: characters. */
  maxHistoryChars: z.number().int().min(1_000_000).max(200_000_000).default(50_000_000),
  /** Longest message or text file that is taken, characters. */
  maxMessageChars: z.number().int().min(100).max(10_000_000).default(100_000),
  allowedUsers: z.array(id).default([]),
  allowedChats: z.array(id).default([]),
  /** 'failures' is silent about compactions that went well; 'all' tells each. */
  notices: z.enum(['failures', 'all']).default('failures'),
  telegram: telegram.prefault({}),
});

export const configSchema = z.strictObject({
  /** SQLite file, relative to the config. The chat's own records stand beside it, in FILE.chat. Default: a file of the chat's own. */
  database: z.string().min(1).optional(),
  profiles: z.record(z.string().min(1), profile),
});

export type Profile = z.infer<typeof profile>;
export type McpServer = Profile['mcpServers'][string];
export type SummarizerConfig = z.infer<typeof summarizer>;
export type Webhook = z.infer<typeof webhook>;
export type Config = z.infer<typeof configSchema>;
