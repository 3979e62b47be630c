import { CtxError } from '@ctx/core';
import {
  brokenLine,
  emptyFile,
  notJson,
  opensDocument,
  parsed,
  type SessionRecord,
} from './files/records.js';
import { sessionsFrom } from './read-session.js';
import type { ReadOptions, Session } from './session.js';
import { Findings } from './telling/findings.js';

/**
 * Reads every conversation of a file's text, where there is no file to open, as in a browser.
 * @param name of the file; errors and sessions without an id are called by it
 * @throws CtxError as `readSessions`, except `session-unreadable`
 */
export async function* readSessionText(
  text: string,
  name: string,
  options: ReadOptions = {},
): AsyncGenerator<Session> {
  const findings = new Findings(name, options.lenient ?? false);
  yield* sessionsFrom(recordsIn(text.replace(/^\uFEFF/, ''), name, findings), {
    ...options,
    path: name,
    name: name.replace(/\.[^.]*$/, ''),
    findings,
  });
}

async function* recordsIn(text: string, name: string, findings: Findings): AsyncGenerator<SessionRecord> {
  let [found, broken] = [0, 0];
  for (const [at, one] of text.split('\n').entries()) {
    const json = one.trim();
    if (json === '') continue;
    const value = parsed(json);
    if (typeof value === 'object' && value !== null) {
      found += 1;
      yield { line: at + 1, value };
    } else if (found + broken === 0 && opensDocument(json)) {
      yield { line: 1, value: document(text, name) };
      return;
    } else {
      broken += 1;
      if (!findings.lenient && found === 0 && !/^[[{]/.test(json)) throw notJson(`${name}:${at + 1}`, json);
      findings.refuse({ line: at + 1 }, brokenLine(json));
    }
  }
  if (found === 0) throw broken > 0 ? notJson(name) : emptyFile(name);
}

function document(text: string, name: string): object {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CtxError({
      code: 'session-record-invalid',
      problem: 'The JSON document is broken',
      place: name,
      value: text.slice(0, 200),
      remedy: 'Repair the document; only JSON lines can be read past a broken record.',
      cause,
    });
  }
}
