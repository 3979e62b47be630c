import { type Message, outputText } from '@ctx/core';
import { baselines, keepLast } from '../candidates/baselines.js';
import { type Candidate, type Reduce, reducing } from '../candidates/candidate.js';
import { condensedWith, defaultCandidate } from '../candidates/ctx.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { cutAt } from '../cuts.js';
import type { ExamSession } from './exam-session.js';

/** Any model with a tokenizer that is known: the sessions' own are not, and every candidate is measured with the same. */
const model = { provider: 'openai', model: 'gpt-5' };
/** Characters that stay of an old result: the largest with which the rest fits is taken. The numbers of the twenty lines it stands for. */
const lengths = [20_000, 12_000, 8_000, 5_000, 3_000, 2_000, 1_400, 1_000, 700, 500, 350, 250, 160, 100, 60];
/** Of these characters at the beginning of a result; the rest are its end. */
const headShare = 0.6;
/** About the characters of the note in place of a middle, which has to save something. */
const noteLength = 40;
/** Messages at the end whose results stay whole: two calls with their answers, usually. */
const newestWhole = 4;

/** What agents do today: old results lose their middle, and if that is not enough, the oldest messages leave. */
const headAndTail: Reduce = (messages, budget, tokensOf) => {
  let view = messages;
  for (const length of lengths) {
    view = messages.map((message, at) =>
      message.role === 'tool' && at < messages.length - newestWhole
        ? withoutMiddle(message, length)
        : message,
    );
    if (totalTokens(view, tokensOf) <= budget) return view;
  }
  return keepLast(view, budget, tokensOf);
};

function withoutMiddle(message: Message & { role: 'tool' }, length: number): Message {
  return {
    ...message,
    content: message.content.map((part) => {
      const text = outputText(part.output);
      if (text.length <= length + noteLength) return part;
      const head = Math.ceil(length * headShare);
      const note = `[… ${text.length - length} characters left out …]`;
      return { ...part, output: `${text.slice(0, head)}\n${note}\n${text.slice(head - length)}` };
    }),
  };
}

/** What agents do today if a model writes a summary: the newest messages follow it. */
const summaryAndNewest = (summary: string): Reduce => {
  const said: Message = { role: 'user', content: `Summary of this conversation so far:\n\n${summary}` };
  return async (messages, budget, tokensOf) => [
    said,
    ...(await keepLast(messages, budget - tokensOf(said), tokensOf)),
  ];
};

/** What is examined on a session; the last two need a summary. */
function examCandidates({ summary }: Pick<ExamSession, 'summary'>): Candidate[] {
  return [
    defaultCandidate,
    ...baselines.filter(({ name }) => name === 'keep-last'),
    reducing('head and tail of results', 'baseline', headAndTail),
    ...(summary === undefined
      ? []
      : [reducing('summary and newest', 'baseline', summaryAndNewest(summary)), condensedWith(summary)]),
  ];
}

export interface ExamView {
  readonly candidate: string;
  readonly budget: number;
  readonly messages: readonly Message[];
  readonly tokens: number;
}

interface ViewOptions {
  /** Tokens. */
  readonly budgets: readonly number[];
  readonly tokensOf: CountTokens;
  /** Names of candidates. @default all */
  readonly only?: readonly string[] | undefined;
}

/** What each candidate makes of a session, at each budget. */
export async function examViews(
  session: ExamSession,
  { budgets, tokensOf, only }: ViewOptions,
): Promise<ExamView[]> {
  const cut = cutAt(session.messages, session.messages.length, { tokensOf });
  const views: ExamView[] = [];
  for (const { name, compress } of examCandidates(session)) {
    if (only !== undefined && !only.includes(name)) continue;
    for (const budget of budgets) {
      const { messages } = await compress({ cut, model, budget, tokensOf });
      views.push({ candidate: name, budget, messages, tokens: totalTokens(messages, tokensOf) });
    }
  }
  return views;
}
