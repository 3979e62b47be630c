import { constants } from 'node:buffer';
import { CtxError } from '@ctx/core';
import { parseJson } from '@ctx/core/codec';
import type { Findings } from '../conversation/findings.js';
import { isDatabase, storedSession } from '../opencode/database.js';
import { emptyFile, openRegular, unreadable } from './regular-file.js';

const agentNames = 'Claude Code, Codex, Copilot CLI, Gemini CLI, OpenCode, pi';

/** A JSON object or list, and the line it begins at. */
export interface SessionRecord {
  readonly line: number;
  readonly value: object;
}

/**
 * The records of a file: one per line, or the whole file if its first line only begins a JSON document.
 * @throws CtxError `session-unreadable`, `session-empty`, `session-format-unknown` for a file that is not JSON at all, and
 * `session-record-invalid` for a line that is not JSON unless reading is lenient
 */
export async function* recordsOf(path: string, findings: Findings): AsyncGenerator<SessionRecord> {
  if (isDatabase(path)) {
    yield { line: 1, value: await storedSession(path) };
    return;
  }
  let found = 0;
  let broken = 0;
  for await (const { line, text } of linesOf(path)) {
    const json = text?.trim();
    if (json === '') continue;
    const value = json === undefined ? undefined : parsed(json);
    if (typeof value === 'object' && value !== null) {
      found += 1;
      yield { line, value };
      continue;
    }
    if (json !== undefined && found + broken === 0 && /^[[{]/.test(json) && /[[{,]$/.test(json)) {
      yield { line: 1, value: await wholeDocument(path) };
      return;
    }
    broken += 1;
    if (!findings.lenient && found === 0 && json !== undefined && !/^[[{]/.test(json))
      throw notJson(`${path}:${line}`, json);
    findings.refuse({ line }, brokenLine(json));
  }
  if (found > 0) return;
  throw broken > 0 ? notJson(path) : emptyFile(path);
}

export interface Line {
  /** Counted from 1. */
  readonly line: number;
  /** Undefined for a line that is too long for a string. */
  readonly text: string | undefined;
}

/** Bytes that are read at once: few calls for a large file, and little memory for a small one. */
const chunkBytes = 1 << 18;
/** A byte that is in no other character of UTF-8. */
const lineFeed = 0x0a;

/**
 * The lines of a file, read as a stream. Lines end at line feeds only: `node:readline` also breaks at U+2028 and U+2029, which may be
 * unescaped in JSON.
 * @param maxBytes the longest line that gets a text
 * @throws CtxError `session-unreadable`
 */
export async function* linesOf(path: string, maxBytes = constants.MAX_STRING_LENGTH): AsyncGenerator<Line> {
  const file = await openRegular(path);
  let line = 0;
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const finish = (): Line => {
    const text = size <= maxBytes ? Buffer.concat(pieces).toString() : undefined;
    line += 1;
    pieces = [];
    size = 0;
    return { line, text };
  };
  try {
    for await (const chunk of file.createReadStream({ highWaterMark: chunkBytes, autoClose: false })) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        add(chunk.subarray(start, end));
        yield finish();
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    }
  } catch (error) {
    throw CtxError.isInstance(error) ? error : unreadable(path, error);
  } finally {
    await file.close();
  }
  if (size > 0) yield finish();
}

/** The value of a JSON text; undefined if it is not JSON, or no object or list. An error for each line would take long. */
function parsed(json: string): unknown {
  if (!/^[[{]/.test(json)) return undefined;
  try {
    return parseJson(json);
  } catch {
    return undefined;
  }
}

/** Why a line is not a record. */
function brokenLine(json: string | undefined): { readonly problem: string; readonly value?: string } {
  if (json === undefined) return { problem: 'The line is longer than a string can be' };
  const isValue = /^["\d-]|^(?:true|false|null)$/.test(json);
  const problem = isValue ? 'The line is not an object or a list' : 'The line is not complete JSON';
  return { problem, value: json.slice(0, 200) };
}

function notJson(place: string, json?: string): CtxError {
  return new CtxError({
    code: 'session-format-unknown',
    problem: 'The file is neither JSON nor JSON lines',
    place,
    ...(json !== undefined && { value: json.slice(0, 200) }),
    remedy: `Give a session of an agent (${agentNames}), or a conversation as the OpenAI or Anthropic API takes it.`,
  });
}

async function wholeDocument(path: string): Promise<object> {
  const text = await wholeText(path);
  try {
    return parseJson(text.replace(/^\uFEFF/, '')) as object;
  } catch (error) {
    const line = lineOf(String(error), text);
    throw new CtxError({
      code: 'session-record-invalid',
      problem: 'The JSON document is broken',
      place: line === undefined ? path : `${path}:${line}`,
      value: line === undefined ? text.slice(0, 200) : text.split('\n', line).at(-1)?.trim(),
      remedy: 'Repair the document; only JSON lines can be read past a broken record.',
      cause: error,
    });
  }
}

/** Read in one piece, so it must fit into a string, about 512 MB. */
async function wholeText(path: string): Promise<string> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    if (size <= constants.MAX_STRING_LENGTH) return await file.readFile('utf8');
    throw new CtxError({
      code: 'session-unreadable',
      problem: 'The JSON document is larger than a string can be',
      place: path,
      value: size,
      remedy: 'Write it as JSON lines, one message or conversation a line: these are read as a stream.',
    });
  } catch (error) {
    throw CtxError.isInstance(error) ? error : unreadable(path, error);
  } finally {
    await file.close();
  }
}

/** V8 names a syntax error's position, or shows the ten characters around it, or says that the end is missing. */
function lineOf(error: string, text: string): number | undefined {
  const linesUntil = (end: number) => text.slice(0, end).split('\n').length;
  const position = /at position (\d+)/.exec(error)?.[1];
  if (position !== undefined) return linesUntil(Number(position));
  const excerpt = /"([\s\S]+?)"(?:\.\.\.)? is not valid JSON$/.exec(error)?.[1] ?? '';
  const at = text.indexOf(excerpt);
  if (excerpt !== '' && at !== -1 && at === text.lastIndexOf(excerpt))
    return linesUntil(at + Math.ceil(excerpt.length / 2));
  return error.includes('Unexpected end') ? linesUntil(text.trimEnd().length) : undefined;
}
