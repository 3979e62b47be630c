import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The compiled command. */
export const program = join(__dirname, '../dist/main.js');

const processes = new Set<ChildProcess>();

/** Ends what was started and still runs. */
export async function killAll(): Promise<void> {
  await Promise.all([...processes].map(killed));
}

/** Starts the command in a process of its own, and waits until it says where it listens. */
export async function startProgram(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  processes.add(child);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      const found = /http:\S+?:\d+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error('The proxy ended.')));
  });
  return { child, url };
}

export function killed(child: ChildProcess): Promise<void> {
  processes.delete(child);
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('close', () => resolve());
    child.kill('SIGKILL');
  });
}
