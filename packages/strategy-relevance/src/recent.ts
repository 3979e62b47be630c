import {
  type Exchange,
  type Part,
  type PlanContext,
  partsOf,
  partText,
  type ToolCallPart,
  type ViewMessage,
} from '@ctx/core';

/** What stays of the newest exchanges. */
export interface Recent {
  /** As they are. */
  readonly whole: ReadonlySet<Exchange>;
  /** They stay, but are too large: their texts are shortened. */
  readonly cut: ReadonlySet<Exchange>;
  /** For all of `cut`. */
  readonly cutTokens: number;
}

/**
 * The newest exchanges that fit into a room, and in any case those that the model has not read, or else the newest one, and as many messages
 * as must stay; these are shortened where they do not fit.
 * @param exchanges in order; those that must stay, which are pinned, come last
 * @param room tokens
 */
export function recentExchanges(
  exchanges: readonly Exchange[],
  { view, minMessagesToKeep }: Pick<PlanContext, 'view' | 'minMessagesToKeep'>,
  room: number,
): Recent {
  const newestFirst = [...exchanges].reverse();
  const leaving = exchanges.filter(({ pinned }) => !pinned).flatMap((exchange) => exchange.messages);
  // What stays in any case, and the excerpt, which is a message too.
  let messages = view.length - leaving.length + 1;
  const must = exchanges.filter(({ pinned }) => pinned);
  for (const exchange of newestFirst.slice(must.length)) {
    if (must.length > 0 && messages >= minMessagesToKeep) break;
    must.push(exchange);
    messages += exchange.messages.length;
  }
  const whole = new Set<Exchange>();
  const cut = new Set<Exchange>();
  let left = room;
  for (const exchange of must.toSorted((a, b) => a.tokens - b.tokens)) {
    if (exchange.tokens > left / (must.length - whole.size)) cut.add(exchange);
    else {
      whole.add(exchange);
      left -= exchange.tokens;
    }
  }
  if (cut.size > 0) return { whole, cut, cutTokens: Math.max(0, left) };
  for (const exchange of newestFirst.slice(must.length)) {
    if (exchange.tokens > left) break;
    whole.add(exchange);
    left -= exchange.tokens;
  }
  return { whole, cut, cutTokens: 0 };
}

/** A text that can be shortened in its place. */
export interface CutPart {
  readonly message: string;
  readonly part: number;
  /** What was said. */
  readonly text: string;
  /** What the view has of it, which may have been shortened before. */
  readonly shown: string;
  readonly role: ViewMessage['message']['role'];
}

/** The texts and results of messages, in order; none of one that has to stay as it is. */
export function cutPartsOf(messages: readonly ViewMessage[], context: PlanContext): CutPart[] {
  return messages
    .filter(({ message, verbatim }) => !verbatim && message.role !== 'system')
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ id, message }) =>
      partsOf(message).flatMap((one, part) => {
        const shown = partText(one);
        if (shown === undefined || shown === '') return [];
        const said = cutMark.test(shown) ? partText(originalOf(one, id, part, context)) : undefined;
        return [{ message: id, part, text: said ?? shown, shown, role: message.role }];
      }),
    );
}

/** The arguments of a call, as they were before they were shortened. */
export function inputOf(call: ToolCallPart, id: string, part: number, context: PlanContext): unknown {
  if (!(JSON.stringify(call.input) ?? '').includes(' left out')) return call.input;
  const original = originalOf(call, id, part, context);
  return original?.type === 'tool-call' ? original.input : call.input;
}

const cutMark = /\[… (?:\d+ lines left out|blank) …\]$/;

/** What is shortened twice is shortened from what was said both times: then the second time it gets no shorter for nothing. */
function originalOf(one: Part, id: string, part: number, { transcript }: PlanContext): Part | undefined {
  const message = transcript.find((said) => said.id === id)?.message;
  const original = message && partsOf(message)[part];
  return original?.type === one.type ? original : undefined;
}
