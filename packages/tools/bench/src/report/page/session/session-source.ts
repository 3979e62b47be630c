import type { CandidateSteps, SessionParts, SessionReport, SessionTexts } from '../../session-data.js';

/** A session to step through, whose texts are unpacked when they are asked for. */
export interface SessionSource {
  readonly report: SessionReport;
  texts(): Promise<SessionTexts>;
  /** @param candidate position in `report.candidates` */
  steps(candidate: number): Promise<CandidateSteps>;
}

/** The session in the page's packs. */
export function packedSource(report: SessionReport): SessionSource {
  const known = new Map<string, Promise<unknown>>();
  const unpacked = <Value>(id: string) => {
    const value = known.get(id) ?? unpack(id);
    known.set(id, value);
    return value as Promise<Value>;
  };
  return {
    report,
    texts: () => unpacked('texts'),
    steps: (candidate) => unpacked(`steps-${candidate}`),
  };
}

/** A session that was just replayed. */
export function readySource({ report, texts, steps }: SessionParts): SessionSource {
  return {
    report,
    texts: () => Promise.resolve(texts),
    steps: (candidate) => Promise.resolve(steps[candidate] ?? { made: [], views: [], missed: [], costs: [] }),
  };
}

/** The JSON of a pack. */
async function unpack(id: string): Promise<unknown> {
  return JSON.parse(await unpackText(id));
}

/** The text of a pack: base64 of gzip. */
export async function unpackText(id: string): Promise<string> {
  const letters = atob(document.getElementById(id)?.textContent ?? '');
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}
