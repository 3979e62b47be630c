import type { Draw } from '../loop/scenario.js';
import type { NoisyCall, PlantedFact } from './repeating.js';

/*
 * A second set, which shares no form with the first: what is tuned on that one must hold here. The noise is prose in five languages, chats,
 * tables, YAML, JSON, stack traces, diffs, logs and lists without numbers. A fact is part of a longer message or stands where the form of
 * a result has room for a remark.
 */

const lists = {
  noun: 'invoice ledger kiosk harbour parcel turbine orchard tariff beacon archive studio tunnel bakery canteen ferry museum printer clinic depot garage laundry market nursery office pantry quarry reactor school tavern vineyard workshop antenna bridge chimney drawer engine fountain gallery hangar island jacket kettle lantern magnet needle oven pillow quilt ribbon saddle teapot umbrella violin window yard',
  verb: 'moves checks paints lifts counts opens closes warms cools sorts carries mends covers follows guards measures replaces signs tests welcomes',
  adjective:
    'quiet narrow golden early rusty gentle hollow clever distant bitter modern royal simple tidy vivid wooden yearly zealous brisk calm dusty eager',
  name: 'Anselm Beatriz Chidi Dagny Emre Farah Goran Hanne Ines Jomo Kaori Lucia Milan Nadia Oskar Priya Quentin Rosa Stefan Tove Ugo Vera Wanda Yusuf',
  deutsch:
    'Der Hafen|Die Werkstatt|Das Lager|Ein Kollege|Die Bäckerei|Der Zug|Das Archiv;wartet auf|prüft|ordnet|bestellt|vermisst|erwähnt|besucht;die Lieferung|das Protokoll|den Schlüssel|eine Skizze|den Fahrplan|die Rechnung;am Morgen|nach der Pause|ohne Eile|wie immer|trotz des Regens',
  français:
    'Le marché|La gare|Un voisin|Le musée|La cuisine|Une élève|Le jardin;attend|prépare|oublie|regarde|range|décrit|cherche;le courrier|une affiche|la clé|les paniers|le cahier|une lampe;ce matin|sans bruit|comme prévu|malgré le froid|avant midi',
  español:
    'El puerto|La tienda|Un vecino|La oficina|El taller|Una maestra|El museo;espera|revisa|olvida|prepara|busca|ordena|describe;la carta|un mapa|las llaves|el informe|una caja|los platos;por la tarde|sin prisa|como siempre|con cuidado|antes de comer',
  polski:
    'Sklep|Kolega|Biuro|Muzeum|Pociąg|Nauczyciel|Ogród;czeka na|sprawdza|porządkuje|przynosi|opisuje|gubi;paczkę|klucz|notatki|rachunek|mapę|lampę;rano|bez pośpiechu|jak zwykle|mimo deszczu|po obiedzie',
} as const;
const words = (list: keyof typeof lists) => lists[list].split(' ');
const noun = (draw: Draw) => draw.pick(words('noun'));
const name = (draw: Draw) => draw.pick(words('name'));
const some = <T>(draw: Draw, least: number, more: number, make: (at: number) => T) =>
  Array.from({ length: least + draw.below(more) }, (_, at) => make(at));

const english = (draw: Draw) =>
  `The ${draw.pick(words('adjective'))} ${noun(draw)} ${draw.pick(words('verb'))} the ${noun(draw)} ${draw.pick(['behind', 'before', 'for', 'without', 'near'])} the ${draw.pick(words('adjective'))} ${noun(draw)}.`;
const foreign = (draw: Draw, list: 'deutsch' | 'français' | 'español' | 'polski') =>
  `${lists[list]
    .split(';')
    .map((column) => draw.pick(column.split('|')))
    .join(' ')}.`;

/** A result: its lines, and how a remark stands among them. */
interface Form {
  readonly tool: string;
  readonly subject: string;
  readonly lines: readonly string[];
  /** @default a line of its own, as it is */
  readonly remark?: (fact: string) => string;
}

const forms: readonly ((draw: Draw) => Form)[] = [
  (draw) => {
    const language = draw.pick(['deutsch', 'français', 'español', 'polski'] as const);
    const paragraph = () => some(draw, 3, 4, () => foreign(draw, language)).join(' ');
    const remark = (fact: string) => `${foreign(draw, language)} ${fact} ${foreign(draw, language)}`;
    return { tool: 'open_page', subject: `diary/${noun(draw)}`, lines: some(draw, 5, 4, paragraph), remark };
  },
  (draw) => {
    const paragraph = () => some(draw, 3, 4, () => english(draw)).join(' ');
    const remark = (fact: string) => `${english(draw)} ${fact} ${english(draw)}`;
    return {
      tool: 'open_page',
      subject: `handbook/${noun(draw)}`,
      lines: some(draw, 6, 4, paragraph),
      remark,
    };
  },
  (draw) => ({
    tool: 'query',
    subject: `select * from ${noun(draw)}`,
    lines: [
      'owner,place,state,remark',
      ...some(
        draw,
        16,
        12,
        () =>
          `${name(draw)},${noun(draw)},${draw.pick(words('adjective'))},${draw.pick(['', '', 'see ', 'was '])}${noun(draw)}`,
      ),
    ],
    remark: (fact) => `${name(draw)},${noun(draw)},${draw.pick(words('adjective'))},"${fact}"`,
  }),
  (draw) => ({
    tool: 'read_file',
    subject: `deploy/${noun(draw)}.yaml`,
    lines: some(draw, 6, 5, () => [
      `${noun(draw)}:`,
      `  ${noun(draw)}: ${draw.pick(words('adjective'))}`,
      `  ${noun(draw)}:`,
      `    - ${noun(draw)}`,
      `    - ${noun(draw)}`,
    ]).flat(),
    remark: (fact) => `  # ${fact}`,
  }),
  (draw) => ({
    tool: 'get_logs',
    subject: noun(draw),
    lines: [
      'Unhandled exception in the worker',
      ...some(
        draw,
        14,
        10,
        () => `    at ${name(draw)}.${draw.pick(words('verb'))}(${noun(draw)}/${noun(draw)}.kt)`,
      ),
      `Caused by: ${noun(draw)} refused the ${noun(draw)}`,
    ],
    remark: (fact) => `  -> ${fact}`,
  }),
  (draw) => ({
    tool: 'read_channel',
    subject: `#${noun(draw)}`,
    lines: some(
      draw,
      12,
      10,
      () => `${name(draw)}: ${draw.pick(['hm', 'ok', 'no idea', 'thanks', 'later', 'lol', english(draw)])}`,
    ),
    remark: (fact) => `${name(draw)}: ${fact}`,
  }),
  (draw) => ({
    tool: 'list',
    subject: `/${noun(draw)}`,
    lines: some(
      draw,
      24,
      16,
      () =>
        `${noun(draw)}-${noun(draw)}/${draw.pick(words('adjective'))}.${draw.pick(['md', 'svg', 'toml', 'wav', 'rs'])}`,
    ),
  }),
  (draw) => ({
    tool: 'open_page',
    subject: `wiki/${noun(draw)}`,
    lines: [
      '| who | what | how |',
      '|---|---|---|',
      ...some(
        draw,
        12,
        8,
        () => `| ${name(draw)} | ${noun(draw)} | ${draw.pick(words('adjective'))} ${noun(draw)} |`,
      ),
    ],
    remark: (fact) => `| ${name(draw)} | ${noun(draw)} | ${fact} |`,
  }),
  (draw) => ({
    tool: 'http_get',
    subject: `/api/${noun(draw)}`,
    lines: [
      '{',
      ...some(draw, 5, 4, () => [
        `  "${noun(draw)}": {`,
        `    "${noun(draw)}": "${draw.pick(words('adjective'))}",`,
        `    "${noun(draw)}": ["${noun(draw)}", "${noun(draw)}"]`,
        '  },',
      ]).flat(),
      '  "end": true',
      '}',
    ],
    remark: (fact) => `    "${noun(draw)}": ${JSON.stringify(fact)},`,
  }),
  (draw) => ({
    tool: 'get_logs',
    subject: `${noun(draw)} service`,
    lines: some(
      draw,
      16,
      12,
      () =>
        `${draw.pick(['info', 'debug', 'trace'])} ${noun(draw)}: ${name(draw)} ${draw.pick(words('verb'))} ${noun(draw)}`,
    ),
    remark: (fact) => `info ${noun(draw)}: ${fact}`,
  }),
  (draw) => ({
    tool: 'show_change',
    subject: `${noun(draw)}/${noun(draw)}.py`,
    lines: some(draw, 5, 4, () => [
      `-    ${noun(draw)} = ${noun(draw)}(${noun(draw)})`,
      `+    ${noun(draw)} = ${noun(draw)}.${noun(draw)}(${noun(draw)})`,
      `     return ${noun(draw)}`,
      ` def ${draw.pick(words('verb'))}_${noun(draw)}(self):`,
    ]).flat(),
    remark: (fact) => `+    # ${fact}`,
  }),
];

/** The call of a step. */
export function variedCall(draw: Draw): NoisyCall {
  const { tool, subject, lines, remark = (fact: string) => fact } = draw.pick(forms)(draw);
  const at = 1 + draw.below(lines.length - 2);
  return {
    tool,
    input: { about: subject },
    result: (fact) => (fact === undefined ? lines : lines.toSpliced(at, 0, remark(fact))).join('\n'),
  };
}

const plainFacts: readonly ((draw: Draw) => string)[] = [
  (draw) => `${name(draw)} turned out to be the only one with a key to the ${noun(draw)} ${noun(draw)}`,
  (draw) => `never ship the ${noun(draw)} ${noun(draw)} on a Friday`,
  (draw) => `the real cause was the ${noun(draw)}, the ${noun(draw)} only looked guilty`,
  (draw) => `${name(draw)} möchte den Bericht zur ${noun(draw)} vor dem Fest sehen`,
  (draw) => `la ${noun(draw)} n'est plus suivie par ${name(draw)}`,
  (draw) =>
    `we tried a ${draw.pick(words('adjective'))} ${noun(draw)} first and it made the ${noun(draw)} worse`,
  (draw) => `${noun(draw)} must be written with a capital letter everywhere in the ${noun(draw)} letters`,
  (draw) => `ask ${name(draw)} instead of ${name(draw)} when the ${noun(draw)} is late`,
];
const valueFacts: readonly ((draw: Draw) => string)[] = [
  (draw) => `${noun(draw)}_${noun(draw)}=${draw.pick(words('adjective'))}-${draw.below(90)}`,
  (draw) => `it breaks at ${noun(draw)}/${noun(draw)}.rs:${10 + draw.below(900)}`,
  (draw) => `make ${noun(draw)} PROFILE=${noun(draw)} -j${2 + draw.below(30)}`,
  (draw) => `pin ${noun(draw)}-${noun(draw)} to ${draw.below(9)}.${draw.below(40)}.${draw.below(40)}`,
  (draw) => `the meeting with ${name(draw)} about the ${noun(draw)} is on ${1 + draw.below(28)} May`,
  (draw) => `${name(draw)} pays at most €${100 + draw.below(9000)} for the ${noun(draw)}`,
];

/** Different facts, a third by each speaker; half have a value. */
export function variedFacts(draw: Draw, count: number): PlantedFact[] {
  const speakers = ['tool', 'assistant', 'user'] as const;
  const texts = new Set<string>();
  return Array.from({ length: count }, (_, at): PlantedFact => {
    const isPlain = Math.floor(at / speakers.length) % 2 === 0;
    let text = '';
    while (text === '' || texts.has(text)) text = draw.pick(isPlain ? plainFacts : valueFacts)(draw);
    texts.add(text);
    return { text, speaker: speakers[at % speakers.length] as PlantedFact['speaker'], isPlain };
  });
}

const idle = ['Looking at the next one.', 'That one is as expected.', 'Let me see.'];

/** What the agent says at a step, with or without a fact in the middle of it. */
export function variedRemark(draw: Draw, fact?: string): string {
  const remark = draw.pick([...idle, english(draw)]);
  return fact === undefined ? remark : `${remark} So ${fact}. ${english(draw)}`;
}

/** What the user says, which is about something else, too. */
export function variedWish(draw: Draw, fact: string): string {
  return `${english(draw)} ${draw.pick(['And', 'Also,', 'Mind that', 'Oh,'])} ${fact}. ${english(draw)}`;
}
