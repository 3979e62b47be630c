import { type Answer, Dialogue, placedOf } from '../conversation/dialogue.js';
import type { Findings, Place } from '../conversation/findings.js';
import type { FileContent, Placed } from '../conversation/session-of.js';
import { type Fields, isFields, known, listIn, type Names, nameIn, stringsIn, usageIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';

/** What OpenCode sends before a summary, as if the user had asked for it. */
const question = 'What did we do so far?';

interface Request {
  readonly position: number;
  readonly place: Place;
  readonly part: Fields;
}

/** What `opencode export` prints: a session with its messages, each a list of parts. */
export class Opencode {
  readonly #dialogue: Dialogue;
  #info: Fields = {};
  #isRead = false;
  #names: Names = {};
  /** The compactions that were asked for, by the id of the message that did. */
  readonly #requests = new Map<string, Request>();
  /** Where each message begins. */
  readonly #starts = new Map<string, number>();

  constructor(readonly findings: Findings) {
    this.#dialogue = new Dialogue(findings);
  }

  add({ line, value }: SessionRecord): void {
    if (this.#isRead) {
      const remedy = 'Give each session a file of its own.';
      this.findings.refuse({ line }, { problem: 'The file holds a second document', remedy });
      return;
    }
    const { info, messages } = value as Fields;
    if (!isFields(info) || !Array.isArray(messages)) {
      const problem = 'The record is not an exported session with messages';
      this.findings.refuse({ line }, { problem, value });
      return;
    }
    this.#isRead = true;
    this.#info = info;
    for (const [index, message] of messages.entries())
      this.#message({ line, path: `messages[${index}]` }, message);
  }

  content(): FileContent {
    return { id: nameIn(this.#info, 'id'), ...this.#names, ...this.#dialogue.content() };
  }

  #message(place: Place, message: unknown): void {
    const { info, parts } = isFields(message) ? message : {};
    if (!isFields(info) || !Array.isArray(parts)) {
      const problem = 'The message has no info or no parts';
      this.findings.refuse(place, { problem, value: message });
      return;
    }
    const id = nameIn(info, 'id');
    if (id !== undefined) this.#starts.set(id, this.#dialogue.position);
    const list = listIn(parts);
    if (info.role === 'user') this.#ask(place, info, list);
    else if (info.role !== 'assistant') {
      this.findings.refuse(place, {
        problem: 'The role of the message is not known',
        value: info.role,
      });
    } else if (info.summary === true) this.#compact(place, info, list);
    else for (const step of stepsIn(list)) this.#step(place, info, step);
  }

  #ask(place: Place, info: Fields, parts: readonly Fields[]): void {
    const part = parts.find(({ type }) => type === 'compaction');
    const content = partsFrom(parts);
    this.#leaveOut(parts);
    if (part !== undefined) {
      this.#requests.set(String(info.id), { position: this.#dialogue.position, place, part });
      if (content.length === 0) return;
    }
    this.#dialogue.say(place, { role: 'user', content, time: timeIn(info) });
  }

  /** One request to the model, with the results of its calls. */
  #step(place: Place, info: Fields, parts: readonly Fields[]): void {
    const { findings } = this;
    this.#leaveOut(parts);
    const time = timeIn(info);
    const names = known({ model: nameIn(info, 'modelID'), provider: nameIn(info, 'providerID') });
    this.#names = { ...this.#names, ...names };
    const content = partsFrom(parts);
    if (content.length === 0) {
      findings.skip(place, 'The response has no content');
      return;
    }
    this.#dialogue.say(place, { role: 'assistant', content, time }, usageOf(info, parts, this.#names));
    for (const part of parts.filter(({ type }) => type === 'tool')) {
      const answer = outputIn(part);
      if (answer !== undefined) this.#dialogue.answer(place, answer);
    }
  }

  /** The answer to a message that asks for a compaction is the summary. */
  #compact(place: Place, info: Fields, parts: readonly Fields[]): void {
    const request = this.#requests.get(String(info.parentID));
    const texts = parts.filter(({ type }) => type === 'text');
    const summary = stringsIn(texts, 'text').join('\n');
    if (request === undefined || summary === '') {
      this.findings.leaveOut('compaction-without-summary');
      return;
    }
    const time = timeIn(info);
    const replacement: Placed[] = [
      placedOf(request.place, { role: 'user', content: question, time }),
      placedOf(place, { role: 'assistant', content: summary, time, summary: true }),
    ];
    const { auto, tail_start_id: tail } = request.part;
    const start = typeof tail === 'string' ? this.#starts.get(tail) : undefined;
    const kept = start === undefined ? [] : this.#dialogue.from(start, request.position);
    this.#dialogue.cut(
      {
        place: request.place,
        position: request.position,
        summary,
        trigger: typeof auto === 'boolean' ? (auto ? 'auto' : 'manual') : undefined,
      },
      [...replacement, ...kept],
    );
  }

  #leaveOut(parts: readonly Fields[]): void {
    for (const part of parts) if (!isSent(part)) this.findings.leaveOut(String(part.type));
  }
}

function timeIn({ time }: Fields): unknown {
  return isFields(time) ? time.created : undefined;
}

/** Types of parts that go to the model. */
const sentTypes: ReadonlySet<unknown> = new Set(['text', 'reasoning', 'tool', 'file', 'compaction']);

/** False for a part about the session, such as a snapshot of the files, and for a text that the model never gets. */
function isSent({ type, ignored }: Fields): boolean {
  return sentTypes.has(type) && ignored !== true;
}

/** The parts of each request: usually a message is one, but each `step-start` begins one. */
function stepsIn(parts: readonly Fields[]): Fields[][] {
  const steps: Fields[][] = [];
  for (const part of parts) {
    const last = steps.at(-1);
    if (last === undefined || (part.type === 'step-start' && last.some(isSent))) steps.push([part]);
    else last.push(part);
  }
  return steps;
}

/** The parts as those of a message. */
function partsFrom(parts: readonly Fields[]): unknown[] {
  return parts.filter(isSent).flatMap((part): unknown[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part.text === '' ? [] : [{ type: part.type, text: part.text }];
      case 'tool':
        return [
          {
            type: 'tool-call',
            toolCallId: part.callID,
            toolName: part.tool,
            input: stateOf(part).input ?? {},
          },
        ];
      case 'file':
        return [mediaPart(part)];
      default:
        return [];
    }
  });
}

/** The result of a call; undefined if it has none yet. */
function outputIn(part: Fields): Answer | undefined {
  const { status, output, error, attachments, time } = stateOf(part);
  const answer = { callId: part.callID, toolName: part.tool, time: isFields(time) ? time.end : undefined };
  if (status === 'error') return { ...answer, output: error ?? '', isError: true };
  if (status !== 'completed') return undefined;
  const media = listIn(attachments).map(mediaPart);
  if (media.length === 0) return { ...answer, output: output ?? '' };
  return { ...answer, output: { type: 'content', value: [{ type: 'text', text: output }, ...media] } };
}

/** What a request took: what the step says, otherwise what the message says. */
function usageOf(info: Fields, parts: readonly Fields[], names: Names) {
  const step = parts.find(({ type, tokens }) => type === 'step-finish' && isFields(tokens));
  const tokens = step?.tokens ?? info.tokens;
  const usage = isFields(tokens) ? { ...tokens, ...(isFields(tokens.cache) && tokens.cache) } : undefined;
  return usageIn(usage, usageFields, names, isFields(info.error));
}

const usageFields = ['input read write', 'output reasoning', 'read', 'write'] as const;

function stateOf({ state }: Fields): Fields {
  return isFields(state) ? state : {};
}

function mediaPart(part: Fields): unknown {
  const { url, mime: mediaType } = part;
  if (typeof mediaType === 'string' && mediaType.startsWith('image/'))
    return { type: 'image', image: url, mediaType };
  return known({ type: 'file', data: url, mediaType, filename: nameIn(part, 'filename') });
}
