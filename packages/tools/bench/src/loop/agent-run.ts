import type { ChatMessage } from '@ctx/codec-openai';
import type { CountTokens } from '../count-tokens.js';
import type { Holder } from './holder.js';
import { type Fact, factText, nodText, pauseText, questionText, ruleText, taskText } from './phrases.js';
import { Project } from './project.js';
import { Draw, type Scenario } from './scenario.js';
import { asking, isBlind } from './scripted-model.js';
import { callsOf } from './shown-request.js';
import { type ChatRequest, type Lacks, StrictServer } from './strict-server.js';

/** What became of one session. */
export interface AgentRun {
  /** `gave up`: it took too many requests. `refused`: the server would not have a request. */
  readonly end: 'done' | 'gave up' | 'refused';
  readonly requests: number;
  /** Parts of the task that were done at all. */
  readonly parts: number;
  readonly readsAgain: number;
  readonly blindEdits: number;
  readonly doneAgain: number;
  /** Messages of the agent that break a rule which was said before, each rule by itself. */
  readonly rulesBroken: number;
  /** Times the agent had to ask for what had been said. */
  readonly questions: number;
  /** Requests in which the task, a rule of the user, or a line of the file of rules was missing. */
  readonly lacks: Readonly<Lacks>;
  readonly tokens: number;
  /** Tokens of the first request, which is little more than the system prompt and the tools. */
  readonly first: number;
  /** Tokens of the largest request. */
  readonly largest: number;
  /** Tokens at full price, with prompt caching. */
  readonly cost: number;
  /** Why requests were refused, those that were sent again among them. */
  readonly refused: readonly string[];
}

export interface AgentRunOptions {
  readonly tokensOf: CountTokens;
  /** Tokens of a request. @default no limit */
  readonly window?: number;
  /** Requests after which the agent gives up. @default 2000 */
  readonly mostRequests?: number;
}

/** Works through a scenario with an agent whose requests pass through a holder. The same arguments give the same figures. */
export async function runAgent(
  scenario: Scenario,
  holder: Holder,
  { tokensOf, window, mostRequests = 2_000 }: AgentRunOptions,
): Promise<AgentRun> {
  const server = new StrictServer(tokensOf, window);
  const send = holder.open({ send: server.fetch, window: window ?? Number.MAX_SAFE_INTEGER, tokensOf });
  const agent = new ScriptedAgent(scenario, send, server);
  const end = await agent.run(() => server.requests >= mostRequests);
  const { requests, tokens, first, largest, cost, refused, lacks } = server;
  const { changed: parts, readsAgain, doneAgain } = agent.project;
  const { blindEdits, rulesBroken, questions } = agent;
  const work = { parts, readsAgain, blindEdits, doneAgain, rulesBroken, questions, lacks };
  return { end, ...work, requests, tokens, first, largest, cost, refused };
}

/** The host's side: the whole history, the tools, and a user who says what is to be done. */
class ScriptedAgent {
  readonly project: Project;
  blindEdits = 0;
  rulesBroken = 0;
  questions = 0;
  readonly #facts: readonly Fact[];
  readonly #marks: readonly string[];
  readonly #tools: readonly unknown[];
  readonly #history: ChatMessage[];
  readonly #tasks: readonly string[];
  readonly #fileRules: readonly string[];
  #rulesSaid = 0;

  constructor(
    scenario: Scenario,
    readonly send: (request: ChatRequest) => Promise<Response>,
    readonly server: Pick<StrictServer, 'needed'>,
  ) {
    const draw = new Draw(3);
    this.project = new Project(scenario);
    this.#facts = factsOf(scenario, draw);
    this.#marks = Array.from({ length: scenario.rules }, () => `${draw.word()}-${draw.below(900) + 100}`);
    this.#tools = toolsOf(draw, (scenario.fixedTokens * 2) / 3);
    this.#history = [{ role: 'system', content: draw.prose(scenario.fixedTokens / 3) }];
    this.#tasks = tasksOf(scenario, this.project.paths);
    const { rulesFileTokens } = scenario;
    this.#fileRules = rulesFileTokens === undefined ? [] : draw.prose(rulesFileTokens).split(/(?<=\.) /);
  }

  async run(isEnough: () => boolean): Promise<AgentRun['end']> {
    const turns = [
      ...this.#marks.map(ruleText),
      ...this.#facts.map(factText),
      ...this.#tasks,
      ...(this.#tasks.length > 1 ? [nodText] : []),
      ...this.#facts.map(questionText),
    ];
    for (const [at, said] of turns.entries()) {
      this.#rulesSaid = Math.min(at + 1, this.#marks.length);
      this.server.needed = {
        task: turns
          .slice(0, at + 1)
          .filter((one) => this.#tasks.includes(one))
          .slice(-1),
        rules: this.#marks.slice(0, this.#rulesSaid).map(ruleText),
        rulesFile: this.#fileRules,
      };
      const end = await this.#exchange(said, isEnough);
      if (end !== 'done') return end;
    }
    return 'done';
  }

  async #exchange(said: string, isEnough: () => boolean): Promise<AgentRun['end']> {
    this.#history.push({ role: 'user', content: this.#history.length === 1 ? this.#opening(said) : said });
    for (;;) {
      if (isEnough()) return 'gave up';
      const answer = await this.#ask();
      if (answer === undefined) return 'refused';
      const { text, calls } = answer;
      this.rulesBroken += this.#marks.slice(0, this.#rulesSaid).filter((mark) => !text.includes(mark)).length;
      if (isBlind(text)) this.blindEdits += 1;
      for (const { id, name, input } of calls) {
        const content = this.project.run(name, JSON.parse(input));
        this.#history.push({ role: 'tool', tool_call_id: id, content });
      }
      const again = this.#repeated(text, said);
      if (again !== undefined) this.#history.push({ role: 'user', content: again });
      else if (calls.length === 0) return 'done';
    }
  }

  /** The first message as agents send it: what their program notes, then the file of rules, then what was typed. */
  #opening(said: string): string | { type: 'text'; text: string }[] {
    if (this.#fileRules.length === 0) return said;
    const noted = (text: string) => ({
      type: 'text' as const,
      text: `<system-reminder>\n${text}\n</system-reminder>`,
    });
    const skills = new Draw(5).prose(skillsTokens);
    const rules = this.#fileRules.map((rule) => `- ${rule}`).join('\n');
    return [
      noted(`The following skills are available:\n\n${skills}`),
      noted(`Contents of /repo/CLAUDE.md (project instructions):\n\n# How we work\n\n${rules}`),
      { type: 'text', text: said },
    ];
  }

  /** What the user says once more, if the agent asks for it. */
  #repeated(text: string, said: string): string | undefined {
    if (!text.startsWith(asking.fact) && !text.startsWith(asking.task)) return undefined;
    this.questions += 1;
    const fact = this.#facts.find((one) => questionText(one) === said);
    return fact === undefined ? said : `${factText(fact)} ${said}`;
  }

  async #ask(): Promise<{ readonly text: string; readonly calls: ReturnType<typeof callsOf> } | undefined> {
    const request = { model: 'gpt-5', messages: this.#history, tools: this.#tools };
    const response = await this.send(request);
    if (!response.ok) return undefined;
    const body = (await response.json()) as { choices: { message: ChatMessage }[] };
    const message = body.choices[0]?.message as ChatMessage;
    this.#history.push(message);
    return { text: String(message.content), calls: callsOf(message) };
  }
}

/** Tokens of what an agent's program lists in the first message. */
const skillsTokens = 1_500;

function tasksOf({ tasks = 1 }: Scenario, paths: readonly string[]): string[] {
  const each = Math.ceil(paths.length / tasks);
  const texts = Array.from({ length: tasks }, (_, at) => taskText(paths.slice(at * each, (at + 1) * each)));
  return texts.map((text, at) => (at > 0 && at === tasks - 1 ? text + pauseText : text));
}

function factsOf({ facts }: Scenario, draw: Draw): Fact[] {
  const kinds = ['door code', 'berth', 'account', 'ticket', 'call sign', 'shelf', 'permit', 'meter'];
  return Array.from({ length: facts }, (_, at) => ({
    subject: `${kinds[at % kinds.length]} of the ${draw.words(2)} ${at + 1}`,
    value: `${draw.word().slice(0, 2).toUpperCase()}-${draw.below(90_000) + 10_000}`,
  }));
}

/** The three tools that are used, and others that are not, of about as many tokens. */
function toolsOf(draw: Draw, tokens: number): unknown[] {
  const text = { type: 'string' };
  const used = [
    tool('read', 'Returns the lines of a file with their numbers.', { path: text }),
    tool('edit', 'Replaces a text in a file.', { path: text, old_string: text, new_string: text }),
    tool('run_tests', 'Runs all tests.', {}),
  ];
  const others = Array.from({ length: Math.max(1, Math.round(tokens / tokensOfTool)) }, (_, at) =>
    tool(`other_${at + 1}`, draw.prose(tokensOfTool - tokensOfSchema), { path: text }),
  );
  return [...used, ...others];
}

/** Tokens of a tool's definition, and those of its schema alone. */
const tokensOfTool = 250;
const tokensOfSchema = 45;

function tool(name: string, description: string, properties: Readonly<Record<string, unknown>>): unknown {
  const parameters = {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return { type: 'function', function: { name, description, parameters } };
}
