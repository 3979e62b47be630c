import { endOf, messageText, startOf } from '@ctx/core/light';
import { messagesOf, type Row } from './rows.js';

/** Characters of all that is found; a larger result would be cut again. */
const mostCharacters = 20_000;
/** Characters of a passage, before and after the words. */
const [before, after] = [400, 1_200];
/** More is no answer but a search; a limit. */
const mostPassages = 5;

/** Messages verbatim, by their handles (`#m12`, `#m3-#m9`), or the newest passages in which all words are. Says so if there is nothing. */
export function recall(rows: readonly Row[], query: string): string {
  const { messages } = messagesOf(rows);
  const [, from, to = from] = /#m([1-9]\d*)(?:\s*[-–]\s*#?m?(\d+))?/.exec(query) ?? [];
  if (from !== undefined) {
    const found = messages.slice(Number(from) - 1, Number(to)).map((message, at) => {
      const calls =
        typeof message.content === 'string' ? [] : message.content.filter(({ type }) => type === 'tool-call');
      const said = [messageText(message), ...calls.map((call) => JSON.stringify(call))]
        .filter(Boolean)
        .join('\n');
      return `#m${Number(from) + at} ${message.role}:\n${said}`;
    });
    if (found.length === 0) return `There is no message #m${from}.`;
    const text = found.join('\n\n');
    if (text.length <= mostCharacters) return text;
    const start = startOf(text, mostCharacters);
    return `${start}…\n[${text.length - start.length} characters more; ask for fewer messages]`;
  }
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word.length > 1);
  if (words.length === 0) return 'Give a handle such as #m12, or some words.';
  const passages: string[] = [];
  for (let at = messages.length - 1; at >= 0 && passages.length < mostPassages; at -= 1) {
    const message = messages[at] as (typeof messages)[number];
    const text = messageText(message);
    const low = text.toLowerCase();
    if (!words.every((word) => low.includes(word))) continue;
    // Around the rarest word.
    const [rarest = ''] = [...words].sort((a, b) => low.split(a).length - low.split(b).length);
    const place = low.indexOf(rarest);
    const head = endOf(text.slice(0, place), before);
    const tail = startOf(text.slice(place), after);
    const [start, end] = [place > head.length ? '…' : '', text.length > place + tail.length ? '…' : ''];
    passages.push(`#m${at + 1} ${message.role}:\n${start}${head}${tail}${end}`);
  }
  return passages.length === 0 ? `Nothing was said with all of: ${words.join(', ')}.` : passages.join('\n\n');
}
