import { type Answer, Dialogue, placedOf, textIn } from './conversation/dialogue.js';
import { type Findings, type Place, secondDocument } from './conversation/findings.js';
import type { FileContent, Placed } from './conversation/session-of.js';
import { type Fields, isFields, known, type Names, nameIn, usageIn } from './fields.js';
import type { SessionRecord } from './files/records.js';
import { outputFrom, partsFrom } from './parts.js';

/** The messages of Cline, or a task's history of Cline or Roo Code: a document that is a list of messages, or has one. */
export class Cline {
  readonly #dialogue: Dialogue;
  /** Messages that no summary stands for. */
  readonly #kept = new Set<Placed>();
  #id: string | undefined;
  #isRead = false;
  #names: Names = {};

  constructor(readonly findings: Findings) {
    this.#dialogue = new Dialogue(findings);
  }

  add({ line, value }: SessionRecord): void {
    if (this.#isRead) {
      this.findings.refuse({ line }, secondDocument);
      return;
    }
    const { messages, sessionId } = isFields(value) ? value : { messages: value };
    if (typeof sessionId === 'string') this.#id ??= sessionId;
    if (!Array.isArray(messages)) {
      const problem = 'The record is neither a list of messages nor has one';
      this.findings.refuse({ line }, { problem, value });
      return;
    }
    this.#isRead = true;
    const path = messages === value ? '' : 'messages';
    for (const [index, message] of messages.entries())
      this.#message({ line, path: `${path}[${index}]` }, isFields(message) ? message : {});
  }

  content(): FileContent {
    return { id: this.#id, ...this.#names, ...this.#dialogue.content() };
  }

  #message(place: Place, message: Fields): void {
    const { role, content, isSummary, isTruncationMarker, metadata } = message;
    const isCompaction = isFields(metadata) && metadata.kind === 'compaction_summary';
    if (isTruncationMarker === true) this.findings.leaveOut('truncation-marker');
    else if (isSummary === true || isCompaction) this.#compact(place, message);
    else if (role === 'user' || role === 'tool') this.#ask(place, message);
    else if (role === 'assistant') this.#respond(place, message);
    else if (role === 'system') this.#say(place, message, role, content);
    else if (message.type === 'reasoning') this.findings.leaveOut('reasoning');
    else this.findings.refuse(place, { problem: 'The role of the message is not known', value: role });
  }

  /** Results go to their calls; the rest of the message is the user's. */
  #ask(place: Place, message: Fields): void {
    const { content, ts } = message;
    const answers = answersIn(content, ts);
    for (const answer of answers) {
      const placed = this.#dialogue.answer(place, answer);
      if (placed !== undefined) this.#keep(placed, message);
    }
    const parts = saidIn(content);
    if (answers.length > 0 && Array.isArray(parts) && parts.length === 0) return;
    this.#say(place, message, 'user', parts);
  }

  #respond(place: Place, message: Fields): void {
    const { modelInfo, content, metrics } = message;
    if (isFields(modelInfo))
      this.#names = known({ model: nameIn(modelInfo, 'id'), provider: nameIn(modelInfo, 'provider') });
    const usage = usageIn(metrics, usageFields, this.#names);
    this.#say(place, message, 'assistant', saidIn(content), usage);
  }

  #say(
    place: Place,
    message: Fields,
    role: 'system' | 'user' | 'assistant',
    content: unknown,
    usage?: Placed['usage'],
  ): void {
    this.#keep(this.#dialogue.say(place, { role, content, time: message.ts }, usage), message);
  }

  /** Roo Code marks a message with the summary that stands for it. */
  #keep(placed: Placed, message: Fields): void {
    if (nameIn(message, 'condenseParent') === undefined) this.#kept.add(placed);
  }

  #compact(place: Place, { role, content, ts }: Fields): void {
    const author = role === 'assistant' ? role : 'user';
    const summary = placedOf(place, { role: author, content: saidIn(content), time: ts, summary: true });
    this.#dialogue.cut({ place, summary: textIn(summary) }, [...this.#kept, summary]);
  }
}

/** `inputTokens` is the whole prompt. */
const usageFields = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

/** The parts of a message without its results. */
function saidIn(content: unknown): unknown {
  return partsFrom(Array.isArray(content) ? content.filter((block) => !isAnswer(block)) : content);
}

function isAnswer(block: unknown): block is Fields {
  return isFields(block) && (block.type === 'tool_result' || block.type === 'tool-result');
}

/** The results among the blocks of a message. */
function answersIn(content: unknown, time: unknown): Answer[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isAnswer).map((block) => ({
    callId: block.tool_use_id ?? block.toolCallId,
    toolName: block.name ?? block.toolName,
    output: resultFrom(block.content ?? block.output),
    time,
    ...(block.is_error === true && { isError: true }),
  }));
}

/** Cline stores what its tools return: values without a type. */
function resultFrom(content: unknown): unknown {
  if (content === undefined || content === null) return '';
  // A text, or an output in the form of the AI SDK.
  const isOutput = isFields(content) && typeof content.type === 'string' && 'value' in content;
  if (typeof content === 'string' || isOutput) return content;
  const isBlocks =
    Array.isArray(content) && content.every((part) => isFields(part) && typeof part.type === 'string');
  return isBlocks ? outputFrom(content) : { type: 'json', value: content };
}
