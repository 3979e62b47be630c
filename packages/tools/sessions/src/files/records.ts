import { constants } from 'node:buffer';
import { CtxError } from '@ctx/core';
import { parseJson } from '@ctx/core/codec';
import { isDatabase, storedSession } from '../opencode/database.js';
import type { Findings, Refusal } from '../telling/findings.js';
import { linesOf } from './lines.js';
import { openRegular, unreadable } from './regular-file.js';

const agentNames =
  'Claude Code, Cline, Codex, Continue, Copilot CLI, Gemini CLI, OpenCode, pi, Qwen Code, Roo Code';

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
    if (json !== undefined && found + broken === 0 && opensDocument(json)) {
      yield { line: 1, value: await wholeDocument(path) };
      return;
    }
    broken += 1;
    if (!findings.lenient && found === 0 && json !== undefined && !/^[[{]/.test(json)) {
      throw notJson(`${path}:${line}`, json);
    }
    findings.refuse({ line }, brokenLine(json));
  }
  if (found === 0) throw broken > 0 ? notJson(path) : emptyFile(path);
}

function emptyFile(place: string): CtxError {
  return new CtxError({
    code: 'session-empty',
    problem: 'The file is empty',
    place,
    remedy: 'Give a file with at least one message.',
  });
}

/** The value of a JSON text; undefined if it is not JSON, or no object or list. An error for each line would take long. */
export function parsed(json: string): unknown {
  if (!/^[[{]/.test(json)) return undefined;
  try {
    return parseJson(json);
  } catch {
    return undefined;
  }
}

/** Whether a line begins a document of several lines. */
function opensDocument(json: string): boolean {
  return /^[[{]/.test(json) && /[[{,]$/.test(json);
}

/** Why a line is not a record. */
export function brokenLine(json: string | undefined): Refusal {
  if (json === undefined) return { problem: 'The line is longer than a string can be' };
  const value = json.slice(0, 200);
  if (/^["\d-]|^(?:true|false|null)$/.test(json))
    return { problem: 'The line is not an object or a list', value };
  return { problem: 'The line is not complete JSON', value };
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
  const position = /at position (\d+)/.exec(error)?.[1];
  const excerpt = /"([\s\S]+?)"(?:\.\.\.)? is not valid JSON$/.exec(error)?.[1] ?? '';
  const at = text.indexOf(excerpt);
  const isUnique = excerpt !== '' && at !== -1 && at === text.lastIndexOf(excerpt);
  if (position !== undefined) return linesBefore(text, Number(position));
  if (isUnique) return linesBefore(text, at + Math.ceil(excerpt.length / 2));
  return error.includes('Unexpected end') ? linesBefore(text.trimEnd(), text.length) : undefined;
}

function linesBefore(text: string, end: number): number {
  return text.slice(0, end).split('\n').length;
}
