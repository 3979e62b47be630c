import type { SealedStates } from '@ctx/conversation';
import type { Purpose } from '../request-purpose.js';
import type { AnswerForm, HiddenTool } from './answer-form.js';
import {
  type HiddenRecord,
  isSystem,
  recordAfter,
  textsIn,
  wholeHistory,
  withRecord,
} from './hidden-records.js';

/** A request as the hidden tool sees it. */
export interface HiddenRequest {
  readonly purpose: Purpose;
  /** Where the conversation stands, as the agent has it. */
  readonly list: readonly unknown[];
  readonly tools: unknown;
  /** What nobody else's conversations share. */
  readonly scope: string;
}

/** Some streams of Google are a list of JSON, in which nothing can be answered. */
export function canHide({ pathname, searchParams }: URL): boolean {
  if (pathname.endsWith('/invoke-with-response-stream')) return false;
  return !/:streamGenerateContent$/i.test(pathname) || searchParams.get('alt') === 'sse';
}

/** Offers a hidden tool in the conversations that begin with it. */
export class HiddenTurns {
  constructor(
    readonly tool: HiddenTool,
    readonly states: SealedStates<HiddenState>,
  ) {}

  /** The turn of a conversation in which the tool is offered; `undefined` where it is not. */
  async begin(request: HiddenRequest, form: AnswerForm): Promise<HiddenTurn | undefined> {
    const { purpose, list, tools, scope } = request;
    if (!Array.isArray(tools) || tools.length === 0) return undefined;
    const id = idOf(request, form);
    const isFirst = purpose === 'turn' && !list.some((entry) => form.isAnswer(entry as never));
    const known = await this.states.get(id);
    if (known === undefined && purpose === 'turn')
      await this.states.change(id, () => ({ isOffered: isFirst, records: [] }));
    if (!(known?.isOffered ?? isFirst)) return undefined;
    return new HiddenTurn(this.tool, this.states, { list, tools, scope }, form, id, known?.records ?? []);
  }
}

/** One request of a conversation in which the hidden tool is offered. */
export class HiddenTurn {
  /** The history with what the agent does not know of. */
  readonly list: readonly unknown[];
  readonly tools: readonly unknown[];
  readonly #records: readonly HiddenRecord[];

  constructor(
    readonly tool: HiddenTool,
    readonly states: SealedStates<HiddenState>,
    readonly request: {
      readonly list: readonly unknown[];
      readonly tools: readonly unknown[];
      readonly scope: string;
    },
    readonly form: AnswerForm,
    readonly id: string,
    records: readonly HiddenRecord[],
  ) {
    const whole = wholeHistory(request.list, records, form, tool.name);
    this.list = whole.list;
    this.#records = whole.records;
    this.tools = form.offered(request.tools, tool);
  }

  /** Notes an answer of which the agent is shown only a part. */
  async record(entries: readonly unknown[], results: readonly unknown[]): Promise<void> {
    const { tool, states } = this;
    const record = recordAfter(this.request.list, { entries, results }, this.form, tool.name);
    // A fork of the conversation may have added one meanwhile.
    await states.change(this.id, (before) => ({
      isOffered: true,
      records: withRecord(before?.records ?? [], this.#records, record),
    }));
  }
}

/** What a conversation is known by from its first request on: what was said before the first answer, system prompts apart. */
function idOf({ list, scope }: HiddenRequest, form: AnswerForm): string {
  const answer = list.findIndex((entry) => form.isAnswer(entry as never));
  const beginning = (answer < 0 ? list : list.slice(0, answer)).filter((entry) => !isSystem(entry));
  return `${scope}\n${beginning.map(textsIn).join('\n')}`;
}

/** What has to be known of a conversation that was offered the hidden tool. */
export interface HiddenState {
  /** False for a conversation that began without it: the tools of a running one never change. */
  readonly isOffered: boolean;
  readonly records: readonly HiddenRecord[];
}
