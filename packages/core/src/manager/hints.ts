import { equal } from '../base/equal.js';
import { CtxError } from '../base/errors.js';
import type { Message } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';

/** A sign that the manager is used in a way that is probably not meant. Each code is told once. */
export interface Hint {
  readonly code:
    | 'message-appended-twice'
    | 'history-appended-again'
    | 'system-prompt-added'
    | 'view-during-check'
    | 'window-unchecked'
    | 'window-small'
    | 'summaries-fail'
    | 'package-missing';
  readonly message: string;
}

const messages: { readonly [Code in Hint['code']]?: string } = {
  'message-appended-twice':
    'The same message object was appended twice. Append each message once, or use sync(history).',
  'history-appended-again':
    'The conversation was appended again from its beginning. Use sync(history), which appends only what is new.',
  'system-prompt-added':
    'A second system prompt was appended in the middle of the conversation. Providers put it first; to replace the first one, use sync(history).',
  'view-during-check':
    'The view was read while a compression was running. Wait for checkAndCompress() before you send.',
  'window-unchecked':
    'The window is nearly full, and nobody has checked it. Call checkAndCompress({ beforeSend: true }) before each request.',
};

/** So many messages in a row that say the same as the first ones are no coincidence. */
const leastRepeated = 4;

/** Notices misuse, at the cost of a comparison for each message. */
export class Hints {
  readonly #told = new Map<Hint['code'], Hint>();
  readonly #appended = new WeakSet<Message>();
  #repeated = 0;
  #hasChecked = false;

  constructor(readonly tell: (hint: Hint) => void) {}

  get all(): readonly Hint[] {
    return [...this.#told.values()];
  }

  /** Those that are no misuse but something to mend: the manager's warnings have them as well. */
  get warnings(): readonly string[] {
    return (['summaries-fail', 'package-missing'] as const).flatMap(
      (code) => this.#told.get(code)?.message ?? [],
    );
  }

  checked(): void {
    this.#hasChecked = true;
  }

  appending(message: Message, transcript: readonly TranscriptMessage[]): void {
    if (typeof message !== 'object' || message === null) return;
    if (this.#appended.has(message)) this.#hint('message-appended-twice');
    this.#appended.add(message);
    const { length } = transcript;
    if (message.role === 'system' && transcript.some((one) => one.message.role === 'system'))
      if (transcript[length - 1]?.message.role !== 'system') this.#hint('system-prompt-added');
    const same = transcript[this.#repeated]?.message;
    const isRepeated =
      same !== undefined && same.role === message.role && equal(same.content, message.content);
    this.#repeated = isRepeated ? this.#repeated + 1 : 0;
    if (this.#repeated >= leastRepeated && length > this.#repeated) this.#hint('history-appended-again');
  }

  viewed(isFull: boolean, isRunning: boolean): void {
    if (isRunning) this.#hint('view-during-check');
    else if (isFull && !this.#hasChecked) this.#hint('window-unchecked');
  }

  /**
   * To be called when a compression begins, with tokens as counted here: of what can never leave, of the newest results together, and of
   * what a request may have.
   */
  compressing(fixedTokens: number, unreadTokens: number, mostTokens: number): void {
    if (mostTokens - fixedTokens >= 2 * unreadTokens) return;
    this.#hint(
      'window-small',
      `System prompt, tools and pinned messages take ${fixedTokens} of the ${mostTokens} tokens that a request may have. The rest is too little for two results as large as the newest (${unreadTokens}). Use a larger window, fewer tools, or read files in parts.`,
    );
  }

  /**
   * To be called after a check compressed.
   * @param reason why checks ask no model now, if they do not
   */
  modelsPause(reason: string | undefined): void {
    if (reason === undefined) return;
    this.#hint(
      'summaries-fail',
      `No model is asked for summaries for a while; ${reason.replace(/\.$/, '')}. Use another model, or add a stage to the pipeline that needs none.`,
    );
  }

  unresolved(error: unknown): void {
    if (!CtxError.isInstance(error) || error.code !== 'package-missing') return;
    this.#hint('package-missing', `${error.problem}. ${error.remedy}`);
  }

  #hint(code: Hint['code'], message = messages[code] ?? ''): void {
    if (this.#told.has(code)) return;
    const hint = { code, message };
    this.#told.set(code, hint);
    this.tell(hint);
  }
}
