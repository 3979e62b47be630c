import { stringifyJson } from '@ctx/core/codec';
import pico from 'picocolors';

/** Line feeds and tabs stay; everything else that a terminal could take for a command or a line's end, or that turns text around, goes. */
const unseen = /[\u2028\u2029]|[^\P{C}\n\t]/gu;

/** A text of a session in one line, safe to print. */
export function shownLine(text: string): string {
  return text.replace(unseen, ' ').replace(/\s+/g, ' ').trim();
}

/** A value as JSON that is safe to print: what is not shown in a text is escaped here, so that a program reads the same value. */
export function shownJson(value: unknown, indent?: number): string {
  return escapedJson(stringifyJson(value, indent));
}

/** The same for JSON, or lines of JSON: characters that are not shown are in strings only. */
export function escapedJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unseen, (character) => character.split('').map(escaped).join(''));
}

/** `48,643` */
export function figure(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `12 %`, and `< 1 %` for what is there but rounds to nothing. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '< 1 %';
  return `${Math.round(share * 100)} %`;
}

/** `1 message`, `2 messages` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** Ms. */
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** `3 minutes ago`; of a time in the future, as a wrong clock gives it, `now`. */
export function ago(ms: number): string {
  if (ms < minute) return 'now';
  const [size, name] = ms < hour ? [minute, 'minute'] : ms < day ? [hour, 'hour'] : [day, 'day'];
  return `${counted(Math.floor(ms / Number(size)), String(name))} ago`;
}

/** The colours of the output; without colour each leaves a text as it is. */
export type Palette = Omit<ReturnType<typeof pico.createColors>, 'isColorSupported'>;

export const paletteFor = (hasColor: boolean): Palette => pico.createColors(hasColor);
