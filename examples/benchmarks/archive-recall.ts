// Measures what an archive finds again of what a view misses, in sessions that are cut (packages/archive/README.md).
// Start: npx tsx examples/benchmarks/archive-recall.ts [path ...] [--views 'keep-last,default pipeline'] [--sqlite] [--each]
// Build first. Without a path: examples/sessions, and ../shared/data if it is there.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Archive, type ArchiveOptions, entriesOf, memoryArchive, refText } from '@ctx/archive';
import { sqliteArchive } from '@ctx/archive/sqlite';
import {
  type BenchSession,
  budgetShares,
  type Candidate,
  type CountTokens,
  type Cut,
  candidates,
  commonAtoms,
  cutsOf,
  loadCounter,
  loadSessions,
  markdownTable,
  type NeededAtom,
  occursIn,
  positionsOf,
  sessionFiles,
} from '@ctx/bench';
import { type Message, messageText, partsOf, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { progress, progressDone } from './progress.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Tokens of what is found. */
const limits = [500, 1000, 2000];
const queries = ['before the step', 'blind', 'as written', 'by handle'] as const;
type QueryName = (typeof queries)[number];

/** Shares found, for one view of one cut. */
interface Sample {
  readonly source: string;
  readonly session: string;
  readonly cut: number;
  readonly view: string;
  readonly query: QueryName;
  readonly limit: number;
  readonly found: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { views: { type: 'string' }, each: { type: 'boolean' }, sqlite: { type: 'boolean' } },
});
const names = (values.views ?? 'keep-last,default pipeline').split(',');
const views = candidates.filter(({ name }) => names.includes(name));
const paths = positionals.length > 0 ? positionals : [here('../sessions'), here('../../../shared/data')];
const { sessions } = await loadSessions(paths.flatMap(sessionFiles));
const tokensOf = await loadCounter();
const common = commonAtoms(sessions);
const conversation = 'session';
const folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));

const samples: Sample[] = [];
let archives = 0;
let missedAtoms = 0;
for (const session of sessions) {
  for (const cut of cutsOf(session.messages, { tokensOf, common })) {
    for (const view of views) {
      for (const share of budgetShares) {
        progress(`${session.id} at ${cut.position}, ${view.name} to ${share * 100} %`);
        samples.push(...(await measured(session, cut, view, share, tokensOf)));
      }
    }
  }
}
rmSync(folder, { recursive: true });
progressDone();
console.log(`${missedAtoms} atoms that a view misses, ${sessions.length} sessions\n`);
for (const view of views) {
  const rows = queries.map((query) => [
    query,
    ...limits.map((limit) =>
      shareOf(samples.filter((one) => one.view === view.name && one.query === query && one.limit === limit)),
    ),
  ]);
  console.log(`${view.name}\n\n${markdownTable(['found within', ...limits.map(String)], rows)}\n`);
}
if (values.each) {
  for (const source of new Set(samples.map((one) => one.source)))
    console.log(
      source,
      ...queries.map(
        (query) =>
          `${query} ${shareOf(samples.filter((one) => one.source === source && one.query === query && one.limit === 2000))}`,
      ),
    );
}

async function measured(
  session: BenchSession,
  cut: Cut,
  view: Candidate,
  share: number,
  count: CountTokens,
): Promise<Sample[]> {
  const budget = cut.systemTokens + Math.floor(cut.prefixTokens * share);
  const { messages } = await view.compress({ cut, model: session.model, budget, tokensOf: count });
  const seen = messages.map(wholeText).join('\n');
  const missed = cut.needed.filter(({ atom }) => !occursIn(atom, seen));
  if (missed.length === 0) return [];
  missedAtoms += missed.length;
  const kept = new Set(messages);
  const archive = await newArchive({ tokensOf: count.text });
  await archiveAll(archive, cut.prefix, (message) => !kept.has(message));
  const found = new Map<string, number>();
  for (const [step, atoms] of groupBy(missed, ({ usedAt }) => usedAt)) {
    for (const query of queries) {
      for (const limit of limits) {
        const key = `${query}\n${limit}`;
        const hits = await foundBy(archive, query, session.messages, step, atoms, missed, limit);
        found.set(key, (found.get(key) ?? 0) + hits);
      }
    }
  }
  await archive.close();
  return [...found].map(([key, hits]) => {
    const [query, limit] = key.split('\n') as [QueryName, string];
    return {
      source: session.source,
      session: session.id,
      cut: cut.position,
      view: view.name,
      query,
      limit: Number(limit),
      found: (100 * hits) / missed.length,
    };
  });
}

async function newArchive(options: ArchiveOptions): Promise<Archive> {
  if (!values.sqlite) return memoryArchive(options);
  archives += 1;
  return sqliteArchive(join(folder, `${archives}.db`), options);
}

/** How many of the atoms of a step are in what a query finds. */
async function foundBy(
  archive: Archive,
  query: QueryName,
  messages: readonly Message[],
  step: number,
  atoms: readonly NeededAtom[],
  missed: readonly NeededAtom[],
  maxTokens: number,
): Promise<number> {
  const written = stepText(messages[step] as Message);
  if (query === 'by handle') {
    let found = 0;
    for (const { atom, heldAt } of atoms) {
      const within = refText({ message: (heldAt.at(-1) as number) + 1 });
      const texts = await textsOf(archive, atom, maxTokens, within);
      if (occursIn(atom, texts)) found += 1;
    }
    return found;
  }
  const text =
    query === 'as written' ? written : query === 'blind' ? without(written, missed) : before(messages, step);
  const texts = await textsOf(archive, text, maxTokens);
  return atoms.filter(({ atom }) => occursIn(atom, texts)).length;
}

async function textsOf(archive: Archive, query: string, maxTokens: number, within?: string): Promise<string> {
  const results = await archive.search(query, { conversation, maxTokens, within });
  return results.map(({ heading, text }) => `${heading}\n${text}`).join('\n');
}

async function archiveAll(
  archive: Archive,
  messages: readonly Message[],
  left: (message: Message) => boolean,
): Promise<void> {
  const calls = new Map<string, ToolCallPart>();
  for (const [index, message] of messages.entries()) {
    for (const call of toolCallsOf(message)) calls.set(call.toolCallId, call);
    if (message.role === 'system' || !left(message)) continue;
    await archive.put(entriesOf({ conversation, number: index + 1, message, callOf: (id) => calls.get(id) }));
  }
}

/** What the agent says and does in a step. */
function stepText(message: Message): string {
  const inputs = partsOf(message).flatMap((part) => (part.type === 'tool-call' ? leaves(part.input) : []));
  return [messageText(message), ...inputs].join('\n');
}

function wholeText(message: Message): string {
  const called = toolCallsOf(message).flatMap(({ toolName, input }) => [toolName, ...leaves(input)]);
  return [...called, messageText(message)].join('\n');
}

function leaves(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leaves) : [String(value)];
}

function without(text: string, missed: readonly NeededAtom[]): string {
  let blind = text;
  for (const { atom } of missed) {
    for (const at of [...positionsOf(atom, blind)].reverse())
      blind = `${blind.slice(0, at)} ${blind.slice(at + atom.length)}`;
  }
  return blind;
}

/** What is known before the step: the last message of the user, and the calls of the last message of the assistant. */
function before(messages: readonly Message[], step: number): string {
  const said = messages.slice(0, step);
  const user = said.findLast(({ role }) => role === 'user');
  const called = said.findLast((message) => toolCallsOf(message).length > 0);
  return [user, called].flatMap((message) => (message === undefined ? [] : [stepText(message)])).join('\n');
}

/** The average of cuts within a session, of sessions within a source, and of sources. */
function shareOf(all: readonly Sample[]): string {
  const mean = (numbers: readonly number[]) =>
    numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
  const by =
    (key: (one: Sample) => string, of: (group: readonly Sample[]) => number) => (group: readonly Sample[]) =>
      mean([...groupBy(group, key).values()].map(of));
  const ofCut = (group: readonly Sample[]) => mean(group.map(({ found }) => found));
  return by(
    ({ source }) => source,
    by(
      ({ session }) => session,
      by(({ cut }) => String(cut), ofCut),
    ),
  )(all).toFixed(1);
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
