import type { TermKind } from './term.js';

/** What a word means next to a number. */
export interface NumberWord {
  /** The kind of term that it forms with a number. A day of the week is a date without one. */
  readonly kind: Extract<TermKind, 'quantity' | 'amount' | 'date' | 'error'>;
  /** Its normal form; of a month, its number. */
  readonly value: string;
}

/** Groups of words with the same meaning. The first word of a group is the normal form. */
const units =
  'ms milliseconds msec|us µs|ns|s sec secs second seconds|min mins minute minutes|h hr hrs hour hours|day days|week weeks|month months|year years|b byte bytes|kb kib|mb mib|gb gib|tb tib|k|px|em|rem|kg|g|mg|lb lbs|oz|km|m|cm|mm|mi miles mile|ft|hz|khz|mhz|ghz|w|kw|kwh|fps|rps|qps|% percent|tokens token';
const currencies =
  '$ usd dollar dollars|€ eur euro euros|£ gbp pound pounds|¥ jpy yen cny rmb yuan|₹ inr rupees rupee|chf francs|₩ krw won|₽ rub';
const codes = 'code|status|http|exit|signal|errno';
const days =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|' +
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|' +
  'lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag';
/** Months from January to December, in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const months =
  'january jan januar janvier enero gennaio janeiro januari|february feb februar février febrero febbraio fevereiro februari|march mar märz mars marzo março maart|april apr avril abril aprile|may mai mayo maggio maio mei|june jun juni juin junio giugno junho|july jul juli juillet julio luglio julho|august aug août agosto augustus|september sep septembre septiembre settembre setembro|october oct oktober octobre octubre ottobre outubro|november nov novembre noviembre novembro|december dec dezember décembre diciembre dicembre dezembro';

const numberWords = new Map<string, NumberWord>();
for (const [kind, groups] of [
  ['quantity', units],
  ['amount', currencies],
  ['error', codes],
  ['date', months],
] as const)
  for (const [at, group] of groups.split('|').entries())
    for (const word of group.split(' '))
      numberWords.set(word, {
        kind,
        value: kind === 'date' ? `${at + 1}`.padStart(2, '0') : (group.split(' ')[0] as string),
      });
for (const word of days.split('|')) numberWords.set(word, { kind: 'date', value: '' });

/** What a lower-case word means next to a number; undefined if nothing. */
export function numberWord(word: string): NumberWord | undefined {
  return numberWords.get(word);
}
