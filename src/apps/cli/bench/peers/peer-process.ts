// One peer in a process of its own: it may print, change what it is given, keep handles open or die without harm to the measurement.
// Its home folder is a temporary one, and of the environment it sees only the path of programs.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';

/** The longest one answer may take. */
const ANSWER_MS = 60_000;

/** A Chat Completions message. */
export type ChatMessage = Readonly<Record<string, unknown>>;

/** A strategy of a peer, as its process declares it. */
export interface PeerDeclaration {
  readonly name: string;
  /** It writes a summary, so part of the budget is for that. */
  readonly hasSummary?: boolean;
  /** How many ways it has, mildest first: the next one is tried only when nothing fits with the one before. Default 1. */
  readonly ways?: number;
}

/** What a process answers. */
export interface PeerAnswer {
  readonly error?: string;
  readonly strategies?: readonly PeerDeclaration[];
  /** How many sizes a strategy can be asked for, smallest first. */
  readonly levels?: Readonly<Record<string, number>>;
  readonly messages?: readonly ChatMessage[];
}

interface Waiting {
  readonly resolve: (answer: PeerAnswer) => void;
  readonly reject: (error: Error) => void;
}

export class PeerProcess {
  private readonly script: string;
  private readonly folder: string;
  private readonly home = mkdtempSync(path.join(tmpdir(), 'ullage-peer-'));
  private child: ChildProcess | undefined;
  private waiting: Waiting | undefined;

  /** `script` is the program that hosts a peer, `folder` the peer's. */
  constructor(script: string, folder: string) {
    this.script = script;
    this.folder = folder;
  }

  /** One question at a time. Rejects when the peer fails, dies or takes too long; the next question then gets a fresh process. */
  async ask(question: object): Promise<PeerAnswer> {
    const child = this.child ?? this.start();
    const answer = await new Promise<PeerAnswer>((resolve, reject) => {
      const timer = setTimeout(() => this.end(new Error(`no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
      const settle = (act: () => void) => {
        clearTimeout(timer);
        this.waiting = undefined;
        act();
      };
      this.waiting = {
        resolve: (own) => settle(() => resolve(own)),
        reject: (error) => settle(() => reject(error)),
      };
      child.send(question);
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  close(): void {
    this.end(new Error('closed'));
    rmSync(this.home, { recursive: true, force: true });
  }

  private start(): ChildProcess {
    const child = fork(this.script, [this.folder], {
      cwd: this.home,
      env: this.environment(),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const printed = child.stderr === null ? Promise.resolve('') : readAll(child.stderr);
    child.on('message', (answer) => {
      if (this.child === child) this.waiting?.resolve(answer as PeerAnswer);
    });
    child.on('error', (error) => {
      if (this.child === child) this.end(error);
    });
    child.on('exit', (code, signal) => {
      if (this.child !== child) return;
      this.child = undefined;
      const ended = `its process ended with ${signal ?? code}`;
      printed.then(
        (said) => this.waiting?.reject(new Error(said.trim() === '' ? ended : `${ended}: ${lastLine(said)}`)),
        () => this.waiting?.reject(new Error(ended)),
      );
    });
    this.child = child;
    return child;
  }

  private end(reason: Error): void {
    const { child, waiting } = this;
    this.child = undefined;
    child?.kill('SIGKILL');
    waiting?.reject(reason);
  }

  private environment(): NodeJS.ProcessEnv {
    const { PATH, SystemRoot } = process.env;
    return {
      PATH,
      SystemRoot,
      HOME: this.home,
      USERPROFILE: this.home,
      TMPDIR: this.home,
      TMP: this.home,
      TEMP: this.home,
      DO_NOT_TRACK: '1',
    };
  }
}

function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '';
}
