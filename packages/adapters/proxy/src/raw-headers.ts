/** Headers as they came, name and value in turn: with their case, their order and those that are there twice. */
export type RawHeaders = readonly string[];

/** Headers that belong to one connection and are not passed on (RFC 9110, 7.6.1). */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The headers without those of the connection, those that it names, and some others. */
export function passedOn(raw: RawHeaders, without: readonly string[] = []): string[] {
  const named = valuesOf(raw, 'connection').flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((one) => one.trim()),
  );
  const left = new Set([...ofConnection, ...named, ...without]);
  return pairs(raw)
    .filter(([name]) => !left.has(name.toLowerCase()))
    .flat();
}

/** As `Headers`, for those who look for one; what `Headers` does not take is skipped. */
export function asHeaders(raw: RawHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs(raw)) {
    try {
      headers.append(name, value);
    } catch {
      // Such a header is passed on all the same.
    }
  }
  return headers;
}

/** All values of a header. */
export function valuesOf(raw: RawHeaders, header: string): string[] {
  return pairs(raw).flatMap(([name, value]) => (name.toLowerCase() === header ? [value] : []));
}

function pairs(raw: RawHeaders): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}
