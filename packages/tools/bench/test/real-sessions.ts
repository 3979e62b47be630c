import { join } from 'node:path';
import { type BenchSession, loadSessions } from '../src/index.js';

const data = join(__dirname, '../../../../../shared/data');

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
