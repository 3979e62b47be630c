import { KnownBody } from './known-body.js';

/** Bodies that are kept: one for each of as many conversations as are in memory. */
const mostBodies = 200;
/** UTF-16 units of all bodies that are kept; half of them for a single one at most. */
const mostCharacters = 32_000_000;

/** The newest body of each conversation, so that what it said is recognised in the next one by its text, not parsed, decoded and compared. */
export class KnownBodies {
  /** By whom they are from, the one used longest ago first. */
  readonly #bodies = new Map<KnownBody, string>();
  #characters = 0;

  get size(): number {
    return this.#bodies.size;
  }

  /** The characters of all bodies that are kept. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Reads a body. What it has in common with one of the same sender are the same objects.
   * @param from who sends it, and in which form: nobody is given what another one has sent
   * @throws SyntaxError for what is no JSON
   */
  read(text: string, field: string, from: string): KnownBody {
    let [before, shared]: [KnownBody | undefined, number] = [undefined, 0];
    for (const [body, sender] of this.#bodies) {
      if (sender !== from || body.field !== field) continue;
      const more = body.sharedWith(text);
      if (more < Math.max(1, shared)) continue;
      [before, shared] = [body, more];
    }
    const body = before?.continuedBy(text, shared) ?? new KnownBody(text, field);
    // A body that has most of another one goes on with it, so nobody will ask for the other one again.
    if (before !== undefined && shared * 2 >= before.list.length) this.#forget(before);
    this.#keep(body, from);
    return body;
  }

  #keep(body: KnownBody, from: string): void {
    if (body.text.length > mostCharacters / 2) return;
    this.#bodies.set(body, from);
    this.#characters += body.text.length;
    for (const oldest of this.#bodies.keys()) {
      if (this.#bodies.size <= mostBodies && this.#characters <= mostCharacters) return;
      this.#forget(oldest);
    }
  }

  #forget(body: KnownBody): void {
    if (this.#bodies.delete(body)) this.#characters -= body.text.length;
  }
}
