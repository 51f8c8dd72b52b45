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
  /** That of the question: whatever else a peer sends is not listened to. */
  readonly id?: number;
  readonly error?: string;
  readonly strategies?: readonly PeerDeclaration[];
  /** How many sizes a strategy can be asked for, smallest first. */
  readonly levels?: Readonly<Record<string, number>>;
  readonly messages?: readonly ChatMessage[];
}

/** No answer came in time. */
export class PeerTimeout extends Error {}

interface Waiting {
  readonly id: number;
  readonly resolve: (answer: PeerAnswer) => void;
  readonly reject: (error: Error) => void;
}

export class PeerProcess {
  private readonly script: string;
  private readonly folder: string;
  private readonly home = mkdtempSync(path.join(tmpdir(), 'ullage-peer-'));
  private child: ChildProcess | undefined;
  private waiting: Waiting | undefined;
  private asked = 0;

  /** `script` is the program that hosts a peer, `folder` the peer's. */
  constructor(script: string, folder: string) {
    this.script = script;
    this.folder = folder;
  }

  /** One question at a time. Rejects when the peer fails, dies or takes too long; the next question then gets a fresh process. */
  async ask(question: object): Promise<PeerAnswer> {
    const child = this.child ?? this.start();
    const answer = await new Promise<PeerAnswer>((resolve, reject) => {
      const timer = setTimeout(() => this.end(new PeerTimeout(`no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
      this.asked += 1;
      const id = this.asked;
      const settle = (act: () => void) => {
        clearTimeout(timer);
        if (this.waiting?.id === id) this.waiting = undefined;
        act();
      };
      this.waiting = {
        id,
        resolve: (own) => settle(() => resolve(own)),
        reject: (error) => settle(() => reject(error)),
      };
      child.send({ ...question, id });
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
      if (this.child === child && idOf(answer) === this.waiting?.id) this.waiting?.resolve(answer as PeerAnswer);
    });
    child.on('error', (error) => {
      if (this.child === child) this.end(error);
    });
    child.on('exit', (code, signal) => {
      if (this.child !== child) return;
      this.child = undefined;
      // The question it leaves open, not one that a fresh process is asked meanwhile.
      const { waiting } = this;
      const ended = `its process ended with ${signal ?? code}`;
      printed.then(
        (said) => waiting?.reject(new Error(said.trim() === '' ? ended : `${ended}: ${lastLine(said)}`)),
        () => waiting?.reject(new Error(ended)),
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

function idOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null ? (answer as PeerAnswer).id : undefined;
}

function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '';
}
