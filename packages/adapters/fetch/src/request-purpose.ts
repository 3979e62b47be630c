import { ownCompaction } from '@ctx/conversation';
import { isFields } from '@ctx/core/codec';
import { type Body, type Purpose, toolsIn, type WireForm, wireForms } from './wire-form.js';

/** The form of a request by its path, and what it is for; `undefined` for an endpoint without a conversation. */
export function endpointOf({
  pathname,
}: URL): { readonly form: WireForm; readonly purpose: Purpose } | undefined {
  for (const form of wireForms)
    for (const [purpose, path] of Object.entries(form.paths))
      if (path.test(pathname)) return { form, purpose: purpose as Purpose };
  return undefined;
}

/** What a request asks for. */
export interface Errand {
  readonly purpose: Purpose;
  /** True if the provider compacts the conversation by itself, at once or from a threshold on: then it gets all of it. */
  readonly isWhole: boolean;
}

/** What a request asks for, by its endpoint and by what is in it. */
export function errandOf(endpoint: Purpose, body: Body, headers: Headers): Errand {
  const own = ownCompaction(body);
  const isAtOnce = own === 'at-once' || isTrigger(listOf(body)?.at(-1)) || endpoint === 'compaction';
  const isCompacting = endpoint === 'turn' && (isAtOnce || isCompaction(body, headers));
  return { purpose: isCompacting ? 'compaction' : endpoint, isWhole: isAtOnce || own !== undefined };
}

const isTrigger = (item: unknown) => isFields(item) && item.type === 'compaction_trigger';

/** How agents ask for a summary of the conversation. */
const asks = [
  /\b(?:create|provide|write|generate|produce|give)\b[^.\n]{0,60}\bsummary\b[^.\n]{0,80}\b(?:conversation|session|history|context|work|above|so far)\b/i,
  /\bsummari[sz]e\b[^.\n]{0,40}\b(?:this|the|our) (?:conversation|session|history|chat)\b/i,
  /\b(?:context|checkpoint|history|conversation) (?:checkpoint )?compaction\b/i,
  /<\/?state_snapshot>/i,
];
/** How they tell the model in a system prompt that it writes one. */
const asksAsSystem = /\bsummari[sz](?:es|ing)\b[^.\n]{0,40}\b(?:conversation|session|history|chat)\b/i;
/** Characters at the end of a message in which the question is looked for: before it some agents repeat the conversation. */
const longestQuestion = 8_000;
/** Characters at the beginning of a system prompt in which it is said. */
const longestTask = 3_000;

/** True for a turn that asks for a summary of the conversation, as agents do before they shorten it. */
function isCompaction(body: Body, headers: Headers): boolean {
  if (/compaction/i.test(headers.get('x-interaction-type') ?? '')) return true;
  if (isEmpty(toolsIn(body)) && asksAsSystem.test(systemOf(body).slice(0, longestTask))) return true;
  const last: unknown = listOf(body)?.at(-1);
  if (!isFields(last) || last.role !== 'user') return false;
  const text = lastTextOf(last.content ?? last.parts).slice(-longestQuestion);
  return asks.some((question) => question.test(text));
}

const isEmpty = (tools: unknown) => !Array.isArray(tools) || tools.length === 0;
const listOf = ({ messages, input, contents }: Body) => [messages, input, contents].find(Array.isArray);

function systemOf(body: Body): string {
  const first: unknown = listOf(body)?.[0];
  const own = isFields(first) && ['system', 'developer'].includes(String(first.role)) ? first.content : '';
  return textOf(body.system ?? body.instructions ?? body.systemInstruction ?? own);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  return isFields(content) ? textOf(content.text ?? content.parts) : '';
}

/** The last part of a message, if it is a text. */
function lastTextOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const last: unknown = Array.isArray(content) ? content.at(-1) : undefined;
  return isFields(last) && typeof last.text === 'string' ? last.text : '';
}

/** True for an endpoint whose requests are read: all others pass as they come, whatever is in them. */
export function isReadEndpoint(url: URL): boolean {
  return endpointOf(url) !== undefined;
}
