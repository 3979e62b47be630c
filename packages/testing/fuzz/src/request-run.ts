import { type Agents, agentsOf } from './agents.js';
import { type Failure, type LawBook, LawBroken } from './laws.js';
import { Random } from './random.js';
import { type AskedRequest, checkArrived, surelyFits } from './request-laws.js';
import { setupBy } from './request-setup.js';
import { type Arrival, type RequestPlant, type Sender, senderFor } from './senders.js';

/** Sends the requests of agents at once, round by round, and checks what arrives. Returns the failure; undefined if all laws hold. */
export async function requestFailure(
  seed: number,
  book: LawBook,
  plant: RequestPlant = {},
): Promise<Failure | undefined> {
  const random = new Random(seed);
  const setup = setupBy(random);
  const agents = agentsOf(random, setup);
  let at = 0;
  let sender: Sender | undefined;
  try {
    sender = await senderFor(setup, plant);
    for (; at < setup.rounds; at += 1) await checkRound(book, agents, sender);
    return undefined;
  } catch (error) {
    if (error instanceof LawBroken) return { law: error.law, detail: error.detail, at };
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { law: 'request-answered', detail, at };
  } finally {
    await sender?.close();
  }
}

/**
 * Sends the requests of a round at once, and checks them and their answers. None is answered before all have arrived, so those with the same
 * bytes are decided by the same knowledge.
 */
async function checkRound(book: LawBook, agents: Agents, sender: Sender): Promise<void> {
  const requests = agents.round();
  const sent = await Promise.all(requests.map((asked) => sender.send(asked)));
  // A provider that refused a request says that less fits than was thought.
  const refused = new Set(sent.flatMap(({ asked, arrived }) => (arrived.length > 1 ? [asked.body] : [])));
  for (const { asked, arrived } of sent)
    for (const body of arrived) checkArrived(book, asked, body, !refused.has(asked.body));
  book.each(
    'request-answered',
    sent.filter(({ asked }) => surelyFits(asked)),
    ({ asked, status, text }) =>
      status === 200
        ? undefined
        : `${asked.branch.tag} got ${status}, although it fits: ${text.slice(0, 300)}`,
  );
  if (requests.every(surelyFits)) book.check('request-managed', failuresIn(sender.warnings));
  book.each('request-same', pairsIn(sent), ([one, other]) =>
    one.arrived.at(-1) === other.arrived.at(-1)
      ? undefined
      : `two requests of ${one.asked.branch.tag} with the same bytes were sent with others: ${difference(one, other)}`,
  );
}

/** What is told of a window that is small is no failure. */
function failuresIn(warnings: readonly string[]): string | undefined {
  const failures = warnings.filter((one) => !/^(?:window-small|tools-large|unread-cut):/.test(one));
  return failures.length === 0 ? undefined : failures.join('; ');
}

function difference(one: Arrival, other: Arrival): string {
  const [here = '', there = ''] = [one.arrived.at(-1), other.arrived.at(-1)];
  let at = 0;
  while (here[at] === there[at] && at < here.length) at += 1;
  return `${here.length} and ${there.length} characters, at ${at} ${here.slice(at, at + 120)} … ${there.slice(at, at + 120)}`;
}

/**
 * Each request with the next one that has the same bytes. Where one of them was on its way already when a longer one arrived that goes on from
 * it, the conversation had been answered, as far as ctx can know: the other one may be a question to an older state of it.
 */
function pairsIn(sent: readonly Arrival[]): [Arrival, Arrival][] {
  return sent.flatMap((one, at): [Arrival, Arrival][] => {
    const other = sent.slice(at + 1).find(({ asked }) => asked.body === one.asked.body);
    if (other === undefined) return [];
    const first = Math.min(one.before, other.before);
    const isOlder = sent.some(({ asked, before }) => before > first && goesOn(asked, one.asked));
    return isOlder ? [] : [[one, other]];
  });
}

function goesOn({ branch: { said } }: AskedRequest, from: AskedRequest): boolean {
  const before = from.branch.said;
  return said.length > before.length && before.every((one, at) => one === said[at]);
}
