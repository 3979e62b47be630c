// Compresses a session with each strategy to half and to a quarter of its tokens, and prints the result.
// Start: npm run demo [-- path/to/session.jsonl] [--lenient]; for a folder, every session below it

import { existsSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownTable } from '@ctx/bench/markdown-table';
import { sessionFiles } from '@ctx/bench/session-files';
import { CtxError } from '@ctx/core';
import { explainChoice } from '@ctx/presets';
import { readSessions, type Session } from '@ctx/sessions';
import { choiceHead, choiceRows } from './benchmarks/choices.js';
import {
  compared,
  type Measurement,
  measure,
  measurementHead,
  measurementRow,
  shares,
  total,
} from './benchmarks/measure.js';
import { progress, progressDone } from './benchmarks/progress.js';

export const bundled = fileURLToPath(new URL('sessions/late-check.openai.jsonl', import.meta.url));
/** The report for one file, as text. */
export async function demo(path: string, { lenient = false } = {}): Promise<string> {
  const sessions: Session[] = [];
  for await (const session of readSessions(path, { lenient })) {
    sessions.push(session);
    progress(`read ${sessions.length} conversations`);
  }
  const rows = [];
  for (const share of shares) {
    for (const strategy of compared) {
      const measurements: Measurement[] = [];
      for (const { messages, provider, model } of sessions) {
        progress(
          `${strategy} to ${share * 100} %, conversation ${measurements.length + 1} of ${sessions.length}`,
        );
        measurements.push(await measure(messages, { strategy, share, model: { provider, model } }));
      }
      const [first, ...others] = measurements;
      if (first !== undefined) rows.push(measurementRow(total([first, ...others])));
    }
  }
  progressDone();

  const [{ format, provider, model } = { format: 'unknown', provider: undefined, model: undefined }] =
    sessions;
  const skipped = sessions.flatMap((session) => session.skipped);
  const id = { provider, model };
  const [whole] = sessions;
  const choices = whole === undefined ? [] : await choiceRows(whole.messages, id);
  const name = model ?? 'a model that is not known';
  return [
    `${relative(process.cwd(), path)}: ${sessions.length === 1 ? 'a conversation' : `${sessions.length} conversations`} in the format ${format}`,
    ...skipped.slice(0, 5).map(({ line, reason }) => `  line ${line} was left out: ${reason}`),
    ...(skipped.length > 5 ? [`  and ${skipped.length - 5} more lines`] : []),
    '',
    markdownTable(measurementHead, rows),
    '',
    `For ${name} profile relevance, the default, runs ${explainChoice(id).pipeline.join(', ')}.`,
    `Profile classic runs ${explainChoice(id, 'classic').pipeline.join(', ')}: ${explainChoice(id).why}.`,
    'What each strategy did for whom, in a window that the session fills:',
    '',
    markdownTable(choiceHead, choices),
  ].join('\n');
}

export async function main(args: readonly string[]): Promise<void> {
  const [path = bundled] = args.filter((arg) => !arg.startsWith('--'));
  const lenient = args.includes('--lenient');
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  let shown = 0;
  for (const file of isFolder ? sessionFiles(path) : [path]) {
    try {
      const report = await demo(file, { lenient });
      console.log(shown === 0 ? report : `\n${report}`);
      shown += 1;
    } catch (error) {
      if (!CtxError.isInstance(error)) throw error;
      progressDone();
      console.error(isFolder ? `Skipped: ${error.message}` : error.message);
    }
  }
  if (isFolder && shown === 0) console.error(`No session below ${path} could be read.`);
  if (shown === 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
