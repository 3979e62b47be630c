import { isDeepStrictEqual } from 'node:util';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import type { Codec } from '@ctx/core';
import { presetFor } from '@ctx/presets';
import { type AgentForm, type Branch, charactersPerToken, type Said } from './agent-story.js';
import type { LawBook } from './laws.js';
import { listIn } from './written-json.js';

/** A request as the agent sent it, and what a provider's window holds. */
export interface AskedRequest {
  readonly form: AgentForm;
  readonly branch: Branch;
  readonly body: string;
  readonly window: number;
  /** Tokens that ctx keeps free for the answer. */
  readonly reserve: number;
}

const providers = { chat: 'openai', messages: 'anthropic' } as const;
const codecs: Readonly<Record<AgentForm, Codec<unknown>>> = {
  chat: openaiCodec as unknown as Codec<unknown>,
  messages: anthropicCodec as unknown as Codec<unknown>,
};
/** The share of the reserve that ctx keeps free whatever must stay, and the share of the rest that surely fits: tokens are estimated. */
const [keptFree, surely] = [0.2, 0.9];

export const tokensOf = (text: string): number => Math.ceil(text.length / charactersPerToken);

/**
 * Checks what has arrived at a provider for a request of an agent.
 * @param isTrusted whether the provider took it at once, so that it counts as was expected
 */
export function checkArrived(book: LawBook, asked: AskedRequest, arrived: string, isTrusted: boolean): void {
  const sent = listIn(asked.body, 'messages');
  const got = listIn(arrived, 'messages');
  book.check(
    'request-bytes',
    got.around === sent.around
      ? undefined
      : `what stands around the messages has changed: ${got.around.slice(0, 300)}`,
  );
  const originals = new Set(sent.items);
  const strange = got.items.filter((raw) => !originals.has(raw));
  const values = strange.length === 0 ? [] : sent.items.map((raw): unknown => JSON.parse(raw));
  book.each('request-bytes', strange, (raw) =>
    values.some((value) => isDeepStrictEqual(value, JSON.parse(raw)))
      ? `a message that was not touched is written otherwise: ${raw.slice(0, 300)}`
      : undefined,
  );
  book.each('request-own', new Set(arrived.match(/<<c\w+>>/g)), (tag) =>
    asked.branch.tags.has(tag.slice(2, -2))
      ? undefined
      : `a request of ${asked.branch.tag} has words of ${tag}`,
  );
  const native: unknown = JSON.parse(arrived);
  const [violation] = codecs[asked.form].validate(
    asked.form === 'chat' ? (native as { messages: unknown }).messages : native,
  );
  book.check('request-valid', violation && `${violation.rule}: ${JSON.stringify(violation).slice(0, 300)}`);
  if (!isTrusted || !fits(asked, expectedTokens(asked))) return;
  const here = new Set(got.items);
  book.each('request-unread', unreadIn(asked.branch.said), ({ raw }) =>
    here.has(raw)
      ? undefined
      : `what the model has not read has another text, although it fits: ${raw.slice(0, 200)}`,
  );
}

/** Whether a request with nothing but what has to stay word for word would fit, with something to spare. */
export const surelyFits = (asked: AskedRequest): boolean => fits(asked, stayingTokens(asked));

const fits = ({ window, reserve }: AskedRequest, tokens: number): boolean =>
  tokens <= surely * (window - keptFree * reserve);

function stayingTokens({ branch: { said }, body }: AskedRequest): number {
  const unread = new Set(unreadIn(said));
  const staying = said.filter((one) => one.by === 'system' || one.by === 'user' || unread.has(one));
  const around = listIn(body, 'messages').around;
  return [around, ...staying.map(({ raw }) => raw)].reduce((sum, text) => sum + tokensOf(text), 0);
}

/** What its family is known to bill for that. It is believed until requests of such size are reported. */
function expectedTokens(asked: AskedRequest): number {
  const tokens = stayingTokens(asked);
  const { prior } = presetFor({ provider: providers[asked.form] });
  if (prior === undefined) return tokens;
  const calls = unreadIn(asked.branch.said).reduce(
    (sum, { raw }) => sum + raw.split('tool_use_id').length - 1,
    0,
  );
  const { offset, factor, perToolCall, withTools = 0 } = prior;
  return Math.max(tokens, offset + withTools + factor * tokens + perToolCall * calls);
}

/** What the model has not read: what stands behind its newest message, and that message if it has calls; and the newest word of the user. */
function unreadIn(said: readonly Said[]): Said[] {
  const answer = said.findLastIndex(({ by }) => by === 'assistant');
  const newest = said.findLast(({ by }) => by === 'user');
  const rest = answer < 0 ? [] : said.slice(said[answer]?.calls === true ? answer : answer + 1);
  return [...rest, ...(newest === undefined || rest.includes(newest) ? [] : [newest])];
}
