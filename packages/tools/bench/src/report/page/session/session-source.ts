import type { CandidateSteps, SessionReport, SessionTexts } from '../../session-data.js';

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

/** The JSON of a pack: base64 of gzip. */
async function unpack(id: string): Promise<unknown> {
  const letters = atob(document.getElementById(id)?.textContent ?? '');
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}
