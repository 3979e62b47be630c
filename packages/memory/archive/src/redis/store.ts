import { digestOf } from '@ctx/core/kit';
import { conflict } from '../archive-errors.js';
import { indexed } from '../search/indexed-passage.js';
import { byPlace, type Passage } from '../search/passage.js';
import { chosenTerms, lengthShare, saturation } from '../search/ranking.js';
import { digestsOf, termDigest, tokenOf } from '../search/term-token.js';
import type { IndexedPassage, Matches, PassageFilter, PassageStore } from '../store.js';
import { passageOf, storedPassage, storedPath, storedText } from '../stored-form.js';
import type { RedisScripts } from './scripts.js';

/** Terms of a usual passage. The worth of a posting is reckoned when it is put, when the average of all is not known. */
const usualLength = 60;

/** Keeps passages in Redis. The keys of a conversation have one hash tag, so that a cluster has them on one node. */
export class RedisStore implements PassageStore {
  constructor(
    readonly redis: RedisScripts,
    readonly prefix: string,
  ) {}

  async put(...[conversation, parts, now, originals]: Parameters<PassageStore['put']>): Promise<number> {
    const seed = seedOf(conversation);
    const values = parts.map(({ message, part, digest, passages }) => ({
      place: `${message}/${part}`,
      message,
      digest: String(digest),
      passages: passages.map((one) => storedForm(seed, one)),
    }));
    const answer = String(
      await this.redis.run(
        'put',
        [this.#base(conversation), this.#changed],
        [JSON.stringify(values), String(now), storedText(conversation), JSON.stringify(originals)],
      ),
    );
    if (answer.startsWith('conflict ')) throw conflict(Number(answer.slice('conflict '.length)));
    return Number(answer);
  }

  async originals(conversation: string, first: number, last: number): Promise<readonly unknown[]> {
    const range = [String(first), String(last)];
    return (await this.redis.run('originals', [this.#base(conversation)], range)) as unknown[];
  }

  message(conversation: string, message: number): Promise<readonly Passage[]> {
    return this.#messages(conversation, message, message);
  }

  async search(...[conversation, terms, filter, most]: Parameters<PassageStore['search']>): Promise<Matches> {
    const seed = seedOf(conversation);
    const base = this.#base(conversation);
    const tokens = terms.map((term) => tokenOf(termDigest(seed, term)));
    const [total = 0, ...counts] = (
      (await this.redis.run('counts', [base], [JSON.stringify(tokens)])) as unknown[]
    ).map(Number);
    const chosen = chosenTerms(terms, counts, total);
    if (chosen.length === 0) return { hits: [], terms: [] };
    const weights = chosen.map(({ term, idf }) => [tokenOf(termDigest(seed, term)), idf]);
    const asked = filterOf(filter);
    const found = (await this.redis.run(
      'search',
      [base],
      [JSON.stringify(weights), JSON.stringify(asked), String(most)],
    )) as unknown[];
    const hits = found.flatMap((data, at) =>
      at % 2 === 0 ? [{ passage: passageOf(data), score: Number(found[at + 1]) }] : [],
    );
    return { hits, terms: chosen };
  }

  async forget(conversation: string, from: number, to: number): Promise<void> {
    const passages = await this.#messages(conversation, from <= 1 ? 0 : from, to);
    await this.#remove(conversation, passages, from, to);
  }

  async shrink(conversation: string, maxCharacters: number): Promise<void> {
    const characters = Number(await this.redis.run('characters', [this.#base(conversation)]));
    let over = characters - maxCharacters;
    if (over <= 0) return;
    const gone: Passage[] = [];
    for (const passage of await this.#messages(conversation, 0, Number.POSITIVE_INFINITY)) {
      if (over <= 0 && passage.message !== gone.at(-1)?.message) break;
      over -= passage.text.length;
      gone.push(passage);
    }
    await this.#remove(conversation, gone, 0, gone.at(-1)?.message ?? 0);
  }

  async expire(before: number): Promise<void> {
    const late = (await this.redis.run('expired', [this.#changed], [String(before)])) as string[];
    for (const name of late) await this.forget(JSON.parse(name) as string, 1, Number.POSITIVE_INFINITY);
  }

  /** The client is the caller's. */
  async close(): Promise<void> {}

  get #changed(): string {
    return `${this.prefix}changed`;
  }

  #base(conversation: string): string {
    return `${this.prefix}{${tokenOf(seedOf(conversation))}:${storedText(conversation)}}:`;
  }

  async #messages(conversation: string, first: number, last: number): Promise<Passage[]> {
    const range = [String(first), scoreOf(last)];
    const data = (await this.redis.run('messages', [this.#base(conversation)], range)) as unknown[];
    return data.map(passageOf).sort(byPlace);
  }

  async #remove(conversation: string, passages: readonly Passage[], from: number, to: number): Promise<void> {
    const seed = seedOf(conversation);
    const values = passages.map((passage) => ({
      place: placeOf(passage),
      part: `${passage.message}/${passage.part}`,
      characters: passage.text.length,
      terms: [...digestsOf(seed, indexed(passage)).keys()].map(tokenOf),
    }));
    await this.redis.run(
      'remove',
      [this.#base(conversation), this.#changed],
      [JSON.stringify(values), storedText(conversation), String(from), scoreOf(to)],
    );
  }
}

function scoreOf(number: number): string {
  return number === Number.POSITIVE_INFINITY ? '+inf' : String(number);
}

function seedOf(conversation: string): number {
  return digestOf(0, conversation);
}

function placeOf({ message, part, passage }: Passage): string {
  return `${message}/${part}/${passage}`;
}

function storedForm(seed: number, one: IndexedPassage) {
  const { passage } = one;
  const long =
    1 - lengthShare + (lengthShare * (one.terms.names.length + one.terms.words.length)) / usualLength;
  const worth = (often: number) => (often * (saturation + 1)) / (often + saturation * long);
  const { kind, time, path } = passage;
  return {
    place: placeOf(passage),
    data: storedPassage(passage),
    about: JSON.stringify({ kind, time, ...(path === undefined ? {} : { path: storedPath(path) }) }),
    characters: passage.text.length,
    terms: [...digestsOf(seed, one)].map(([digest, often]) => [tokenOf(digest), worth(often)]),
  };
}

/** `any` is false where nothing is skipped; absent fields are not asked for. */
function filterOf({ kinds, path, since }: PassageFilter) {
  return {
    any: kinds !== undefined || path !== undefined || since !== undefined,
    kinds,
    since,
    ...(path === undefined ? {} : { path: storedPath(path) }),
  };
}
