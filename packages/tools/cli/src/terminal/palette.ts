import pico from 'picocolors';

type Paint = (text: string) => string;

/** The colours of the output; without colour each leaves a text as it is. */
export interface Palette {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
  readonly gray: Paint;
}

export function paletteFor(hasColor: boolean): Palette {
  return pico.createColors(hasColor);
}
