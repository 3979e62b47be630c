import type { Outcome } from './outcome.js';
import type { Reading } from './reading.js';

/** A fact of a conversation, with the position of its message, counted from 0. */
export interface Fact {
  readonly text: string;
  readonly at: number;
}

interface ErrorFact extends Fact {
  /** Whether a later call of the same tool for the same thing succeeded. */
  readonly resolved: boolean;
}

/** What can be found in a conversation without understanding it. */
export interface ConversationFacts {
  /** Paths, each once, with its newest write or read. */
  readonly filesWritten: readonly Fact[];
  readonly filesRead: readonly Fact[];
  /** Commands, each once, with its newest run. */
  readonly commands: readonly (Fact & { readonly ok: boolean })[];
  readonly errors: readonly ErrorFact[];
  /** The open points of the newest list. */
  readonly todos: readonly Fact[];
}

/** Gathers the facts of a conversation in one pass over its calls and results. */
export function gatherFacts(
  outcomes: readonly { readonly outcome: Outcome; readonly at: number }[],
  readings: readonly Reading[],
): ConversationFacts {
  const written = new Map<string, Fact>();
  const read = new Map<string, Fact>();
  const commands = new Map<string, Fact & { readonly ok: boolean }>();
  const errors = new Map<string, ErrorFact>();
  for (const { outcome, at } of outcomes) {
    const { about, error, command } = outcome;
    if (error !== undefined) newest(errors, about, { text: error, at, resolved: false });
    else if (errors.has(about)) errors.set(about, { ...(errors.get(about) as ErrorFact), resolved: true });
    if (command !== undefined) newest(commands, command, { text: command, at, ok: error === undefined });
    if (error !== undefined) continue;
    for (const path of outcome.written) newest(written, path, { text: path, at });
    for (const path of outcome.read) newest(read, path, { text: path, at });
  }
  return {
    filesWritten: [...written.values()],
    filesRead: [...read.values()],
    commands: [...commands.values()],
    errors: [...errors.values()],
    todos: todosOf(readings),
  };
}

function newest<Value>(facts: Map<string, Value>, key: string, value: Value): void {
  facts.delete(key);
  facts.set(key, value);
}

function todosOf(readings: readonly Reading[]): Fact[] {
  for (let at = readings.length - 1; at >= 0; at -= 1) {
    const points = readings[at]?.openPoints;
    if (points !== undefined) return points.map((text) => ({ text, at }));
  }
  return [];
}
