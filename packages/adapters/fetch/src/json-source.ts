import { eachChild, parseJson, skipSpace, skipValue, stringifyJson } from '@ctx/core/codec';

/** A text of JSON and what it says, so that members and messages that don't change can be sent byte for byte. */
export class JsonSource {
  readonly value: unknown;

  /** @throws SyntaxError for what is not JSON */
  constructor(readonly text: string) {
    this.value = parseJson(text);
  }

  /**
   * The text with other values for some members of its object; `undefined` takes a member away. All others are written as in this text, and so
   * are the objects of a list that stay in the list.
   */
  withMembers(members: Readonly<Record<string, unknown>>): string {
    const texts = childrenOf(this.text);
    for (const [key, value] of Object.entries(members)) {
      if (value === undefined) texts.delete(key);
      else texts.set(key, listText(value, (this.value as typeof members)[key], texts.get(key)));
    }
    return `{${[...texts].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
  }
}

/** The texts of the members of an object or the elements of a list. Of a key that stands twice the last one counts. */
function childrenOf(text: string): Map<string | number, string> {
  const texts = new Map<string | number, string>();
  eachChild(text, skipSpace(text, 0), (key, at) => {
    const end = skipValue(text, at);
    texts.set(key, text.slice(at, end));
    return end;
  });
  return texts;
}

/** A value as JSON; in a list, objects of the list before it as they are written there. */
function listText(value: unknown, before: unknown, text = ''): string {
  if (!Array.isArray(value) || !Array.isArray(before)) return stringifyJson(value);
  const texts = childrenOf(text);
  const known = new Map<unknown, string | undefined>(before.map((one, at) => [one, texts.get(at)]));
  return `[${value.map((one) => (typeof one === 'object' ? known.get(one) : undefined) ?? stringifyJson(one)).join(',')}]`;
}
