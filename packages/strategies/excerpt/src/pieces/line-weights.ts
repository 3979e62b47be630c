import * as char from '../characters.js';
import { ordinary, type PieceForm } from './piece.js';
import {
  bracketsWeight,
  detailWeight,
  failedSummaryWeight,
  failureWeight,
  figuresWeight,
  longestSummary,
  longestTellingLine,
  passedWeight,
  progressWeight,
  separatorWeight,
  summaryWeight,
} from './weights.js';
import { isFigures } from './windows.js';

const bracketsOnly: PieceForm = { kind: 'line', weight: bracketsWeight };
const figures: PieceForm = { kind: 'line', weight: figuresWeight };
const separator: PieceForm = { kind: 'line', weight: separatorWeight };
const progress: PieceForm = { kind: 'line', weight: progressWeight };
const passed: PieceForm = { kind: 'line', weight: passedWeight };
const summary: PieceForm = { kind: 'line', weight: summaryWeight };
const failedSummary: PieceForm = { kind: 'failure', weight: failedSummaryWeight };
const failure: PieceForm = { kind: 'failure', weight: failureWeight };
const head: PieceForm = { kind: 'failure', weight: 1 };
const detail: PieceForm = { kind: 'failure', weight: detailWeight };

/** A line without any of these words and signs is ordinary. The expressions below examine the few others. */
const telling =
  /error|exception|fail|panic|fatal|assert|pass|traceback|expect|received|actual|warn|abort|denied|not found|no such|cannot|unable|exit|killed|timed? ?out|goroutine|Caused by|^E {2}|\bgot\b|^(?:left|right|want)\b|stack backtrace|\bok\b|=== |[✓✔√✅✗✕✖×●❌█▓▒░━]|\d%/i;
/** Three letters of each word in `telling`. Searching for them first is faster. */
const tellingTriples =
  'err exc fai pan fat ass pas ceb xpe cei ctu war abo den fou suc nno una xit kil tim med oro aus got lef rig wan ckt ===';
const isTellingTriple = new Uint8Array(32 ** 3);
for (const triple of tellingTriples.split(' ')) isTellingTriple[hashOf(triple)] = 1;
// `E` with two spaces, and `ok` with any character after it.
isTellingTriple[hashOf('E  ')] = 1;
isTellingTriple.fill(1, hashOf('ok '), hashOf('ok ') + 32);
const summaryLine =
  /\b\d+ (?:\w+ ){0,2}(?:passed|failed|failing|passing|pending|skipped|errors?|warnings?|failures?|problems?)\b|^(?:Tests?|Test Suites|Test Files|Tests run|test result|Ran \d+ tests?)(?::| +\d| in\b)|^(?:BUILD \w+$|FAILED \(|OK \()|\b(?:Failures|Errors): \d+/;
const failedCount =
  /\b[1-9]\d* (?:\w+ ){0,2}(?:failed|failing|errors?|failures?|problems?)\b|\b(?:Failures|Errors): [1-9]|FAILED/;
const passedLine =
  /^(?:[✓✔√✅]|PASS\b|ok\s+\d|ok\s+\S+\s+[\d(]|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)|\[\s+(?:OK|RUN|PASSED)\s|test .* \.\.\. (?:ok|ignored)$)|\bPASSED(?:\s+\[\s*\d+%\])?$/;
const failedLine =
  /^(?:[✗✕✖×●❌]|FAIL(?:ED)?\b|not ok\b|--- FAIL|E {2,}|(?:[Ee]rror|ERROR|[Ff]atal|[Pp]anic|[Aa]bort(?:ed)?)\b(?:\[\w+\]|(?: \w+)*):|thread '.*' panicked|Uncaught|Caused by|npm ERR!|\[(?:ERROR|FATAL|error|fatal)\])/;
/** First lines of traces that carry no information. */
const traceHead = /^(?:Traceback \(|goroutine \d+ \[|stack backtrace:)/;
const namedFailure =
  /(?:^|[\s([.:])[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?(?::(?: |$)|$)|[:)\]] (?:fatal )?error(?:\[\w+\]| [A-Z]+\d+)?: |\b(?:ERROR|FATAL|CRITICAL|FAILED|PANIC)\b|: command not found|No such file or directory|Permission denied|\bsegmentation fault\b|\bexit(?:ed with)? (?:code|status)[: ]+[1-9]/;
const detailLine =
  /^(?:[-+] )?(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|left|right|got|want)\b[^=:(]*[:=]|^[-+] (?:Expected|Received)\b|\bgot\b.*\bwant\b|\b[Ee]xpected\b.*\b(?:got|but|received|actual)\b/;
const progressLine = /[█▓▒░━]{3}|\[[=#>. -]{8,}\]|\d%\s*\||^\.{3,}\s*\[\s*\d+%\]/;
/** Steps of package managers and builds that did nothing unexpected. */
const packageStep =
  /^(?:Compil|Download|Fetch|Collect|Unpack|Install)(?:ing|ed) (?:\d+ file|[\w@-]+(?:[/.<=]| v?\(?\d))/;
const buildStep =
  /^(?:Generated \w+ app|Requirement already|Using cached |Preparing to unpack|(?:Get|Hit|Ign):\d|> Task :|remote: (?:Count|Compress|Enumerat)ing)/;
/** A numbered line as `cat -n` prints it: text of a file, not output of a program. */
const numbered = /^\d+(?:\t|→|\s?\| )/;

/** The form of a line that has no letters and no digits; undefined for other lines. */
function wordlessForm(text: string, first: number, end: number): PieceForm | undefined {
  let drawn = 0;
  let repeated = 0;
  for (let at = first; at < end; at++) {
    const code = text.charCodeAt(at);
    if (char.isDigit(code) || char.isCapital(code) || char.isSmallLetter(code)) return undefined;
    if (code > char.lastAscii) {
      if (code < char.boxDrawingStart || code > char.blockElementsEnd) return undefined;
      drawn++;
    } else if (at > first && code === text.charCodeAt(at - 1)) repeated++;
  }
  return drawn > 2 || repeated > 2 ? separator : bracketsOnly;
}

/** The form of the line that ends at `end` and whose first character other than white space is at `first`. */
export function formOfLine(text: string, first: number, end: number, isSource: boolean): PieceForm {
  const wordless = wordlessForm(text, first, end);
  if (wordless !== undefined) return wordless;
  if (isFigures(text, first, end)) return figures;
  if (isSource) return ordinary;
  const line = text.slice(first, Math.min(end, first + longestTellingLine));
  if (packageStep.test(line) || buildStep.test(line)) return progress;
  if (!mayTell(line) || !telling.test(line) || numbered.test(line)) return ordinary;
  if (progressLine.test(line)) return progress;
  if (line.length <= longestSummary && summaryLine.test(line))
    return failedCount.test(line) ? failedSummary : summary;
  if (passedLine.test(line)) return passed;
  if (traceHead.test(line)) return head;
  if (failedLine.test(line) || namedFailure.test(line)) return failure;
  return detailLine.test(line) ? detail : ordinary;
}

/** False if a line certainly does not match `telling`. */
function mayTell(line: string): boolean {
  let triple = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    triple = ((triple << 5) | (code & 31)) & 0x7fff;
    if (isTellingTriple[triple] === 1 || code > char.lastAscii || code === char.percentSign) return true;
  }
  return isTellingTriple[(triple << 5) & 0x7fff] === 1;
}

/** Five bits of each of three characters; a capital and its small letter have the same five bits. */
function hashOf(triple: string): number {
  let hash = 0;
  for (let at = 0; at < 3; at++) hash = (hash << 5) | (triple.charCodeAt(at) & 31);
  return hash;
}
