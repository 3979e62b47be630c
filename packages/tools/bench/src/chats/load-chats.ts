import { createReadStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Chat } from './chat.js';
import { locomoChat } from './locomo.js';
import { qmsumChat } from './qmsum.js';

/**
 * The chats of a file in the form of QMSum or LoCoMo: one JSON document with a chat or a list of chats, or a chat on each line. Empty if
 * the file has another form, such as that of an agent's session.
 */
export async function loadChats(path: string): Promise<Chat[]> {
  const name = basename(path).replace(/\.jsonl?$/, '');
  const values = path.endsWith('.jsonl') ? await valuesOfLines(path) : parsed(readFileSync(path, 'utf8'));
  const list: readonly unknown[] = Array.isArray(values) ? values : [values];
  return list.flatMap((value, index) => {
    const chat = chatIn(value, list.length === 1 ? name : `${name}-${index + 1}`);
    return chat === undefined ? [] : [chat];
  });
}

function chatIn(value: unknown, id: string): Chat | undefined {
  return qmsumChat(value, id) ?? locomoChat(value, id);
}

/** Reads on only if the first line is a chat: a session of an agent may be long. */
async function valuesOfLines(path: string): Promise<unknown[]> {
  const values: unknown[] = [];
  const input = createReadStream(path);
  for await (const line of createInterface({ input })) {
    const value = parsed(line);
    if (values.length === 0 && chatIn(value, '') === undefined) break;
    values.push(value);
  }
  input.destroy();
  return values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
