import { join } from 'node:path';
import { type BenchSession, loadSessions, sessionFiles } from '../src/index.js';

const data = join(__dirname, '../../../../../shared/data');
const bundled = join(__dirname, '../../../../examples/sessions');

/** Recorded by others and not part of the repository. */
export const realFiles = [
  'claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20.jsonl',
  'claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl',
  'claude-code/agent-a7be2f0.jsonl',
  'openai-chat/swe-agent.jsonl',
  'openai-chat/tau-bench-airline.jsonl',
  'pi/large-session.jsonl',
].map((name) => join(data, name));

let loaded: Promise<BenchSession[]> | undefined;

/** The conversations of these files, read once. */
export function realSessions(): Promise<BenchSession[]> {
  loaded ??= loadSessions(realFiles).then(({ sessions }) => sessions);
  return loaded;
}

/** The sessions of the examples. */
export async function bundledSessions(): Promise<BenchSession[]> {
  return (await loadSessions(sessionFiles(bundled))).sessions;
}
