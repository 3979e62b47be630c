import type { Random } from './random.js';
import { Digits, type Hand, written } from './written-json.js';

/** A message as an agent sends it, in each of its requests in the same bytes. */
export interface Said {
  readonly raw: string;
  readonly by: 'system' | 'user' | 'assistant' | 'results';
  readonly calls: boolean;
}

/** What an agent has said. Every line of it begins with the tag of who said it, so that each line shows whose it is. */
export interface Branch {
  readonly tag: string;
  /** The tags that its history may have: its own, and those from before a fork. */
  readonly tags: ReadonlySet<string>;
  readonly said: readonly Said[];
}

/** The API that an agent speaks. */
export type AgentForm = 'chat' | 'messages';

/** Characters of a token, as everybody here counts. */
export const charactersPerToken = 4;
/** Words that stand in an excerpt, among others that do not. */
const words =
  'export const parser port error TODO naïve größer src/a.ts test failed 42 return value of the file 世界'.split(
    ' ',
  );
/** The largest result that an agent may read, as a share of the window, and the smallest. */
const [largestResult, smallestResult] = [0.6, 0.01];
/** Calls at once. */
const mostCalls = 4;

/** Makes what agents say to a model with some window. */
export class AgentStory {
  #calls = 0;

  constructor(
    readonly random: Random,
    readonly form: AgentForm,
    readonly window: number,
    readonly hand: Hand,
  ) {}

  begun(tag: string, systemTokens: number): Branch {
    const prompt = { role: 'system', content: this.systemText(systemTokens) };
    const system = this.form === 'chat' ? [this.#said('system', prompt)] : [];
    return { tag, tags: new Set([tag]), said: [...system, this.#user(tag)] };
  }

  /** A branch that goes its own way from here on. */
  forked(branch: Branch, tag: string): Branch {
    const from = this.random.chance(0.5) ? branch.said : this.#earlier(branch.said);
    return this.goesOn({ tag, tags: new Set([...branch.tags, tag]), said: from });
  }

  /** The branch after one more step: calls with their results, or an answer and the next task. */
  goesOn({ tag, tags, said }: Branch): Branch {
    const { random } = this;
    if (random.chance(0.2)) return { tag, tags, said: [...said, this.#answer(tag), this.#user(tag)] };
    const ids = random.list(
      random.chance(0.6) ? 1 : random.int(2, mostCalls),
      () => `call_${tag}_${++this.#calls}`,
    );
    const added = [this.#asked(tag, ids), ...this.#results(tag, ids)];
    return { tag, tags, said: [...said, ...added] };
  }

  /** The tools of a request. */
  tools(tokens: number): unknown[] {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string', maxLength: new Digits('1.50e2') } },
    };
    const about = this.#text('tools', tokens);
    return this.form === 'chat'
      ? [{ type: 'function', function: { name: 'read', description: about, parameters: schema } }]
      : [{ name: 'read', description: about, input_schema: schema }];
  }

  /** A system prompt, which all agents share. */
  systemText(tokens: number): string {
    return this.#text('tools', tokens);
  }

  #user(tag: string): Said {
    const text = this.#text(tag, this.random.int(5, 60));
    const content = this.form === 'chat' ? text : [{ type: 'text', text }];
    return this.#said('user', { role: 'user', content, ...this.#odd() });
  }

  #answer(tag: string): Said {
    const text = this.#text(tag, this.random.int(20, 300));
    const content = this.form === 'chat' ? text : [{ type: 'text', text }];
    return this.#said('assistant', { role: 'assistant', content });
  }

  #asked(tag: string, ids: readonly string[]): Said {
    const text = this.#text(tag, this.random.int(5, 40));
    const input = { path: `src/${tag}.ts`, offset: new Digits('12345678901234567890') };
    const name = 'read';
    const message =
      this.form === 'chat'
        ? {
            role: 'assistant',
            content: this.random.chance(0.5) ? null : text,
            tool_calls: ids.map((id) => ({
              id,
              type: 'function',
              function: { name, arguments: written(input, this.hand) },
            })),
          }
        : {
            role: 'assistant',
            content: [{ type: 'text', text }, ...ids.map((id) => ({ type: 'tool_use', id, name, input }))],
          };
    return this.#said('assistant', message, true);
  }

  #results(tag: string, ids: readonly string[]): Said[] {
    const texts = ids.map((id) => ({ id, text: this.#text(tag, this.#resultTokens()) }));
    if (this.form === 'chat')
      return texts.map(({ id, text }) =>
        this.#said('results', { role: 'tool', tool_call_id: id, content: text }),
      );
    const content = texts.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text }));
    return [this.#said('results', { role: 'user', content })];
  }

  /** Most results are small; some take more than half of the window. */
  #resultTokens(): number {
    const range = largestResult - smallestResult;
    const share = smallestResult + range * (this.random.int(0, 1000) / 1000) ** 2;
    return Math.floor(this.window * share);
  }

  /** Fields that nobody knows, with numbers that JavaScript would write otherwise. */
  #odd(): Readonly<Record<string, unknown>> {
    if (this.form !== 'chat' || !this.random.chance(0.5)) return {};
    return { x_id: new Digits('12345678901234567890'), x_cost: new Digits('1.50e2') };
  }

  #said(by: Said['by'], message: unknown, calls = false): Said {
    return { raw: written(message, this.hand), by, calls };
  }

  #text(tag: string, tokens: number): string {
    const lines: string[] = [];
    let left = Math.max(1, tokens) * charactersPerToken;
    while (left > 0) {
      const line = `<<${tag}>> ${this.random.int(0, 99_999)} ${this.random.list(6, () => this.random.pick(words)).join(' ')}`;
      lines.push(line);
      left -= line.length + 1;
    }
    return lines.join('\n');
  }

  /** The history up to an earlier word of a user. */
  #earlier(said: readonly Said[]): readonly Said[] {
    const users = said.flatMap(({ by }, at) => (by === 'user' ? [at] : []));
    return said.slice(0, this.random.pick(users) + 1);
  }
}
