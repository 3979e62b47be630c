import { parse } from 'node:path';
import { CtxError } from '@ctx/core';
import { agentOf } from '../agents.js';
import { recorderOf } from '../formats.js';
import { readSession } from '../read-session.js';
import type { Reading, Recorder } from '../reader.js';
import type { ReadOptions, Session, SessionFormat } from '../session.js';
import { Findings } from '../telling/findings.js';
import { sessionFrom } from '../telling/told.js';
import { linesOf } from './lines.js';
import { brokenLine, parsed, recordsOf } from './records.js';
import { openRegular, regularStat, unreadable } from './regular-file.js';

/** Reads a session again and again while an agent writes it. */
export interface SessionFollower {
  /**
   * The session so far, as `readSession` gives it. Of a file of lines only what is new is read; a last line that is not complete is left
   * for the next time. A file that was replaced is read from its start.
   * @throws CtxError as `readSession`
   */
  read(): Promise<Session>;
}

/** Formats that are only ever appended to, line by line. */
const appended: ReadonlySet<SessionFormat | undefined> = new Set([
  'claude-code',
  'codex',
  'copilot',
  'gemini',
  'pi',
  'qwen',
]);

/** Follows the session of a file that grows. Nothing is read before the first `read()`, and nothing stays open after it. */
export function followSession(path: string, options: ReadOptions = {}): SessionFollower {
  let tail: Tail | undefined;
  return {
    read: async () => {
      if (tail !== undefined && !(await tail.isContinued())) tail = undefined;
      const format = tail?.format ?? (await formatOf(path, options));
      if (format === undefined) await refuseBeginning(path);
      if (!appended.has(format)) return readSession(path, options);
      tail ??= new Tail(path, format as SessionFormat, options);
      try {
        return await tail.read();
      } catch (error) {
        tail = undefined;
        throw error;
      }
    },
  };
}

/** The format if it can be read line by line: a document is read whole. */
async function formatOf(path: string, { format }: ReadOptions): Promise<SessionFormat | undefined> {
  const records = recordsOf(path, new Findings(path, true));
  try {
    for await (const { value } of records) {
      if ('messages' in value || Array.isArray(value)) return undefined;
      const found = format ?? agentOf(value);
      if (found !== undefined) return found;
    }
    return undefined;
  } catch {
    return undefined;
  } finally {
    await records.return(undefined);
  }
}

/** A file whose first line is still being written holds nothing yet. */
async function refuseBeginning(path: string): Promise<void> {
  for await (const { text = '', isEnded } of linesOf(path)) {
    if (isEnded || !/^\uFEFF?\s*[[{]/.test(text) || parsed(text.trim()) !== undefined) return;
    throw new CtxError({
      code: 'session-empty',
      problem: 'The file holds no complete line yet',
      place: path,
      remedy: 'Read it again when more is written.',
    });
  }
}

/** Bytes at the beginning and at the end of what was read: if others are there, the file is another. */
const fingerprintBytes = 256;

class Tail {
  readonly #reading: Reading;
  readonly #recorder: Recorder;
  #offset = 0;
  #line = 1;
  #inode: number | undefined;
  #fingerprint: Buffer = Buffer.alloc(0);

  constructor(
    readonly path: string,
    readonly format: SessionFormat,
    { lenient = false, from = 'start' }: ReadOptions,
  ) {
    const start = recorderOf(format) as NonNullable<ReturnType<typeof recorderOf>>;
    this.#reading = { name: parse(path).name, findings: new Findings(path, lenient), from };
    this.#recorder = start(this.#reading);
  }

  /** False if the file is shorter than what was read of it, or another. */
  async isContinued(): Promise<boolean> {
    const { size, ino } = await regularStat(this.path);
    if (size < this.#offset || ino !== this.#inode) return false;
    return this.#fingerprint.equals(await this.#ends());
  }

  async read(): Promise<Session> {
    const { findings } = this.#reading;
    this.#inode = (await regularStat(this.path)).ino;
    for await (const { line, text, end, isEnded } of linesOf(this.path, {
      start: this.#offset,
      line: this.#line,
    })) {
      const json = text?.trim();
      const value = json === undefined ? undefined : parsed(json);
      const isRecord = typeof value === 'object' && value !== null;
      if (!isEnded && !isRecord) break;
      if (isRecord) this.#recorder.add({ line, value });
      else if (json !== '') findings.refuse({ line }, brokenLine(json));
      this.#offset = end;
      this.#line = isEnded ? line + 1 : line;
    }
    this.#fingerprint = await this.#ends();
    return findings.aside(() => sessionFrom(this.#recorder.told(), this.#reading));
  }

  /** The first and the last bytes of what was read. */
  async #ends(): Promise<Buffer> {
    const length = Math.min(fingerprintBytes, this.#offset);
    const file = await openRegular(this.path);
    try {
      const bytes = Buffer.alloc(2 * length);
      await file.read(bytes, 0, length, 0);
      await file.read(bytes, length, length, this.#offset - length);
      return bytes;
    } catch (error) {
      throw unreadable(this.path, error);
    } finally {
      await file.close();
    }
  }
}
