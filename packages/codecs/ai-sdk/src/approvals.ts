import { type Message, partsOf } from '@ctx/core';
import { type Fields, isFields } from '@ctx/core/codec';
import type { Calls } from './part-of.js';

/** What an assistant message calls and asks approval for, and which of its calls a tool message has answered. */
interface Asked {
  readonly calls: readonly { readonly id: string; readonly isProviders: boolean }[];
  /** The call that each approval is for. Prompts do not contain the requests. */
  readonly requests: ReadonlyMap<string, string>;
  /** Calls whose result is in the assistant message itself or is known already. */
  readonly answered: ReadonlySet<string>;
}

/**
 * Finds out how the calls of an assistant message are answered by the tool messages after it. An approval answers a call itself where no
 * result does; one with a result is only what the SDK needed before it ran the tool.
 * @param isOpen whether tool messages may still come, because nothing else has come since
 */
export function answersTo(asked: Asked, run: readonly unknown[], isOpen: boolean): Omit<Calls, 'nameOf'> {
  const parts = run.flatMap((message) => listOf(message));
  const results = new Set(
    parts.flatMap((part) => (part.type === 'tool-result' ? [String(part.toolCallId)] : [])),
  );
  const isUnanswered = (id: string) => !results.has(id) && !asked.answered.has(id);
  const waiting = asked.calls
    .filter(({ id }) => isUnanswered(id))
    .sort((a, b) => Number(b.isProviders) - Number(a.isProviders));
  const linked = new Map<string, string>();
  for (const part of parts) {
    if (part.type !== 'tool-approval-response' || linked.has(String(part.approvalId))) continue;
    const approvalId = String(part.approvalId);
    const requested = asked.requests.get(approvalId);
    const call = requested ?? waiting.find(({ id }) => ![...linked.values()].includes(id))?.id ?? approvalId;
    linked.set(approvalId, call);
  }
  const approved = new Set([...linked.values()].filter(isUnanswered));
  const expected = new Set(isOpen ? [...asked.requests.values()].filter(isUnanswered) : []);
  const first = new Map([...linked].reverse().map(([approvalId, id]) => [id, approvalId]));
  return {
    isAnswered: (id) => results.has(id) || approved.has(id) || expected.has(id),
    approvedBy: (approvalId) => {
      const id = linked.get(approvalId);
      return id !== undefined && approved.has(id) && first.get(id) === approvalId ? id : undefined;
    },
  };
}

/** By its native form. */
export function askedBy(message: unknown): Asked {
  const parts = listOf(message);
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: String(part.toolCallId), isProviders: part.providerExecuted === true }]
      : [],
  );
  const answered = parts.flatMap((part) => (part.type === 'tool-result' ? [String(part.toolCallId)] : []));
  return { calls, requests: requestsIn(parts), answered: new Set(answered) };
}

/** By the messages that were read before. */
export function askedBefore(after: readonly Message[]): Asked {
  const at = after.findLastIndex(({ role }) => role === 'assistant');
  const parts = at < 0 ? [] : partsOf(after[at] as Message);
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, isProviders: false }] : [],
  );
  const answered = after
    .slice(at + 1)
    .flatMap((message) =>
      partsOf(message).flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
    );
  const opaque = parts.flatMap((part) =>
    part.type === 'opaque' && isFields(part.value) ? [part.value] : [],
  );
  return { calls, requests: requestsIn(opaque), answered: new Set(answered) };
}

function requestsIn(parts: readonly Fields[]): Map<string, string> {
  const requests = parts.filter(({ type }) => type === 'tool-approval-request');
  return new Map(requests.map((part) => [String(part.approvalId), String(part.toolCallId)]));
}

function listOf(message: unknown): Fields[] {
  const content = isFields(message) ? message.content : undefined;
  return Array.isArray(content) ? content.filter(isFields) : [];
}
