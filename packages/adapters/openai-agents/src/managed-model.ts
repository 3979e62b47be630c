import { type Conversations, reportedUsage, type Turn, type Warnings } from '@ctx/conversation';
import { isOverflowError } from '@ctx/core/codec';
import type {
  Model,
  ModelInputData,
  ModelRequest,
  ModelResponse,
  ModelRetryAdviceRequest,
  StreamEvent,
} from '@openai/agents';
import { HeldEvents } from './held-events.js';
import { declared } from './model-and-tools.js';

interface Managing {
  readonly conversations: Conversations<ModelInputData>;
  readonly warnings: Warnings;
  readonly keyOf: ((request: ModelRequest) => string | undefined) | undefined;
  readonly name: string | undefined;
}

/** A turn and the request with what it sends. */
interface Managed {
  readonly turn: Turn<ModelInputData>;
  readonly next: ModelRequest;
}

interface Answer {
  readonly usage: { readonly inputTokens: number };
}

/** A model that sends what a turn of the conversation says. */
export class ManagedModel implements Model {
  constructor(
    readonly model: Model,
    readonly managing: Managing,
  ) {}

  get supportsPromptModelSelection(): boolean {
    return this.model.supportsPromptModelSelection ?? false;
  }

  getRetryAdvice(args: ModelRetryAdviceRequest): ReturnType<NonNullable<Model['getRetryAdvice']>> {
    return this.model.getRetryAdvice?.(args);
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const begun = await this.#begin(request);
    if (begun === undefined) return this.model.getResponse(request);
    let managed: Managed = begun;
    for (;;) {
      try {
        const response = await this.model.getResponse(managed.next);
        await this.#answered(managed.turn, response);
        return response;
      } catch (error) {
        const smaller = await this.#smaller(error, request, managed);
        if (smaller === undefined) throw error;
        managed = smaller;
      }
    }
  }

  /** What begins an answer is held back until there is something of it, as a smaller request may still have to be sent. */
  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const begun = await this.#begin(request);
    if (begun === undefined) return yield* this.model.getStreamedResponse(request);
    let managed: Managed = begun;
    for (;;) {
      const held = new HeldEvents();
      try {
        for await (const event of this.model.getStreamedResponse(managed.next)) {
          yield* held.after(event);
          if (event.type === 'response_done') await this.#answered(managed.turn, event.response);
        }
        yield* held.rest();
        return;
      } catch (error) {
        const smaller = held.hasBegun
          ? undefined
          : await this.#smaller(held.overflow() ?? error, request, managed);
        if (smaller === undefined) {
          yield* held.rest();
          throw error;
        }
        managed = smaller;
      }
    }
  }

  async #begin(request: ModelRequest): Promise<Managed | undefined> {
    const { warnings, conversations, keyOf, name } = this.managing;
    if (request.previousResponseId !== undefined || request.conversationId !== undefined) {
      warnings.once('conversation-stored', 'The server keeps the conversation: its requests pass unchanged');
      return undefined;
    }
    return warnings.attempt(async () => {
      const key = keyOf?.(request);
      const turn = await conversations.turn(historyOf(request), {
        model: name,
        tools: declared([...request.tools, ...request.handoffs]),
        ...(key !== undefined && { scope: key, key }),
      });
      return { turn, next: withHistory(request, await turn.prepare({ signal: request.signal })) };
    });
  }

  async #answered(turn: Turn<ModelInputData>, { usage }: Answer): Promise<void> {
    await this.managing.warnings.attempt(() =>
      turn.answered(reportedUsage({ usage: { inputTokens: usage.inputTokens } })),
    );
  }

  /** What to send after an error; `undefined` if it is none that a smaller request cures, or nothing can be made smaller. */
  async #smaller(error: unknown, request: ModelRequest, { turn }: Managed): Promise<Managed | undefined> {
    if (!isOverflowError(error)) return undefined;
    const { signal } = request;
    const input = await this.managing.warnings.attempt(() => turn.recovered(error, { signal }));
    return input === undefined ? undefined : { turn, next: withHistory(request, input) };
  }
}

function historyOf({ systemInstructions, input }: ModelRequest): ModelInputData {
  return {
    input: typeof input === 'string' ? [{ role: 'user', content: input }] : input,
    ...(systemInstructions !== undefined && { instructions: systemInstructions }),
  };
}

/** The request with other items; the same request if they are the same. */
function withHistory(request: ModelRequest, { input }: ModelInputData): ModelRequest {
  const before = request.input;
  const isSame =
    typeof before === 'string'
      ? input.length === 1
      : input.length === before.length && input.every((item, at) => item === before[at]);
  return isSame ? request : { ...request, input };
}
