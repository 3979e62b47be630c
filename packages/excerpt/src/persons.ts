/** Pronouns in English, German, French, Spanish, Italian, Portuguese, Dutch and Russian. */
const words = {
  speaker: wordSet(
    "i i'm i've i'd i'll my me mine we our ich mein meine meinen meinem meiner mir mich wir unser unsere je j mon ma mes moi nous notre " +
      'nos yo mi mis nosotros io mio mia miei noi nostro eu meu minha nosso nossa ik mijn wij я мой моя мне меня мы наш наша',
  ),
  listener: wordSet(
    "you your you're yours du dein deine deinen dir dich ihr euch tu ton tes toi vous votre vos tú tus usted vosotros tuo tua voi vostro " +
      'você seu sua jij jouw jullie ты твой вы ваш ваша',
  ),
} as const;

/** The same in Chinese, Japanese and Korean, which have no spaces around them. */
const signs = {
  speaker: ['我', '私', '僕', '俺', '나는', '내가', '저는', '제가', '우리'],
  listener: ['你', '您', 'あなた', '너는', '당신'],
} as const;

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Whether a text has a pronoun of the first or of the second person. */
export function isAbout(person: keyof typeof words, text: string): boolean {
  const said = text.toLowerCase().replaceAll('’', "'");
  return (
    (said.match(/[\p{L}']+/gu) ?? []).some((word) => words[person].has(word)) ||
    signs[person].some((sign) => said.includes(sign))
  );
}
