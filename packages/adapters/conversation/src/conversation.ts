import {
  type Codec,
  type CompressionOutcome,
  ConfigError,
  type ContextManager,
  type Message,
  type ModelId,
  type Usage,
} from '@ctx/core';
import { isFields, isOverflowError, resultsInPlace } from '@ctx/core/codec';
import { createContextManager, type PresetManagerOptions, presetFor } from '@ctx/presets';
import { reportedUsage } from './reported-usage.js';
import { aboutCuts, aboutOverflow, aboutTools } from './shortage.js';
import { inNewestForm, isObject, isShownWhole, type Taken } from './taken-history.js';
import { codeOf, type OnWarning, Warnings } from './warnings.js';

export interface ConversationOptions extends PresetManagerOptions {
  /** Is told once of each thing that ctx could not do. @default `console.warn` */
  readonly onWarning?: OnWarning | undefined;
}

export interface SendOptions {
  /** Stops the compression, and what its strategies and ports do. */
  readonly signal?: AbortSignal | undefined;
}

const argumentForms = {
  options: 'an object, or leave it out',
  codec: "a codec, such as openaiCodec of '@ctx/codec-openai'",
  call: 'a function that sends the messages it is given and returns the answer',
};

function refuseUnless(isRight: boolean, place: keyof typeof argumentForms, value: unknown): void {
  const [problem, remedy] = [`The ${place} can't be used`, `Pass ${argumentForms[place]}.`];
  if (!isRight) throw new ConfigError({ code: 'config-invalid', place, value, problem, remedy });
}

/**
 * One conversation in a provider's own form: takes the history as the agent has it, and gives what to send.
 * @throws ConfigError as `createContextManager`
 */
export function conversation<Native>(
  codec: Codec<Native>,
  given: ConversationOptions = {},
): Conversation<Native> {
  refuseUnless(isFields(given), 'options', given);
  const isCodec =
    isFields(codec) && [codec.toMessages, codec.fromMessages].every((to) => typeof to === 'function');
  refuseUnless(isCodec, 'codec', codec);
  const { onWarning, ...options } = given;
  return new Conversation(codec, createContextManager(options), new Warnings(onWarning), options);
}

/** A manager and the newest form of the native messages that it holds. */
export class Conversation<Native> {
  /** The newest. */
  #taken: Taken<Native> | undefined;
  /** By history, as long as a caller holds it: two requests may send equal histories at once, as different objects. */
  readonly #all = new WeakMap<object, Taken<Native>>();
  /** The state that the newest check left. Nothing is checked again until it changes, so that a repeated request compresses once. */
  #checked: string | undefined;
  #checking: Promise<void> = Promise.resolve();
  /** The definitions of the tools of the newest request. */
  #tools: unknown;

  constructor(
    readonly codec: Codec<Native>,
    readonly manager: ContextManager,
    readonly warnings: Warnings,
    readonly model: ModelId = {},
  ) {}

  /**
   * Takes the whole history as it now is. What is new is appended; what was edited or is gone takes the manager back to what both have
   * in common.
   * @throws ValidationError `native-invalid` or as `manager.append`; nothing is changed then
   */
  sync(history: Native): void {
    const decoded = this.codec.toMessages(history);
    const messages = resultsInPlace(decoded);
    this.take(history, messages, messages !== decoded);
  }

  /**
   * `sync` with the history that was decoded already.
   * @param isMended true if results of the history were put into their places, so that it can't be sent as it is
   */
  take(history: Native, decoded: readonly Message[], isMended: boolean): void {
    const { entries } = this.manager.sync(decoded);
    this.#taken = { history, decoded, entries, isMended };
    if (isObject(history)) this.#all.set(history, this.#taken);
  }

  /** Takes the definitions of the tools of a request. */
  offer(tools: unknown): void {
    this.#tools = tools;
    this.manager.setTools(tools);
  }

  /**
   * Compresses if need be and gives the history to send. Untouched messages are the objects of the history. If ctx itself
   * fails, the history is returned unchanged, with a warning.
   */
  async prepare(options: SendOptions = {}): Promise<Native> {
    await this.check(options);
    return this.request();
  }

  /** Compresses if need be. Concurrent calls run one after the other; if nothing has changed, the later ones do nothing. */
  async check(options: SendOptions = {}): Promise<void> {
    refuseUnless(isFields(options), 'options', options);
    this.#checking = this.#checking.then(() => this.#checkNow(options));
    return this.#checking;
  }

  async #checkNow({ signal }: SendOptions): Promise<void> {
    if (this.#checked === this.#state()) return;
    this.#checked = undefined;
    const check = () => this.manager.checkAndCompress({ beforeSend: true, signal });
    const outcome = await this.#attempt('check-failed', check);
    for (const warning of this.manager.warnings) this.warnings.once('manager-warning', warning, warning);
    this.#warnOfShortage(outcome);
    if (outcome !== undefined && outcome.status !== 'failed') this.#checked = this.#state();
  }

  /** Tells once of each thing that the window is too small for. */
  #warnOfShortage(outcome: CompressionOutcome | undefined): void {
    const cuts = aboutCuts(outcome?.record, this.manager);
    if (cuts !== undefined) this.warnings.once('unread-cut', cuts);
    for (const { code, message } of this.manager.hints)
      if (code === 'window-small') this.warnings.once(code, message);
    if (!this.fits) this.#warnOfTools();
  }

  #warnOfTools(): void {
    const about = aboutTools(this.#tools, this.manager.stats().maxTokens);
    if (about !== undefined) this.warnings.once('tools-large', `A request does not fit the window. ${about}`);
  }

  /** Changes with messages, compressions and tools. */
  #state(): string {
    const { transcriptMessages, countedTokens } = this.manager.stats();
    return `${this.manager.epoch} ${transcriptMessages} ${countedTokens}`;
  }

  /** True if the whole request fits the room that a request has in the window. */
  get fits(): boolean {
    const { currentTokens, allowedTokens } = this.manager.stats();
    return currentTokens <= allowedTokens;
  }

  /**
   * What is to be sent now, and the note that it is being sent.
   * @param history which of those that say the same, where several were taken. @default the one that `sync` got last
   */
  request(history?: Native): Native {
    const { codec } = this;
    const taken = (isObject(history) ? this.#all.get(history) : undefined) ?? this.#taken;
    try {
      const messages = this.manager.request();
      if (taken === undefined) return codec.fromMessages(messages);
      if (isShownWhole(taken, messages)) return taken.history;
      const native = codec.fromMessages(inNewestForm(messages, taken));
      return codec.settle === undefined ? native : codec.settle(native, taken.history);
    } catch (error) {
      if (taken === undefined) throw error;
      this.warnings.once('encode-failed', `The request is sent unchanged: ${codeOf(error)}`);
      return taken.history;
    }
  }

  /** An overflow is not a failure of ctx: what is left is sent, and the provider says the last word. */
  async #attempt(
    code: string,
    task: () => Promise<CompressionOutcome>,
  ): Promise<CompressionOutcome | undefined> {
    try {
      const outcome = await task();
      if (outcome.status === 'failed' && outcome.reason !== 'aborted')
        this.#warnOfFailure(code, outcome.error, outcome.reason);
      return outcome;
    } catch (error) {
      this.#warnOfFailure(code, error);
      return undefined;
    }
  }

  #warnOfFailure(code: string, error: unknown, reason = codeOf(error)): void {
    this.warnings.once(code, `The conversation could not be made smaller: ${aboutOverflow(error) ?? reason}`);
    this.#warnOfTools();
  }

  /** Lets go of a history that was taken, if no other was taken since. Until then, requests are made of what the manager holds. */
  forget(history: Native): void {
    if (this.#taken?.history === history) this.#taken = undefined;
    if (isObject(history)) this.#all.delete(history);
  }

  /** After the provider refused a request as too large: true if there is now a smaller one to send. */
  async recovered(error: unknown, options: SendOptions = {}): Promise<boolean> {
    refuseUnless(isFields(options), 'options', options);
    if (!isOverflowError(error)) return false;
    this.#checked = undefined;
    const outcome = await this.#attempt('recover-failed', () => this.manager.recover(error, options));
    if (outcome === undefined) return false;
    this.#warnOfShortage(outcome);
    if (outcome.record === undefined && outcome.status !== 'failed')
      this.#warnOfFailure(
        'recover-failed',
        undefined,
        `the provider refused it as too large, and ${outcome.reason}.`,
      );
    return outcome.record !== undefined;
  }

  /** Teaches the manager what the provider counted, as far as the answer says it. */
  answered(answer: unknown): void {
    const usage = reportedUsage(answer);
    if (usage !== undefined) this.reported(usage);
  }

  /** Takes what the provider counted. Deployments and aliases answer as their model, so only two known models are different ones. */
  reported({ model, ...usage }: Usage): void {
    const isKnown = [this.model.model, model].every((one) => !presetFor({ model: one }).warnings);
    this.manager.reportUsage(isKnown ? { ...usage, model } : usage);
  }

  /**
   * Sends the conversation: compresses before, and after an overflow makes it smaller and sends it again, at most three times.
   * @param call sends what it is given and gives the provider's answer, from which reported usage is read
   * @throws whatever `call` throws in the end
   */
  async send<Answer>(
    call: (history: Native) => PromiseLike<Answer>,
    options: SendOptions = {},
  ): Promise<Answer> {
    refuseUnless(typeof call === 'function', 'call', call);
    let history: Native = (await this.prepare(options)) as Native;
    for (;;) {
      try {
        const answer = await call(history);
        this.answered(answer);
        return answer;
      } catch (error) {
        if (!(await this.recovered(error, options))) throw error;
        history = this.request();
      }
    }
  }
}
