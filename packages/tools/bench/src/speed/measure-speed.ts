import { cpus } from 'node:os';
import { CtxError, packageMissing } from '@ctx/core';
import { peerPackages } from '../candidates/peers.js';
import type { Cell } from '../markdown-table.js';
import { appendAndCheck, planAndApply, toolResultsOverTenThousand } from './compressions.js';
import { type Figure, Figures } from './figures.js';
import { firstCompressions } from './first-compressions.js';
import { longConversation } from './long-conversation.js';
import { giantRequests, laterRequests } from './requests.js';
import { startUp } from './start-up.js';
import { counter } from './subjects.js';
import { folding, giantTexts, sizeChecks, unbrokenText } from './texts.js';

export interface SpeedOptions {
  /** Session files, of which long conversations are made. @default an invented conversation */
  readonly sessions?: readonly string[];
  /** Called with what was measured last. */
  onStep?(what: string): void;
}

export interface Speed {
  /** Node's version, the machine's cores and the day. */
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Median ms of bringing a conversation to half of its tokens; missing without the peers. */
  readonly peers?: { readonly columns: readonly string[]; readonly rows: readonly Cell[][] };
  /** Why the peers were left out. */
  readonly leftOut?: CtxError;
}

/** Measures how fast ctx is and how its time grows, next to LangChain and the AI SDK on the same messages, if they are installed. */
export async function measureSpeed(options: SpeedOptions = {}): Promise<Speed> {
  const { sessions = [], onStep = () => undefined } = options;
  const figures = new Figures(onStep);
  startUp(figures);
  firstCompressions(figures, sessions);
  await counter.load?.();
  for (const measure of [
    appendAndCheck,
    longConversation,
    toolResultsOverTenThousand,
    planAndApply,
    folding,
    sizeChecks,
    unbrokenText,
    giantTexts,
    giantRequests,
    laterRequests,
  ])
    await measure(figures);
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const title = `Node ${process.versions.node}, ${cpus().length} cores, ${day}`;
  return { title, figures: figures.all, ...(await besideInstalled(figures)) };
}

async function besideInstalled(figures: Figures): Promise<Pick<Speed, 'peers' | 'leftOut'>> {
  try {
    const { besidePeers, peerColumns } = await import('./beside-peers.js').catch(
      packageMissing('the comparison with others', Object.values(peerPackages).flat()),
    );
    return { peers: { columns: peerColumns, rows: await besidePeers(figures) } };
  } catch (error) {
    if (CtxError.isInstance(error) && error.code === 'package-missing') return { leftOut: error };
    throw error;
  }
}
