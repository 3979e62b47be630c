import { type Message, messageText, partsOf } from '@ctx/core';

/** The remainder of each message, if there is one: the same object, a message with its call or text, or one that begins like it. */
export function matchesOf(
  prefix: readonly Message[],
  compressed: readonly Message[],
  fresh: readonly Message[],
): (Message | undefined)[] {
  const kept = new Set(compressed);
  const byKey = new Map<string, Message[]>();
  for (const message of fresh)
    for (const key of [...callKeysOf(message), ...textKeysOf(message)])
      byKey.set(key, [...(byKey.get(key) ?? []), message]);
  const used = new Set<Message>();
  const use = (message: Message | undefined) => {
    if (message !== undefined) used.add(message);
    return message;
  };
  const unused = (key: string) => byKey.get(key)?.find((one) => !used.has(one));
  const first = (keys: readonly string[], find: (key: string) => Message | undefined) =>
    keys.map(find).find((one) => one !== undefined);
  const matches = prefix.map((message) => {
    if (kept.has(message)) return message;
    const calls = callKeysOf(message);
    // Results of several messages may have become one message.
    const joined = (key: string) => byKey.get(key)?.at(-1);
    return use(first([...calls, ...textKeysOf(message)], unused) ?? first(calls, joined));
  });
  return matches.map((match, index) => {
    const message = prefix[index] as Message;
    return match ?? use(fresh.find((one) => !used.has(one) && beginsLike(one, message)));
  });
}

/** The calls that a message makes or answers. */
function callKeysOf(message: Message): string[] {
  return partsOf(message).flatMap((part) =>
    part.type === 'tool-call' || part.type === 'tool-result' ? [`${message.role} ${part.toolCallId}`] : [],
  );
}

/** Its text; its calls may be gone. */
function textKeysOf(message: Message): string[] {
  const text = message.role === 'tool' ? '' : messageText(message);
  return text === '' ? [] : [`${message.role} says ${text}`];
}

/** In characters: what a message and its remainder begin with alike. With fewer, messages begin alike by chance; with more, messages that were cut would be missed. */
export const headLength = 24;

function beginsLike(one: Message, original: Message): boolean {
  if (one.role !== original.role || one.role === 'tool' || one.summary === true) return false;
  const [text, before] = [messageText(one), messageText(original)];
  return text.length >= headLength && text.slice(0, headLength) === before.slice(0, headLength);
}
