import { stat } from 'node:fs/promises';
import { entriesOf, memoryArchive } from '@ctx/archive';
import { type Message, type PassageSource, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { passagesOf } from '@ctx/recall';
import { followSession, type ReadOptions } from '@ctx/sessions';

const conversation = 'session';

/**
 * Reads the session file of an agent, which may grow while it is read: each call sees what the file holds by then. `#m1` is the first message of
 * the session. Calls to recall and what they brought are skipped, so that nothing is found twice.
 * @throws CtxError `session-unreadable`, `session-empty`, `session-format-unknown` or `session-record-invalid`, from `find` and `read`
 */
export function sessionSource(path: string, options: ReadOptions = {}): PassageSource {
  const session = new FollowedSession(path, { lenient: true, ...options });
  const source = passagesOf(session.archive, conversation);
  return {
    async find(query, about) {
      await session.update();
      return source.find(query, about);
    },
    async read(ref, about) {
      await session.update();
      return source.read(ref, about);
    },
  };
}

class FollowedSession {
  readonly archive = memoryArchive();
  readonly #follower;
  readonly #calls = new Map<string, ToolCallPart>();
  #known: readonly Message[] = [];
  #stamp = '';
  /** One update at a time. */
  #updating: Promise<void> = Promise.resolve();

  constructor(
    readonly path: string,
    options: ReadOptions,
  ) {
    this.#follower = followSession(path, options);
  }

  update(): Promise<void> {
    this.#updating = this.#updating.catch(() => {}).then(() => this.#read());
    return this.#updating;
  }

  async #read(): Promise<void> {
    const stamp = await stampOf(this.path);
    if (stamp !== undefined && stamp === this.#stamp) return;
    const { messages } = await this.#follower.read();
    const same = commonLength(this.#known, messages);
    // The newest message may have grown, and a session may have gone back to an earlier one.
    if (same < this.#known.length) await this.archive.forget(conversation, { from: `#m${same + 1}` });
    this.#known = messages.slice(0, same);
    for (const [at, message] of messages.slice(same).entries()) await this.#put(message, same + at + 1);
    this.#known = messages;
    this.#stamp = stamp ?? '';
  }

  async #put(message: Message, number: number): Promise<void> {
    for (const call of toolCallsOf(message)) this.#calls.set(call.toolCallId, call);
    const callOf = (id: string) => this.#calls.get(id);
    await this.archive.put(entriesOf({ conversation, number, message: withoutRecall(message), callOf }));
  }
}

/** Changes when the file does. */
async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    // The reader says what is wrong with it.
    return undefined;
  }
}

function commonLength(before: readonly Message[], now: readonly Message[]): number {
  const most = Math.min(before.length, now.length);
  let same = 0;
  while (same < most && isSame(before[same], now[same])) same += 1;
  return same;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The tool under the names that agents give to tools of a server: `recall`, `mcp__ctx__recall`. */
const recallTools = /(?:^|[^a-z0-9])recall$/i;

function withoutRecall(message: Message): Message {
  if (typeof message.content === 'string') return message;
  const content = message.content.filter(
    (part) => !(part.type === 'tool-call' || part.type === 'tool-result') || !recallTools.test(part.toolName),
  );
  return { ...message, content } as Message;
}
