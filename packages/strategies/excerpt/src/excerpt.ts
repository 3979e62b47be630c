import type { Steps } from '@ctx/core';
import { candidatesOf, type Source } from './candidates.js';
import { type Choice, type Chosen, choose, heldWith } from './choose.js';
import { type Claim, claimsOf, floorOf, longLines, type WindowRoom } from './claims.js';
import type { ConversationIndex } from './conversation-index.js';
import { type Counting, Draft, headTokens, oneGroup, type SourceGroups } from './draft.js';
import { favoured } from './favour.js';
import { outlineOf } from './outline.js';
import { rootLine } from './root-folder.js';
import { talkIn, talkWorth } from './talk.js';
import { nearly, spare } from './weights.js';

export interface ExcerptOptions extends Counting {
  /** The most tokens that the excerpt may have, unless its heads and the user's instructions have more. */
  readonly excerptTokens: number;
  /** The most tokens that the user's messages may take word for word. */
  readonly usersTokens: number;
  /** The tokens that all of the user's messages may take together whatever the excerpt may have. @default 0 */
  readonly usersWholeTokens?: number | undefined;
  /** … and what they may have of the window, with what programs brought with them, such as files of rules. @default nothing */
  readonly window?: WindowRoom | undefined;
  /** The tokens that the user's instructions may take whatever the excerpt may have. @default 0 */
  readonly instructionsTokens?: number | undefined;
  /** Which sources become which excerpt. @default all become one */
  readonly groups?: SourceGroups | undefined;
  /** UTF-16 units of all that the excerpts are made from. */
  readonly olderLength: number;
  /** What the sources were read with. */
  readonly index: Pick<ConversationIndex, 'terms' | 'use'>;
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the texts that stay contain it. */
  readonly held: Uint8Array;
  readonly tokensPerCharacter: number;
}

export interface Excerpt {
  /** The excerpt of the first group, and of each; undefined if nothing of it is shown. */
  readonly text: string;
  readonly texts: readonly (string | undefined)[];
  /** At least the tokens of all. */
  readonly tokens: number;
  /** The number of units in the excerpt. */
  readonly kept: number;
  /** The number of units that they were chosen from. */
  readonly of: number;
}

const noWindow: WindowRoom = { leftTokens: 0, usersTokens: 0 };

/** Chooses passages of the sources, and writes the excerpt. */
export function* excerptOf(sources: readonly Source[], options: ExcerptOptions): Steps<Excerpt> {
  const { excerptTokens, usersTokens, olderLength, weights, tokensPerCharacter, tokensOf } = options;
  const isTalk = talkIn(sources, options.index.terms);
  const sections = sources.map(({ section }) => section);
  const groups = withOutline(withNamedRoot(options.groups ?? oneGroup(sources.length)), sources, options);
  const room = excerptTokens - groups.heads.reduce((sum, head) => sum + headTokens(head, tokensOf), 0);
  const { index, instructionsTokens = 0, window = noWindow } = options;
  const named = (source: Source) => lastNamed(source, index);
  const floor = floorOf(sections, instructionsTokens, window, tokensOf);
  const verbatim = claimsOf(sources, {
    roomTokens: room,
    usersTokens,
    wholeTokens: options.usersWholeTokens ?? 0,
    floor,
    olderLength,
    isTalk,
    lastNamed: named,
    tokensOf,
  });
  yield;
  const { taken, left, positions } = restOf(sections, verbatim, { room, floorTokens: floor.tokens });
  const free = positions.map((position) => sources[position] as Source);
  const said = sources.filter((_, position) => verbatim.has(position));
  const held = heldWith(
    options.held,
    said.flatMap(({ units }) => units.map(({ terms }) => terms)),
  );
  const freeTalk = positions.map((position) => isTalk[position] === true);
  const shown = new Set([...verbatim.values()].flatMap(({ text }) => longLines(text)));
  const candidates = yield* candidatesOf(free, tokensPerCharacter, undefined, shown);
  const talk = yield* talkWorth(free, freeTalk, candidates, options.index.use);
  const worth = { weights, held, roomTokens: left, favoursUser: usersTokens > 0, lastNamed: named };
  const fixed = yield* favoured(free, candidates, worth, freeTalk, talk);
  const draft = new Draft(sources, verbatim, positions, candidates, options, groups);
  const choices = (roomTokens: number) => choose(candidates, { roomTokens, weights, held, fixed });
  const chosen = yield* filled(draft, choices, {
    maxTokens: excerptTokens - room + taken + left,
    estimated: left,
  });
  return {
    text: draft.texts[0] ?? groups.heads[0]?.intro ?? '',
    texts: draft.texts,
    tokens: yield* draft.count(),
    kept: chosen.length + verbatim.size,
    of: candidates.units.length + verbatim.size,
  };
}

/**
 * The sections that are chosen from beside those that stay word for word, by position, and the room for them. Rules stay in part whatever the excerpt
 * may have, and nothing else does.
 */
function restOf(
  sections: readonly Source['section'][],
  verbatim: ReadonlyMap<number, Claim>,
  { room, floorTokens }: { readonly room: number; readonly floorTokens: number },
) {
  const taken = [...verbatim.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  const all = [...sections.keys()].filter((position) => !verbatim.has(position));
  const rules = all.filter((position) => sections[position]?.isBrought === true);
  return rules.length > 0 && floorTokens > room
    ? { taken, left: floorTokens - taken, positions: rules }
    : { taken, left: room - taken, positions: all };
}

/** The last message that read what a source is about or in which the agent named it. What the user named counts as the newest. */
function lastNamed(
  { headingTerms, isAskedFor, section }: Source,
  { terms, use }: ExcerptOptions['index'],
): number {
  const names = headingTerms.filter((term) => terms.kind(term) === 'name');
  if (isAskedFor?.() === true || names.some((term) => use.lastBy('user', term) >= 0))
    return Number.MAX_SAFE_INTEGER;
  return Math.max(section.message, ...names.map((term) => use.lastBy('agent', term)));
}

/** Groups that write paths from a folder on only if one of their heads says which. */
function withNamedRoot({ root = '', ...groups }: SourceGroups): SourceGroups {
  const isNamed = groups.heads.some(({ trail }) => trail?.text.includes(rootLine(root)) === true);
  return isNamed ? { ...groups, root } : groups;
}

/** Names what files define where the newest source stands. */
function withOutline(
  groups: SourceGroups,
  sources: readonly Source[],
  options: ExcerptOptions,
): SourceGroups {
  const outline = outlineOf(sources, { ...options, root: groups.root ?? '' });
  if (outline === undefined) return groups;
  const newest = groups.of[sources.length - 1];
  return { ...groups, heads: groups.heads.map((head, at) => (at === newest ? { ...head, outline } : head)) };
}

/**
 * Fills a draft. If all choices fit and room is left, their tokens were estimated too high, so it chooses again, from more, unless there is
 * no more.
 */
function* filled(
  draft: Draft,
  choicesFor: (roomTokens: number) => Steps<Chosen>,
  room: { readonly maxTokens: number; readonly estimated: number },
): Steps<readonly Choice[]> {
  let roomTokens = room.estimated * spare;
  let before = -1;
  for (;;) {
    const { choices, lacksRoom } = yield* choicesFor(roomTokens);
    const chosen = yield* draft.fill(choices, room);
    const isFull = (yield* draft.count()) > room.maxTokens * nearly;
    if (isFull || !lacksRoom || chosen.length < choices.length || choices.length === before) return chosen;
    before = choices.length;
    roomTokens *= 2;
  }
}
