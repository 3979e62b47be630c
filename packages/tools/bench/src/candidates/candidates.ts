import { packageMissing } from '@ctx/core';
import { baselines } from './baselines.js';
import { type Candidate, type Reduce, reducing } from './candidate.js';
import { ctxCandidates } from './ctx.js';

/** As `npm install` takes them; the versions are those of the manifest's peer dependencies. */
export const peerPackages = {
  LangChain: ['langchain@1', '@langchain/core@1'],
  'the AI SDK': ['ai@6'],
} as const;

/** Loads code that imports a peer: whoever compares nothing has none of them. */
function loader<Code>(peer: keyof typeof peerPackages, code: () => Promise<Code>): () => Promise<Code> {
  return () => code().catch(packageMissing(`the comparison with ${peer}`, peerPackages[peer]));
}

const langChain = loader('LangChain', () => import('./langchain.js'));
const aiSdk = loader('the AI SDK', () => import('./ai-sdk.js'));

/** A peer's method, found in code that is loaded when it is needed. */
function peer<Code>(name: string, load: () => Promise<Code>, method: (code: Code) => Reduce): Candidate {
  const reduce: Reduce = async (...task) => method(await load())(...task);
  return reducing(name, 'peer', reduce, async () => void (await load()));
}

/** LangChain and the AI SDK, with what each offers to make a conversation smaller. */
const peers: readonly Candidate[] = [
  peer('LangChain trimMessages', langChain, ({ trim }) => trim),
  peer('LangChain ClearToolUsesEdit', langChain, ({ clearToolUses }) => clearToolUses),
  peer('AI SDK pruneMessages', aiSdk, ({ prune }) => prune),
];

/** Our candidates, the peers, and simple methods to compare with. */
export const candidates: readonly Candidate[] = [...ctxCandidates, ...peers, ...baselines];

/** The candidates that follow a session without libraries of others: our strategies and the simple methods. */
export const replayedCandidates: readonly Candidate[] = [...ctxCandidates, ...baselines].filter(
  ({ kind, replay }) => replay !== undefined && kind !== 'control',
);

/** Tokens: the benchmark's larger limit. A window that a session nearly fits says little. */
const mostDefault = 64_000;

/** The limit that a session is replayed under if none is given: half of its tokens, at most 64,000. */
export const defaultLimit = (tokens: number): number => Math.min(mostDefault, Math.ceil(tokens / 2));
