import type { Outcome, ReportMessage } from '../report-data.js';
import { svgElement } from './element.js';

/** The meaning of a bar: an outcome, an added message or, in the row of the session itself, a role. */
export type BarKind = Outcome | 'added' | `role-${ReportMessage['role']}`;

/** The name of each kind, as the legend says it. */
export const kindNames: Record<BarKind, string> = {
  kept: 'kept',
  cleared: 'cleared',
  truncated: 'truncated',
  folded: 'folded',
  summarised: 'summarised',
  excerpted: 'excerpted',
  dropped: 'dropped',
  added: 'added',
  'role-system': 'system',
  'role-user': 'user',
  'role-assistant': 'assistant',
  'role-tool': 'tool',
};

/** Strokes of a 6 × 6 tile that show the lost part of a message, one drawing for each outcome. */
const tiles: Partial<Record<BarKind, string>> = {
  cleared: 'M0 1H6M0 4H6',
  truncated: 'M1 0V6M4 0V6',
  folded: 'M0 1H6M0 4H6M1 0V6M4 0V6',
  summarised: 'M1 1h2v2h-2zM4 4h2v2h-2z',
  excerpted: 'M-1 1L1 -1M0 6L6 0M5 7L7 5',
  dropped: 'M-1 5L1 7M0 0L6 6M5 -1L7 1',
};

/** The colour of a kind, as a CSS variable that follows the reader's scheme. */
export const kindColour = (kind: BarKind): string => `var(--${kind})`;

/** The fill for the lost part of a message. */
export const goneFill = (kind: BarKind): string => (tiles[kind] ? `url(#gone-${kind})` : kindColour(kind));

/** The patterns that `goneFill` names; the document must contain them once. */
export function gonePatterns(): SVGElement {
  const patterns = Object.entries(tiles).map(([kind, path]) =>
    svgElement(
      'pattern',
      { id: `gone-${kind}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
      svgElement('rect', { width: 6, height: 6, fill: `var(--${kind})`, opacity: 0.2 }),
      svgElement('path', {
        d: path,
        stroke: `var(--${kind})`,
        'stroke-width': 1,
        fill: kind === 'summarised' ? `var(--${kind})` : 'none',
      }),
    ),
  );
  return svgElement(
    'svg',
    { width: 0, height: 0, 'aria-hidden': 'true', style: 'position:absolute' },
    svgElement('defs', {}, ...patterns),
  );
}

/** A sample of a kind for legends: the part that is left is solid, the lost part is patterned. */
export function kindSample(kind: BarKind): SVGElement {
  const isWhole = !tiles[kind];
  const left = isWhole ? 16 : kind === 'truncated' || kind === 'folded' || kind === 'excerpted' ? 5 : 0;
  return svgElement(
    'svg',
    { width: 16, height: 16, 'aria-hidden': 'true' },
    svgElement('rect', { width: 16, height: 16, fill: goneFill(kind) }),
    svgElement('rect', { y: 16 - left, width: 16, height: left, fill: kindColour(kind) }),
  );
}
