// Child processes of the benchmark: started, asked by lines, ended.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface BenchProcess {
  readonly url: string;
  /** Its memory in use, bytes. */
  memoryBytes(): Promise<number>;
  end(): void;
}

export async function startProcess(name: 'upstream.ts' | 'serve.mjs', ...args: readonly string[]): Promise<BenchProcess> {
  const file = path.join(import.meta.dirname, `../gateway-${name}`);
  const loader = name.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child: ChildProcess = spawn(process.execPath, ['--expose-gc', ...loader, file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  return {
    url: await line(),
    async memoryBytes() {
      child.stdin!.write('\n');
      return Number(await line());
    },
    end: () => void child.kill('SIGKILL'),
  };
}
