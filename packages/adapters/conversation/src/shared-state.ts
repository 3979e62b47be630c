import type { ContextManager, ManagerOptions, Message, Steps, slicer } from '@ctx/core';
import { isClosing, parseJson, stringifyJson } from '@ctx/core/codec';
import { restoreInSteps } from '@ctx/presets';
import type { Asked } from './asked-request.js';
import { commonLength } from './prefix-hashes.js';
import { seal, unseal } from './seal.js';
import type { StateStore } from './store.js';

type Hashes = Pick<Asked<unknown>, 'hashes'>;

/** Lines of a conversation that are kept. One that nobody went on with for longer than the others is compressed again if somebody does. */
const mostLines = 8;
/** Characters of all lines: each request reads them. The newest is kept, however long it is. */
const longestLines = 1024 * 1024;

/**
 * The part of a conversation that several processes have in common, and what this one knows of it. All lines of a conversation, which are the
 * forks of one beginning, are kept in one value: a history is continued from the state with the longest beginning of it.
 */
export class SharedState {
  #version = 0;
  #lines: readonly KeptLine[] = [];
  /** The state that this line was continued from or that it has stored last. */
  #id: string | undefined;
  /** The records and excerpts that this state has. */
  #records = '';

  constructor(
    readonly store: StateStore,
    /** Of the beginning that all lines have in common. */
    readonly key: string,
    /** Seals the state; only those have it who know the conversation and its credentials. */
    readonly secret: string,
    readonly inSlices: ReturnType<typeof slicer>,
  ) {}

  /**
   * The same for a line that departs from this one.
   * @param from what this line has said
   */
  fork(from: Hashes, { hashes }: Hashes): SharedState {
    const fork = new SharedState(this.store, this.key, this.secret, this.inSlices);
    fork.#version = this.#version;
    fork.#lines = this.#lines;
    fork.#records = this.#records;
    fork.#id = this.#longest({ hashes: hashes.slice(0, commonLength(from.hashes, hashes)) })?.id;
    return fork;
  }

  /**
   * The line from which the history goes on, if another process has left one that this one does not know. Throws what the store throws.
   * @param optionsFor the options of the manager of a line, by its key
   */
  async newer(
    history: Pick<Asked<unknown>, 'messages' | 'hashes'>,
    optionsFor: (key: string) => ManagerOptions,
  ): Promise<{ readonly manager: ContextManager; readonly key: string } | undefined> {
    const stored = await this.store.get(this.key);
    if (stored === undefined) return undefined;
    if (stored.version !== this.#version) {
      this.#version = stored.version;
      this.#lines = [];
      const lines = parseJson(await unseal(stored.value, this.secret)) as readonly KeptLine[];
      // What an earlier version has stored is lost.
      this.#lines = lines.filter((line) => line?.form === form);
    }
    const line = this.#longest(history);
    if (line === undefined || line.id === this.#id) return undefined;
    this.#id = line.id;
    const manager = await this.inSlices(managerOf(line, history.messages, optionsFor(line.key)));
    if (manager === undefined) return undefined;
    this.#records = recordsOf(manager);
    return { manager, key: line.key };
  }

  /** Stores the records of a manager, if they are others than before. False if another process has stored some since. */
  async save(manager: ContextManager, key: string, { hashes }: Hashes): Promise<boolean> {
    const records = recordsOf(manager);
    const isKept = records === this.#records && this.#lines.some(({ id }) => id === this.#id);
    if (isKept || records === '') return true;
    const line = keptLine(manager, key, hashes);
    const lines = [...this.#besides({ hashes }), line];
    const value = await seal(stringifyJson(lines), this.secret);
    if (!(await this.store.put(this.key, value, this.#version + 1))) return false;
    this.#version += 1;
    this.#lines = lines;
    this.#id = line.id;
    this.#records = records;
    return true;
  }

  #longest({ hashes }: Hashes): KeptLine | undefined {
    const fitting = this.#lines.filter((line) => goesOn(line, hashes));
    const longest = Math.max(...fitting.map(({ said }) => said));
    return fitting.findLast(({ said }) => said === longest);
  }

  /** The lines that stay beside a new one, oldest first. Of those that it goes on from, only the last: a fork may depart there. */
  #besides(history: Hashes): readonly KeptLine[] {
    const before = this.#longest(history);
    const others = this.#lines.filter((line) => line === before || !goesOn(line, history.hashes));
    let left = longestLines;
    const kept: KeptLine[] = [];
    for (const line of others.slice(1 - mostLines).reverse()) {
      left -= JSON.stringify(line).length;
      if (left >= 0) kept.unshift(line);
    }
    return kept;
  }
}

/** Its compressions, and the messages that are sent as excerpts because they were too large when they arrived. */
function recordsOf({ history, transcript }: ContextManager): string {
  const records = history.map(({ id, createdAt }) => `${id} ${createdAt}`);
  return [...records, ...transcript.flatMap(({ id, excerpt }) => (excerpt === undefined ? [] : id))].join();
}

/** Changes with the form of a line or of a snapshot. */
const form = 3;

/** What is kept of one line of a conversation: a fork is a line of its own. */
interface KeptLine {
  readonly form: typeof form;
  /** Of this state of the line; random. */
  readonly id: string;
  /** The key of the line, by which its archive knows it. */
  readonly key: string;
  /** What the history was when the state was made: how many messages apart from system prompts, and their hash. */
  readonly said: number;
  readonly hash: number;
  /** Of a message that the history has, its id; of one that core added, all of it. */
  readonly messages: readonly (string | { readonly id: string; readonly message: Message })[];
  /** A snapshot without its messages. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/**
 * The state of a manager without the messages of the history that it last took.
 * @param hashes those of the history
 */
function keptLine(manager: ContextManager, key: string, hashes: readonly number[]): KeptLine {
  const { messages: _messages, meter, ...rest } = manager.snapshot();
  const { tools: _tools, ...measured } = meter ?? {};
  return {
    form,
    id: crypto.randomUUID(),
    key,
    said: hashes.length,
    hash: hashes.at(-1) ?? 0,
    messages: manager.transcript.map(({ id, message }) => (isClosing(message) ? { id, message } : id)),
    rest: { ...rest, meter: measured },
  };
}

/** True if a history goes on from the state. */
const goesOn = ({ said, hash }: KeptLine, hashes: readonly number[]) => hashes[said - 1] === hash;

/**
 * The manager of a state, for a history that goes on from it; `undefined` if it can't.
 * @throws CtxError `snapshot-invalid`
 */
function* managerOf(
  { messages: kept, rest }: KeptLine,
  history: readonly Message[],
  options: ManagerOptions,
): Steps<ContextManager | undefined> {
  let at = -1;
  const messages = kept.map((one) => {
    if (typeof one !== 'string') return one;
    at += 1;
    return { id: one, message: history[at] };
  });
  // It had more system prompts.
  if (at >= history.length) return undefined;
  return yield* restoreInSteps({ ...rest, messages }, options);
}
