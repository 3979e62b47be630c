import { isCode, isDay, isErrorWord, isMoney, isMonth, isStop, isUnit } from './token-flags.js';

/** What a word means to its neighbours, as flags, and its normal form. */
export interface WordMeaning {
  flags: number;
  value: string;
}

/** The meaning of a lower-case word; undefined if it is not in the lexicon. */
export function meaningOf(word: string): WordMeaning | undefined {
  meanings ??= learned();
  return meanings.get(word);
}

let meanings: Map<string, WordMeaning> | undefined;

/** Groups of words with the same meaning. The first word of a group is the normal form. */
const units =
  'ms milliseconds msec|us µs|ns|s sec secs second seconds|min mins minute minutes|h hr hrs hour hours|day days|week weeks|month months|year years|b byte bytes|kb kib|mb mib|gb gib|tb tib|k|px|em|rem|kg|g|mg|lb lbs|oz|km|m|cm|mm|mi miles mile|ft|hz|khz|mhz|ghz|w|kw|kwh|fps|rps|qps|percent|tokens token';
const currencies =
  '$ usd dollar dollars|€ eur euro euros|£ gbp pound pounds|¥ jpy yen cny rmb yuan|₹ inr rupees rupee|chf francs|₩ krw won|₽ rub';
const codeWords = 'code|status|http|exit|signal|errno';
/** Months from January to December, in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const months =
  'january jan januar janvier enero gennaio janeiro januari|february feb februar février febrero febbraio fevereiro februari|march mar märz mars marzo março maart|april apr avril abril aprile|may mai mayo maggio maio mei|june jun juni juin junio giugno junho|july jul juli juillet julio luglio julho|august aug août agosto augustus|september sep septembre septiembre settembre setembro|october oct oktober octobre octubre ottobre outubro|november nov novembre noviembre novembro|december dec dezember décembre diciembre dicembre dezembro';
const weekdays =
  'monday tuesday wednesday thursday friday saturday sunday ' +
  'montag dienstag mittwoch donnerstag freitag samstag sonntag ' +
  'lundi mardi mercredi jeudi vendredi samedi dimanche ' +
  'lunes martes miércoles jueves viernes sábado domingo ' +
  'lunedì martedì mercoledì giovedì venerdì sabato domenica ' +
  'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag';
const stopWords =
  'the and but for not you are was has had can all any our out she her his him its who how why what when where which while with this that these those then than them they their there here have been being were will would could should shall must from into onto about above after again also because before below between both does doing done down during each ever every just like more most much only other over same some such through under until upon very your yours yourself let yes too own off ' +
  'der die das den dem des ein eine einer eines einem und oder aber nicht auch sich mit von für auf aus bei nach über wird werden sind war haben hat ich wir sie ihr ' +
  'les des une est pas que qui pour dans sur avec sont par plus mais vous nous elle ils cette ces leur être avoir ' +
  'los las una uno con por para como pero más este esta estos son del sus muy está ser ' +
  'gli che non per una della delle sono alla nel più anche questo questa ' +
  'não uma com para mais como mas dos das seu sua pelo ' +
  'het een van niet zijn voor met dat maar ook naar';

function learned(): Map<string, WordMeaning> {
  const found = new Map<string, WordMeaning>();
  const learn = (word: string, flags: number, value = '') => {
    const known = found.get(word);
    if (known) known.flags |= flags;
    else found.set(word, { flags, value });
  };
  for (const [list, flag] of [
    [units, isUnit],
    [currencies, isMoney],
    [codeWords, isCode],
  ] as const)
    for (const group of list.split('|')) {
      const names = group.split(' ');
      for (const name of names) learn(name, flag, names[0]);
    }
  for (const [at, names] of months.split('|').entries())
    for (const name of names.split(' ')) learn(name, isMonth, `${at + 1}`.padStart(2, '0'));
  for (const name of weekdays.split(' ')) learn(name, isDay);
  for (const word of stopWords.split(' ')) learn(word, isStop);
  learn('error', isErrorWord);
  return found;
}
