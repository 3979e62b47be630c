import { type Codec, type ContextManager, type Message, type Steps, slicer } from '@ctx/core';
import { createContextManager, restore, restoreInSteps } from '@ctx/presets';
import { longer } from './asked-cache.js';
import type { Asked } from './asked-request.js';
import { Conversation } from './conversation.js';
import type { ConversationsOptions } from './conversations-options.js';
import { keyOf, Live, secretOf } from './live-conversation.js';
import { managerOptionsFor } from './manager-options.js';
import { SharedState } from './shared-state.js';
import { codeOf, type Warnings } from './warnings.js';

/** Makes conversations: new ones, those that depart from another, and those that were kept. */
export class LiveMaker<Native> {
  /** All requests share these slices, so that slices of two requests never follow each other without a pause. */
  readonly inSlices: ReturnType<typeof slicer>;

  constructor(
    readonly codec: Codec<Native>,
    readonly options: ConversationsOptions,
    readonly warnings: Warnings,
  ) {
    this.inSlices = slicer(options.reading ?? options.slices);
  }

  managerOptions(asked: Asked<Native>, key = keyOf(asked)): ReturnType<typeof managerOptionsFor> {
    return managerOptionsFor(asked, key, this.options);
  }

  /**
   * A new conversation that has read the history. A long one is checked and noted in slices.
   * @param relative another from which it is known what the provider counts
   */
  async begun(asked: Asked<Native>, relative?: Live<Native>): Promise<Live<Native>> {
    const live = this.made(this.manager(this.managerOptions(asked), relative), keyOf(asked), asked);
    await this.read(asked.messages, live.conversation.manager);
    return live;
  }

  /** The same as `fork` in slices. */
  async departing(from: Live<Native>, asked: Asked<Native>): Promise<Live<Native>> {
    const key = keyOfFork(from, asked);
    const before = from.conversation.manager.snapshot();
    const manager = await this.inSlices(restoreInSteps(before, this.managerOptions(asked, key)));
    return this.made(manager, key, asked, from.shared?.fork(from, asked));
  }

  /**
   * A new manager. It starts with the calibration of another conversation of the same sender, if there is one, and knows whether that was with
   * another model.
   */
  manager(options: ReturnType<typeof managerOptionsFor>, relative?: Live<Native>): ContextManager {
    const manager = createContextManager(options);
    if (relative === undefined) return manager;
    const own = { ...manager.snapshot(), model: relative.model };
    if (relative.conversation.manager.stats().quality !== 'calibrated')
      return relative.model === options.model ? manager : restore(own, options);
    const { calibration, meter } = relative.conversation.manager.snapshot();
    const { mean, samples } = calibration;
    return restore(
      {
        ...own,
        calibration: { ...own.calibration, mean, samples },
        meter: { ...own.meter, learnedLoaded: meter?.learnedLoaded },
      },
      options,
    );
  }

  /** Has a new manager read a history, in slices. */
  async read(messages: readonly Message[], manager: ContextManager): Promise<ContextManager> {
    await manager.loadTokenizer();
    await this.inSlices(manager.countAhead(messages));
    return this.inSlices(appended(messages, manager));
  }

  /** A conversation of its own that departs from another. */
  fork(from: Live<Native>, asked: Asked<Native>): Live<Native> {
    const key = keyOfFork(from, asked);
    const manager = restore(from.conversation.manager.snapshot(), this.managerOptions(asked, key));
    return this.made(manager, key, asked, from.shared?.fork(from, asked));
  }

  /**
   * Gives a conversation another manager if another window was learned, a cache is asked for that lives longer, or another model has answered
   * meanwhile.
   */
  suit(live: Live<Native>, asked: Asked<Native>): void {
    const cache = longer(live.cache, asked.cache);
    const missed = live.missedUntil(asked);
    if (live.learned === asked.learned && live.cache === cache && missed === 0) return;
    if (asked.learned !== undefined && live.learned !== asked.learned) {
      const { contextWindow } = this.options.config ?? {};
      const remedy =
        contextWindow === undefined
          ? 'Set contextWindow to the window of the model.'
          : `contextWindow is ${contextWindow.toLocaleString('en-US')}: set it to the window that the provider has.`;
      const tokens = asked.learned.toLocaleString('en-US');
      const message = `The provider refused a request as too large: from now on requests have at most ${tokens} tokens. ${remedy}`;
      this.warnings.once('window-learned', message);
    }
    const options = this.managerOptions({ ...asked, cache }, live.key);
    const manager = restore(heardBy(live, missed), options);
    live.conversation = this.#conversation(manager, live.key, asked);
    live.learned = asked.learned;
    live.cache = cache;
    live.take(asked);
  }

  made(
    manager: ContextManager,
    key: string,
    asked: Asked<Native>,
    shared = this.sharedOf(asked),
  ): Live<Native> {
    return new Live(this.#conversation(manager, key, asked), key, asked, shared);
  }

  #conversation(manager: ContextManager, key: string, { request }: Asked<Native>): Conversation<Native> {
    try {
      this.options.onManager?.(manager, request.key ?? key);
    } catch {
      this.warnings.once('on-manager-failed', '`onManager` threw. The conversation goes on.');
    }
    if (request.summarize !== undefined)
      manager.on('compression-fail', ({ strategy, error }) => {
        const message = `A summary could not be used (${codeOf(error)}): requests have the excerpt alone`;
        if (strategy === 'condense') this.warnings.once('summary-failed', message);
      });
    for (const warning of manager.warnings) this.warnings.once('manager-warning', warning, warning);
    return new Conversation(this.codec, manager, this.warnings, request);
  }

  /** What other processes know of the conversation that a history begins; `undefined` where there is no store of states. */
  sharedOf(asked: Asked<Native>): SharedState | undefined {
    const { states } = this.options;
    return states && new SharedState(states, keyOf(asked), secretOf(asked), this.inSlices);
  }
}

const keyOfFork = ({ key }: Live<unknown>, { hashes }: Asked<unknown>) =>
  `${key}/${hashes.at(-1)?.toString(36)}`;

/** Its state as if this model had been asked with all that it missed, so that its cache is as old as its own request. */
function heardBy({ conversation: { manager } }: Live<unknown>, missed: number): unknown {
  const { meter, ...snapshot } = manager.snapshot();
  const askedMessages = missed > 0 ? manager.transcript.length + missed : meter?.askedMessages;
  return { ...snapshot, meter: { ...meter, askedMessages } };
}

function* appended(messages: readonly Message[], manager: ContextManager): Steps<ContextManager> {
  for (const message of messages) {
    yield;
    manager.append(message);
  }
  return manager;
}
