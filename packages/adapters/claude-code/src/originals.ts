import { isExcerpt } from '@ctx/excerpt';
import { interrupted, isEcho, type Row } from './rows.js';

/** A line of a session's file, as far as it is read. */
interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly uuid: string;
  readonly parentUuid?: string | null;
  readonly logicalParentUuid?: string | null;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly isApiErrorMessage?: boolean;
  readonly compactMetadata?: Cut;
  readonly message?: { readonly id?: string; readonly content?: string | readonly Block[] } | undefined;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Row['toolUses'][number]['input'];
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

/** One compaction, as the file tells it. Tokens as Claude Code counts. */
interface Cut {
  readonly trigger?: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  readonly durationMs?: number;
}

/** A session as its file tells it. The handles of its rows are ids of lines. */
export interface Session {
  /** Everything that was said. */
  readonly originals: readonly Row[];
  /** The conversation as it is now. */
  readonly sent: readonly Row[];
  /** What it would be without the newest compaction; undefined if there is none. */
  readonly undone: readonly Row[] | undefined;
  readonly cuts: readonly Cut[];
}

/**
 * Reads the file of a session: Claude Code keeps every line there, those before each compaction too. Undefined if nothing is said in it.
 * @param text JSON, a line each
 * @param newest the id of the line with which the conversation ends now; default: the last line of a message
 */
export function sessionOf(text: string, newest?: string): Session | undefined {
  const lines = linesOf(text);
  const last = newest ?? lines.findLast(({ type }) => type === 'user' || type === 'assistant')?.uuid;
  if (last === undefined || !lines.some(({ uuid }) => uuid === last)) return undefined;
  const branch = branchOf(lines, last);
  const borders = branch.flatMap(({ subtype }, at) => (subtype === 'compact_boundary' ? [at] : []));
  const border = borders.at(-1);
  const entries = withoutCopies(branch);
  const rowsFrom = (start: number, end?: number) => branch.slice(start, end).flatMap((line) => saidIn(line));
  return {
    originals: entries.map(({ row }) => row),
    sent: rowsFrom(border ?? 0),
    undone:
      border === undefined
        ? undefined
        : [
            ...rowsFrom(borders.at(-2) ?? 0, border).map(({ handle: _, ...row }) => row),
            ...entries.filter(({ at }) => at > border).map(({ row }) => row),
          ],
    cuts: borders.map((at) => branch[at]?.compactMetadata ?? {}),
  };
}

/**
 * The rows of a file with the handles that are valid now, and what is not in the file yet.
 * @param sent the rows of the conversation as Claude Code gives them; undefined if the file does not know them
 */
export function liveSession(text: string, sent: readonly Row[]): Session | undefined {
  const newest = sent.findLastIndex(
    ({ handle }) => handle !== undefined && text.includes(`"uuid":"${handle}"`),
  );
  const session = newest < 0 ? undefined : sessionOf(text, sent[newest]?.handle);
  if (session === undefined) return undefined;
  // The very rows: Claude Code builds a row anew if anything in it differs.
  const valid = new Map(sent.map((row) => [row.handle, row]));
  const live = (rows: readonly Row[]) => [
    ...rows.map(({ handle, ...row }) => (handle === undefined ? undefined : valid.get(handle)) ?? row),
    ...sent.slice(newest + 1),
  ];
  const { originals, undone } = session;
  return { ...session, sent, originals: live(originals), undone: undone && live(undone) };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    // Other records begin with their type; some are long.
    if (!line.startsWith('{') || line.startsWith('{"type"')) continue;
    try {
      const value = JSON.parse(line) as Line;
      if (typeof value.uuid !== 'string') continue;
      const isWhole = isBlock({ type: '', content: value.message?.content ?? '' });
      // Its place in the conversation is known even if what it says is not.
      lines.push(isWhole ? value : { ...value, message: undefined });
    } catch {
      // The last line may be half written.
    }
  }
  return lines;
}

/** False for a damaged block, or one with a damaged block in it. */
function isBlock(value: Partial<Record<keyof Block, unknown>> | null): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, text = '', id = '', name = '', tool_use_id = '', content = '', input = {} } = value;
  return (
    [type, text, id, name, tool_use_id].every((one) => typeof one === 'string') &&
    (typeof content === 'string' || (Array.isArray(content) && content.every(isBlock))) &&
    typeof input === 'object' &&
    input !== null
  );
}

/**
 * The newest line with all before it, across compactions, without what was taken back. The calls of one response, and their results, form
 * branches of their own, and belong to it. The line before stands in for a parent that is not in the file.
 */
function branchOf(lines: readonly Line[], newest: string): Line[] {
  const places = new Map(lines.map(({ uuid }, at) => [uuid, at]));
  const kept = new Set<Line>();
  let at = places.get(newest) ?? -1;
  for (let line = lines[at]; line !== undefined && !kept.has(line); line = lines[at]) {
    kept.add(line);
    const parent = line.parentUuid ?? line.logicalParentUuid;
    at = parent ? (places.get(parent) ?? at - 1) : -1;
  }
  const responses = new Set([...kept].flatMap(({ message }) => message?.id || []));
  const isKept = (line: Line) => kept.has(line) || responses.has(line.message?.id ?? '');
  const calls = new Set(
    lines
      .filter(isKept)
      .flatMap((line) => blocksOf(line).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))),
  );
  const answers = (line: Line) =>
    blocksOf(line).some(({ tool_use_id: id }) => id !== undefined && calls.has(id));
  return lines.filter((line) => isKept(line) || answers(line));
}

function blocksOf({ message }: Line): readonly Block[] {
  const content = message?.content ?? [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The rows of a line. What Claude Code says of `/compact` itself is none. */
function saidIn(line: Line): Row[] {
  if ((line.type !== 'user' && line.type !== 'assistant') || line.isMeta || line.isApiErrorMessage) return [];
  return blocksOf(line)
    .flatMap((block) => rowOf(line, block) ?? [])
    .filter(({ text }) => !isEcho(text));
}

/** After the line of a compaction come the rows that replace the conversation: copies of earlier ones, with new ids, and what was made. */
function withoutCopies(lines: readonly Line[]) {
  /** Rows, each with the position of its line. */
  const entries: { row: Row; readonly at: number }[] = [];
  /** Entries by what is the same in their copies. */
  const known = new Map<string, (typeof entries)[number]>();
  let isReplacement = false;
  for (const [at, line] of lines.entries()) {
    if (line.subtype === 'compact_boundary') isReplacement = true;
    for (const row of saidIn(line)) {
      const keys = keysOf(row, line);
      const copied = isReplacement && keys.map((key) => known.get(key)).find((one) => one !== undefined);
      if (copied) {
        copied.row = { ...copied.row, handle: line.uuid };
        continue;
      }
      if (isReplacement && (line.isCompactSummary === true || isMade(row.text))) continue;
      isReplacement = false;
      const entry = { row, at };
      for (const key of keys) if (!known.has(key)) known.set(key, entry);
      entries.push(entry);
    }
  }
  return entries;
}

function keysOf({ role, text, toolUses, toolResults = [] }: Row, { message }: Line): string[] {
  const ids = [...toolUses, ...toolResults].map(({ tool_use_id }) => `${role} ${tool_use_id}`);
  if (ids.length > 0) return ids;
  // A thought shows no text, so that its response has to be the same.
  return text === '' ? [`${role} ${message?.id} thought`] : [`${role} ${text}`];
}

function rowOf({ type, uuid, message }: Line, block: Block): Row | undefined {
  const role = type === 'assistant' ? 'assistant' : 'user';
  const row = { role, text: '', toolUses: [], handle: uuid } as const;
  switch (block.type) {
    case 'text':
      return { ...row, text: block.text ?? '' };
    case 'thinking':
    case 'redacted_thinking':
      return message?.id === undefined ? undefined : row;
    case 'tool_use':
      return {
        ...row,
        toolUses: [{ tool_use_id: block.id ?? '', tool: block.name ?? '', input: block.input ?? {} }],
      };
    case 'tool_result': {
      const { tool_use_id = '', content = '', is_error } = block;
      const texts =
        typeof content === 'string' ? [content] : content.map((one) => one.text ?? `[${one.type}]`);
      const result = { tool_use_id, text: texts.join('\n'), isError: is_error === true };
      return { ...row, toolResults: [result] };
    }
    case 'image':
    case 'document':
      return row;
    default:
      return undefined;
  }
}

/** Texts that ctx writes: an excerpt, the lines for what left and for the end of a turn, and a text with the handle of what was cut. */
function isMade(text: string): boolean {
  const isLine = /^\[(?:\d+ earlier messages were left out|The conversation goes on from here)/.test(text);
  return isExcerpt(text) || text === interrupted || isLine || /\[#m\d+\]$| #m\d+$/.test(text);
}
