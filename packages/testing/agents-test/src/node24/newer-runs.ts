import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModelServerOptions } from '@ctx/servers';
import type { MeasuredRun } from '../measured-run.js';
import type { AdaptedRun } from '../set-ups.js';
import type { AgentsSdkOrder, AgentsSdkRun } from './agents-sdk-run.js';

/** The runs that need a newer Node, each with its options and what becomes of them. */
export interface Runs {
  readonly agents: { readonly options: ModelServerOptions; readonly report: MeasuredRun[] };
  readonly 'agents-sdk': { readonly options: AgentsSdkOrder; readonly report: AgentsSdkRun };
  readonly 'set-ups': { readonly options: object; readonly report: AdaptedRun[] };
}
export type Order<Name extends keyof Runs> = readonly [name: Name, options: Runs[Name]['options']];

/** The oldest major of Node that the SDKs of these runs work on. */
const oldestMajor = 22;
/** Bytes of the longest report. */
const longestReport = 2 ** 26;

/** The program of a Node that is new enough: the one that runs this, or the one in the platform's package; undefined if there is none. */
export function newNode(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= oldestMajor) return process.execPath;
  const { resolve } = createRequire(import.meta.url);
  try {
    const manifest = resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'bin/node');
  } catch {
    return undefined;
  }
}

/**
 * Runs agents in a process of their own, because this Node may be too old for their SDKs.
 * @throws Error if there is no Node that is new enough
 */
export function newerRuns<Name extends keyof Runs>(
  name: Name,
  options: Runs[Name]['options'] = {},
): Runs[Name]['report'] {
  const main = fileURLToPath(new URL('../../dist/node24/main.js', import.meta.url));
  const order: Order<Name> = [name, options];
  const how = { encoding: 'utf8', maxBuffer: longestReport } as const;
  return JSON.parse(
    execFileSync(String(newNode()), [main, JSON.stringify(order)], how),
  ) as Runs[Name]['report'];
}
