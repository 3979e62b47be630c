/** Pronouns, and words that say when, in English, German, French, Spanish, Italian, Portuguese, Dutch and Russian. */
const words = {
  speaker: wordSet(
    "i i'm i've i'd i'll my me mine we our ich mein meine meinen meinem meiner mir mich wir unser unsere je j mon ma mes moi nous notre " +
      'nos yo mi mis nosotros io mio mia miei noi nostro eu meu minha nosso nossa ik mijn wij я мой моя мне меня мы наш наша',
  ),
  listener: wordSet(
    "you your you're yours du dein deine deinen dir dich ihr euch tu ton tes toi vous votre vos tú tus usted vosotros tuo tua voi vostro " +
      'você seu sua jij jouw jullie ты твой вы ваш ваша',
  ),
  time: wordSet(
    'yesterday today tomorrow tonight ago last next week weeks weekend month months year years morning evening lately recently ' +
      'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag ' +
      'lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo ' +
      'lunedì martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ' +
      'january february april june july september october november december januar februar märz juni juli oktober dezember ' +
      'janvier février avril juin juillet août septembre octobre novembre décembre enero febrero abril junio julio septiembre octubre ' +
      'noviembre diciembre gennaio febbraio aprile giugno luglio settembre ottobre dicembre ' +
      'gestern heute morgen vorgestern letzte letzten letzter letztes nächste nächsten nächster nächstes woche wochenende monat jahr abend ' +
      'aujourd hui demain dernier dernière prochain prochaine semaine mois année ayer hoy mañana pasado pasada próximo próxima semana año ' +
      'ieri oggi domani scorso scorsa prossimo prossima settimana mese anno ontem hoje amanhã mês ano ' +
      'gisteren vandaag vorige volgende maand jaar вчера сегодня завтра прошлый прошлой прошлом следующий неделя неделю месяц год году назад',
  ),
} as const;

/** The same in Chinese, Japanese and Korean, which have no spaces around them. */
const signs = {
  speaker: ['我', '私', '僕', '俺', '나는', '내가', '저는', '제가', '우리'],
  listener: ['你', '您', 'あなた', '너는', '당신'],
  time: '昨天 今天 明天 上周 下周 上个月 下个月 今年 去年 明年 昨日 今日 明日 先週 来週 先月 来月 来年 어제 오늘 내일 지난 다음'.split(
    ' ',
  ),
} as const;

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Whether a text has a pronoun of the first or of the second person, or a word that says when. */
export function mentions(what: keyof typeof words, text: string): boolean {
  const said = text.replaceAll('’', "'");
  return (
    (said.match(/[\p{L}']+/gu) ?? []).some((word) => words[what].has(word.toLowerCase())) ||
    signs[what].some((sign) => said.includes(sign))
  );
}
