import type { SealedStates } from '@ctx/conversation';
import type { Message } from '@ctx/core';
import type { Body, WireForm } from '../wire-form.js';
import type { HiddenTool } from './answer-form.js';
import {
  type AnsweringForm,
  type HiddenRecord,
  isSystem,
  recordAfter,
  textsIn,
  wholeHistory,
  withRecord,
} from './hidden-records.js';

/** Some streams of Google are a list of JSON, in which nothing can be answered. */
export function canHide({ pathname, searchParams }: URL): boolean {
  if (pathname.endsWith('/invoke-with-response-stream')) return false;
  return !/:streamGenerateContent$/i.test(pathname) || searchParams.get('alt') === 'sse';
}

const canAnswer = (form: WireForm): form is AnsweringForm => form.answers !== undefined;

/** Offers a hidden tool in the conversations that begin with it. */
export class HiddenTurns {
  constructor(
    readonly tool: HiddenTool,
    readonly states: SealedStates<HiddenState>,
  ) {}

  /**
   * The turn of a conversation in which the tool is offered; `undefined` where it is not.
   * @param isTurn false for a count or a summary
   * @param scope what nobody else's conversations share
   */
  async begin(form: WireForm, body: Body, isTurn: boolean, scope: string): Promise<HiddenTurn | undefined> {
    const { tools } = body;
    if (!canAnswer(form) || !Array.isArray(tools) || tools.length === 0) return undefined;
    const list = body[form.list] as readonly unknown[];
    const answer = list.findIndex((entry) => form.answers.isAnswer(entry as never));
    const isFirst = isTurn && answer < 0;
    // What a conversation is known by from its first request on.
    const beginning = (answer < 0 ? list : list.slice(0, answer)).filter((entry) => !isSystem(entry));
    const id = `${form.provider} ${form.list} ${scope}\n${beginning.map(textsIn).join('\n')}`;
    const known = await this.states.get(id);
    if (known === undefined && isTurn)
      await this.states.change(id, (before) => before ?? { isOffered: isFirst, records: [] });
    if (!(known?.isOffered ?? isFirst)) return undefined;
    return new HiddenTurn(this.tool, this.states, form, id, list, tools, known?.records ?? []);
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
    readonly form: AnsweringForm,
    readonly id: string,
    readonly said: readonly unknown[],
    tools: readonly unknown[],
    records: readonly HiddenRecord[],
  ) {
    const { list, used } = wholeHistory(said, records, form, tool.name);
    this.list = list;
    this.#records = used;
    this.tools = form.answers.offered(tools, tool);
  }

  /** Notes an answer of which the agent is shown only a part. */
  async record(entries: readonly unknown[], results: readonly Message[]): Promise<void> {
    const { tool, states } = this;
    const record = recordAfter(this.said, { entries, results }, this.form, tool.name);
    // A fork of the conversation may have added one meanwhile.
    await states.change(this.id, (before) => ({
      isOffered: true,
      records: withRecord(before?.records ?? [], this.#records, record),
    }));
  }
}

/** What has to be known of a conversation that was offered the hidden tool. */
export interface HiddenState {
  /** False for a conversation that began without it: the tools of a running one never change. */
  readonly isOffered: boolean;
  readonly records: readonly HiddenRecord[];
}
